/** Loads a built main.js into the page, mounts what it registers, and plays the app around it. */
import type { MarkdownPostProcessor } from "obsidian";
import * as codemirrorState from "@codemirror/state";
import * as codemirrorView from "@codemirror/view";
import { setup } from "obsidian-test-mocks/setup";
import * as mocks from "obsidian-test-mocks/obsidian";
import { spawn } from "./child";
import { mountNote, type OpenNote } from "./editor";
import * as obsidian from "./obsidian";
import { showPreview, type HoverLink } from "./preview";
import { readNote } from "./reading";
import { drawSettings } from "./settings";
import { linkSuggester, suggesting, type Suggester } from "./suggest";

setup();

interface Options {
  main: string;
  manifest: object;
  data: unknown;
  mobile: boolean;
  vaultPath: string;
  dataDir: string;
  files: Record<string, string>;
  tags: Record<string, number>;
}

interface Command {
  callback?: () => void;
  checkCallback?: (checking: boolean) => boolean | void;
  editorCallback?: (editor: object, context: object) => void;
  editorCheckCallback?: (checking: boolean, editor: object, context: object) => boolean | void;
}

interface LoadedPlugin {
  load(): Promise<void>;
  onload(): Promise<void>;
  unload(): void;
  data__: unknown;
  commands__: Map<string, Command>;
  views__: Map<string, (leaf: unknown) => MountedView>;
  settingTabs__: Parameters<typeof drawSettings>[0][];
  statusBarItems__: HTMLElement[];
  editorExtensions__: codemirrorState.Extension[];
  registerEditorSuggest(suggester: Suggester): void;
  registerMarkdownPostProcessor(process: MarkdownPostProcessor): MarkdownPostProcessor;
  children__?: unknown[];
}

interface MountedView {
  containerEl: HTMLElement;
  contentEl: HTMLElement;
  load(): void;
  unload(): void;
  onOpen(): Promise<void>;
  onClose(): Promise<void>;
}

interface MountedLeaf {
  view: MountedView;
}

export interface Opened {
  path: string;
  line: number;
  newTab: boolean;
}

const opened: Opened[] = [];

/** Node's modules as far as the plugin uses them; files are read through the page's server. */
function nodeModules(dataDir: string): Record<string, unknown> {
  return {
    "node:fs/promises": {
      realpath: (path: string) => Promise.resolve(path),
      readFile: async (path: string) => {
        const response = await fetch(`/__file?path=${encodeURIComponent(path)}`);
        if (!response.ok) throw new Error(`ENOENT: ${path}`);
        return response.text();
      },
    },
    "node:os": { homedir: () => "/nowhere" },
    "node:crypto": {},
    "node:child_process": { spawn },
    "node:process": { platform: "linux", env: { MINDNET_DATA_DIR: dataDir } },
  };
}

export async function host(options: Options) {
  const { mobile } = options;
  Object.assign(obsidian.Platform, { isDesktop: !mobile, isDesktopApp: !mobile, isMobile: mobile, isMobileApp: mobile });
  const app = mocks.App.createConfigured__({ files: options.files });
  const root = document.querySelector<HTMLElement>(".mod-root")!;
  const side = document.querySelector<HTMLElement>(".mod-right-split")!;
  const adapter = Object.create(mocks.FileSystemAdapter.prototype as object) as object;
  Object.defineProperty(adapter, "getBasePath", { value: () => options.vaultPath });
  // Onto the disk, where the sidecar sees it.
  Object.defineProperty(adapter, "write", { value: (path: string, body: string) => fetch(`/__note?path=${encodeURIComponent(path)}`, { method: "PUT", body }) });
  Object.defineProperty(app.vault, "adapter", { value: adapter });
  let plugin: LoadedPlugin;
  const openTab = () => {
    const tab = plugin.settingTabs__[0]!;
    root.replaceChildren(tab.containerEl);
    drawSettings(tab);
  };
  Object.defineProperty(app, "setting", { value: { open: () => undefined, openTabById: openTab } });

  // The app's own comes first, and takes whatever follows two brackets.
  const suggesters: Suggester[] = [linkSuggester];
  Object.defineProperty(app.workspace, "editorSuggest", { value: { suggests: suggesters } });
  let note: OpenNote | null = null;
  let beside: OpenNote | null = null;
  mocks.WorkspaceLeaf.prototype.openFile = async function (file, state) {
    const line = Number((state?.eState as { line?: number } | undefined)?.line ?? 0) + 1;
    opened.push({ path: file.path, line, newTab: wantsTab });
    const text = await noteText(file.path);
    note?.view.destroy();
    const opening = { file, editor: null as OpenNote["editor"] | null };
    const suggestions = suggesting(
      () => suggesters,
      () => (opening.editor === null ? null : { editor: opening.editor, file: opening.file }),
    );
    note = mountNote(root, file.path, text, line, [plugin.editorExtensions__, suggestions]);
    opening.editor = note.editor;
    const view = new mocks.MarkdownView(this);
    Object.assign(view, { file, editor: note.editor });
    Object.assign(mainLeaf, { view });
    app.workspace.getActiveFile = () => file;
    app.workspace.trigger("file-open", file);
  };
  Object.defineProperty(app.metadataCache, "getTags", { value: () => options.tags });
  const mainLeaf = { view: {} };
  app.workspace.getMostRecentLeaf = (() => mainLeaf) as unknown as typeof app.workspace.getMostRecentLeaf;
  app.workspace.on("hover-link", (link: unknown) => void showPreview(link as HoverLink, noteText));
  // As the app: a heading comes with its sign.
  app.fileManager.generateMarkdownLink = (file, _source, subpath, alias) => `[[${file.basename}${subpath ?? ""}${alias === undefined ? "" : `|${alias}`}]]`;
  let wantsTab = false;
  const getLeaf = app.workspace.getLeaf.bind(app.workspace);
  app.workspace.getLeaf = (kind) => {
    wantsTab = kind === "tab";
    return getLeaf(kind);
  };
  mocks.WorkspaceLeaf.prototype.setViewState = async function (next) {
    const make = plugin.views__.get(next.type);
    if (!make) throw new Error(`harness: no view is registered as '${next.type}'`);
    const view = make(this);
    Object.defineProperty(this, "view", { value: view, configurable: true, writable: true });
    view.containerEl.addClass("workspace-leaf-content");
    view.contentEl.addClass("view-content");
    side.replaceChildren(view.containerEl);
    view.load();
    await view.onOpen();
    leaves.set(next.type, this as unknown as MountedLeaf);
  };
  const leaves = new Map<string, MountedLeaf>();
  app.workspace.getLeavesOfType = ((type: string) => [leaves.get(type)].filter(Boolean)) as unknown as typeof app.workspace.getLeavesOfType;
  app.workspace.revealLeaf = (leaf) => {
    side.replaceChildren((leaf as unknown as MountedLeaf).view.containerEl);
    return Promise.resolve();
  };

  const module = { exports: {} as { default: new (app: unknown, manifest: unknown) => LoadedPlugin } };
  const modules: Record<string, unknown> = {
    obsidian,
    "@codemirror/state": codemirrorState,
    "@codemirror/view": codemirrorView,
    ...nodeModules(options.dataDir),
  };
  const require = (id: string): unknown => {
    if (!(id in modules)) throw new Error(`harness: the plugin requires '${id}', which is not offered`);
    return modules[id];
  };
  // The bundle is CommonJS, as the app loads it.
  new Function("module", "exports", "require", options.main)(module, module.exports, require);
  const bar = document.querySelector<HTMLElement>(".status-bar")!;
  const processors: MarkdownPostProcessor[] = [];
  let closeReading = () => undefined as void;
  /** Loads the plugin as the app does when it is enabled. */
  const enable = async () => {
    plugin = new module.exports.default(app, options.manifest);
    plugin.data__ = options.data;
    plugin.registerEditorSuggest = (suggester) => void suggesters.push(suggester);
    plugin.registerMarkdownPostProcessor = (process) => {
      processors.push(process);
      return process;
    };
    // The mock starts onload and does not wait for it.
    const onload = plugin.onload.bind(plugin);
    let loaded: Promise<void> = Promise.resolve();
    plugin.onload = () => (loaded = onload());
    await plugin.load();
    await loaded;
    for (const item of plugin.statusBarItems__) {
      item.addClass("status-bar-item");
      bar.append(item);
    }
  };
  /** Closes the panes, as the user does. */
  const closePanes = async () => {
    for (const leaf of leaves.values()) {
      await leaf.view.onClose();
      leaf.view.unload();
      leaf.view.containerEl.remove();
    }
    leaves.clear();
  };
  /** Unloads it, and takes away what the app takes away: views, items of the status bar, its settings, its extensions of editors. */
  const disable = async () => {
    plugin.unload();
    await closePanes();
    note?.view.destroy();
    note = null;
    closeReading();
    processors.length = 0;
    Object.assign(mainLeaf, { view: {} });
    root.replaceChildren();
    suggesters.splice(0, suggesters.length, linkSuggester);
    Object.assign(app.workspace, { leaves: [], activeLeaf: null });
    for (const item of plugin.statusBarItems__) item.remove();
    for (const tab of plugin.settingTabs__) tab.containerEl.remove();
  };
  await enable();
  return {
    enable,
    disable,
    closePanes,
    get plugin() {
      return plugin;
    },
    opened,
    openSettings: openTab,
    openNote: async (path: string) => {
      const file = app.vault.getAbstractFileByPath(path);
      if (!(file instanceof mocks.TFile)) throw new Error(`harness: there is no note ${path}`);
      await app.workspace.getLeaf(false).openFile(file);
    },
    /** Shows a note as the reading view does. */
    readNote: async (path: string) => {
      closeReading();
      note?.view.destroy();
      note = null;
      closeReading = await readNote(root, path, await noteText(path), processors);
    },
    /** Shows a note in a second pane; the function given closes that. */
    openBeside: async (path: string) => {
      beside?.view.destroy();
      const pane = document.querySelector(".mod-beside") ?? document.querySelector(".workspace")!.createDiv({ cls: "mod-root mod-beside" });
      beside = mountNote(pane as HTMLElement, path, await noteText(path), 1, plugin.editorExtensions__);
    },
    closeBeside: () => {
      beside?.view.destroy();
      document.querySelector(".mod-beside")?.remove();
    },
    /** Tells that a file has another path now, as the app does behind a rename. */
    renamed: (from: string, to: string) => {
      const file = app.vault.getAbstractFileByPath(from);
      if (file === null) throw new Error(`harness: there is no note ${from}`);
      file.path = to;
      app.vault.trigger("rename", file, from);
    },
    get editor() {
      return note?.view;
    },
    /** An editor with the same text and nothing of the plugin in it, to compare with. */
    plainEditor: () => mountNote(document.body.createDiv({ cls: "mod-root", attr: { style: "height: 300px" } }), "Plain.md", note?.view.state.doc.toString() ?? "", 1, []).view,
    /** The text of the note on show, as it stands in its editor. */
    noteText: () => note?.view.state.doc.toString() ?? "",
    /** What the menu of a file offers; `title` chooses one of it. */
    fileMenu: (path: string, title?: string) => {
      const items: { title: string; act: () => void }[] = [];
      const menu = {
        addItem: (fill: (item: object) => void) => {
          const made = { title: "", act: () => undefined as void };
          const item = {
            setSection: () => item,
            setIcon: () => item,
            setTitle: (text: string) => ((made.title = text), item),
            onClick: (act: () => void) => ((made.act = act), item),
          };
          fill(item);
          items.push(made);
        },
      };
      app.workspace.trigger("file-menu", menu, app.vault.getAbstractFileByPath(path), "file-explorer-context-menu");
      items.find((one) => one.title === title)?.act();
      return items.map((one) => one.title);
    },
    undo: () => note?.editor.undo(),
    /** Runs a command as the palette does, with the note on show where it wants one. */
    run: (id: string) => {
      const command = plugin.commands__.get(id);
      if (command === undefined) throw new Error(`harness: there is no command '${id}'`);
      const view = mainLeaf.view;
      command.callback?.();
      if (command.checkCallback?.(true) === true) command.checkCallback(false);
      if (note === null) return;
      command.editorCallback?.(note.editor, view);
      if (command.editorCheckCallback?.(true, note.editor, view) === true) command.editorCheckCallback(false, note.editor, view);
    },
  };
}

async function noteText(path: string): Promise<string> {
  return (await fetch(`/__note?path=${encodeURIComponent(path)}`)).text();
}

Object.assign(window, { host });
