import { FileSystemAdapter, getLanguage, Notice, Platform, Plugin, TFile, type App, type Menu, type TAbstractFile, type View } from "obsidian";
import { picker } from "./app/pick";
import { HOVER_SOURCE, VaultActions } from "./app/vault-actions";
import { vaultNotes, vaultValues } from "./app/vault-values";
import { chooseLanguage, translator } from "./i18n";
import { Connection } from "./sidecar/connection";
import { findRunFile } from "./sidecar/discovery";
import { desktop, spawnOnDesktop } from "./sidecar/machine";
import { serveCommand, SidecarProcess } from "./sidecar/process";
import type { Endpoint } from "./sidecar/transport";
import type { Status } from "./sidecar/wire";
import { markAt } from "./editor/at-cursor";
import { badgeExtension, type BadgesHost } from "./editor/extension";
import { EdgesOnShow } from "./editor/note-edges";
import { badgesInReading } from "./editor/reading";
import { putFirst, RelationSuggest } from "./editor/suggest";
import { Thumbs } from "./feedback/thumbs";
import { Kinds } from "./relations/kinds";
import { checkConnection, type CheckLine, type Mend } from "./settings/check";
import { examine } from "./settings/doctor";
import { readSettings, TOKEN_SECRET, DEFAULTS, type Settings } from "./settings/settings";
import { SettingsTab } from "./settings/tab";
import { stateFacts, stateLabel } from "./ui/state";
import type { ThumbsHost } from "./ui/thumbs";
import { CHAT_VIEW, ChatView } from "./views/chat";
import { DOCTOR_VIEW, DoctorView } from "./views/doctor";
import { EdgesModal, ofLink, ofNote, type EdgesHost } from "./views/edges-modal";
import { RELATED_VIEW, RelatedView } from "./views/related";
import { SEARCH_VIEW, SearchModal, SearchView } from "./views/search";
import type { SearchHost } from "./views/search-panel";

/** The settings window, which the app's typings leave out. */
interface WithSettings {
  setting: { open(): void; openTabById(id: string): void };
}

type OwnView = SearchView | ChatView | RelatedView | DoctorView;

function isOwn(view: View): view is OwnView {
  return view instanceof SearchView || view instanceof ChatView || view instanceof RelatedView || view instanceof DoctorView;
}

/** Puts the parts together; each of them is cleaned up by the app when the plugin is unloaded. */
export default class MindnetPlugin extends Plugin {
  override settings: Settings = { ...DEFAULTS };
  readonly language = () => chooseLanguage(this.settings.language, getLanguage());
  readonly t = translator(this.language);
  readonly connection = new Connection(
    () => this.find(),
    () => this.process.state.kind === "starting",
  );
  private readonly edges = new EdgesOnShow(this.connection);
  private readonly process = new SidecarProcess(spawnOnDesktop);
  private readonly actions = new VaultActions(this.app, this.t);
  private readonly kinds = new Kinds(this.connection);

  override async onload(): Promise<void> {
    this.settings = readSettings(await this.loadData());
    this.addChild(this.connection);
    this.addProcess();
    this.addViews();
    this.addCommand({ id: "search", name: this.t("commandOpen"), callback: () => void this.openView(SEARCH_VIEW) });
    this.addCommand({ id: "chat", name: this.t("commandChat"), callback: () => void this.openView(CHAT_VIEW) });
    this.addCommand({ id: "new-chat", name: this.t("commandNewChat"), callback: () => void this.newChat() });
    this.addRibbonIcon("waypoints", this.t("commandOpen"), () => void this.openView(SEARCH_VIEW));
    this.addRibbonIcon("messages-square", this.t("commandChat"), () => void this.openView(CHAT_VIEW));
    this.addSettingTab(
      new SettingsTab(this.app, this, {
        settings: this.settings,
        t: this.t,
        save: (reconnect) => this.save(reconnect),
        examine: () => this.examine(),
        config: () => this.connection.config().catch(() => null),
        status: () => (this.connection.state.kind === "ready" ? this.connection.state.status : null),
        change: (change) => this.connection.change(change),
        isOurs: () => this.process.isOurs,
        startAgain: () => void this.startSidecar(),
        copy: this.actions.copy,
        canStart: Platform.isDesktopApp,
        mend: (mend) => void this.mend(mend),
      }),
    );
    this.addStatusBar();
  }

  /** The sidecar as a child of the app, where the user has chosen a program for that. */
  private addProcess(): void {
    const { connection, process, settings, t } = this;
    this.addChild(process);
    this.registerEvent(this.app.workspace.on("quit", (tasks) => tasks.addPromise(process.stop())));
    this.registerEvent(
      process.events.on("state", () => {
        if (process.state.kind !== "none") connection.restart();
        if (process.state.kind === "failed") new Notice([t("processFailed"), ...process.state.lines.slice(-2)].join("\n"));
      }),
    );
    const canStart = () => Platform.isDesktopApp && settings.findBySelf && settings.program.trim() !== "";
    if (settings.startWithApp && canStart()) {
      // One that runs already is taken as it is.
      const reference = connection.events.on("state", () => {
        if (connection.state.kind === "connecting") return;
        connection.events.offref(reference);
        if (connection.state.kind === "absent") void this.startSidecar();
      });
      this.registerEvent(reference);
    }
    this.registerView(
      DOCTOR_VIEW,
      (leaf) =>
        new DoctorView(leaf, {
          t,
          connection,
          process,
          examine: () => this.examine(),
          mend: (mend) => void this.mend(mend),
          start: () => void this.startSidecar(),
          stop: () => void process.stop(),
          canStart,
        }),
    );
    this.addCommand({ id: "doctor", name: t("commandDoctor"), callback: () => void this.openView(DOCTOR_VIEW) });
    const command = (id: string, name: string, isPossible: () => boolean, act: () => void) =>
      this.addCommand({
        id,
        name,
        checkCallback: (checking) => {
          if (!isPossible()) return false;
          if (!checking) act();
          return true;
        },
      });
    command("start-sidecar", t("commandStart"), () => Platform.isDesktopApp && !process.isOurs && connection.state.kind !== "ready", () => void this.startSidecar());
    command("stop-sidecar", t("commandStop"), () => process.isOurs, () => void process.stop());
  }

  /** Starts the program of the settings for this vault; where none is chosen, shows where to choose it. */
  private async startSidecar(): Promise<void> {
    const vault = this.vaultPath();
    if (vault === null || this.settings.program.trim() === "") {
      new Notice(this.t("chooseProgram"));
      this.openSettings();
      return;
    }
    await this.process.start(serveCommand(this.settings.program, vault));
  }

  private async mend(mend: Mend): Promise<void> {
    switch (mend.does) {
      case "start":
        return this.startSidecar();
      case "settings":
        return this.openSettings();
      case "copy":
        return this.actions.copy(mend.command);
      case "open":
        return this.actions.open(mend.path, mend.line, false);
      case "look":
        // Who drew the line looks again.
        return;
      case "import":
        try {
          await this.connection.ingest();
          this.connection.announce();
        } catch (cause) {
          this.actions.complain(cause);
        }
    }
  }

  private addViews(): void {
    const { connection, settings, t, language } = this;
    const { actions } = this;
    const feedback: ThumbsHost = {
      t,
      thumbs: new Thumbs(connection),
      enabled: () => {
        const { state } = connection;
        // A sidecar that is older than the plugin tells of no logs.
        return state.kind === "ready" && (state.status.logs as Status["logs"] | undefined)?.enabled === true;
      },
      complain: actions.complain,
    };
    const shared = { connection, settings, t, language, reach: actions, render: actions.render, feedback, openSettings: () => this.openSettings(), openDoctor: () => void this.openView(DOCTOR_VIEW) };
    const pick = picker(this.app);
    const search: SearchHost = {
      ...shared,
      pick,
      values: (kind) => vaultValues(this.app, kind, () => connection.stats()),
      notes: () => vaultNotes(this.app),
    };
    this.registerView(SEARCH_VIEW, (leaf) => new SearchView(leaf, search));
    this.addCommand({ id: "quick-search", name: t("commandQuick"), callback: () => new SearchModal(this.app, search).open() });
    this.registerView(
      CHAT_VIEW,
      (leaf) =>
        new ChatView(leaf, {
          ...shared,
          copy: actions.copy,
          copyAnswer: actions.copyAnswer,
          insert: actions.insert,
          save: (turns) => void actions.save(turns),
        }),
    );
    this.registerView(RELATED_VIEW, (leaf) => new RelatedView(leaf, { ...shared, pick, kinds: () => this.kinds.names, insertLink: actions.insertLink }));
    this.addCommand({ id: "related", name: t("commandRelated"), callback: () => void this.openView(RELATED_VIEW) });
    this.addBadges(actions);
    this.registerHoverLinkSource(HOVER_SOURCE, { display: this.manifest.name, defaultMod: false });
  }

  private addBadges(actions: VaultActions): void {
    const { connection, edges, kinds, settings, t } = this;
    this.addChild(edges);
    this.addChild(kinds);
    this.registerEvent(this.app.vault.on("rename", (file, from) => edges.renamed(from, file.path)));
    const explaining: EdgesHost = {
      t,
      edges,
      open: actions.open,
      pick: picker(this.app),
      kinds: () => kinds.names,
      decide: async (edgeId, note, decision) => {
        try {
          await connection.decide(edgeId, decision);
        } catch (cause) {
          actions.complain(cause);
        }
        edges.look(note);
      },
      write: (edge, kind) => actions.writeRelation(edge, kind, kinds),
    };
    const host: BadgesHost = {
      t,
      edges,
      shows: (origin) => settings[origin === "explicit" ? "badgesExplicit" : origin === "rule" ? "badgesRule" : "badgesSmart"],
      resolve: (link, source) => this.app.metadataCache.getFirstLinkpathDest(link, source)?.path ?? null,
      explain: (mark) => new EdgesModal(this.app, ofLink(mark, t), explaining).open(),
    };
    this.addNoteActions((file) => new EdgesModal(this.app, ofNote(file.path, file.basename, t), explaining).open());
    this.addCommand({
      id: "relation-at-cursor",
      name: t("commandAtCursor"),
      editorCallback: (editor, { file }) => {
        if (file === null) return;
        const { line, ch } = editor.getCursor();
        const mark = markAt({ path: file.path, line, ch, text: editor.getLine(line) }, edges.of(file.path), (link) => host.resolve(link, file.path));
        if (mark === null) new Notice(t("noRelationHere"));
        else host.explain(mark);
      },
    });
    this.registerEditorExtension(badgeExtension(host));
    this.registerMarkdownPostProcessor(badgesInReading(host));
    const suggest = new RelationSuggest(this.app, kinds, t);
    this.registerEditorSuggest(suggest);
    putFirst(this.app, suggest);
  }

  /** What can be asked of a note: in the menus of files and of the editor, and as commands. */
  private addNoteActions(explain: (file: TFile) => void): void {
    const { t, app } = this;
    const actions: { id: string; title: string; icon: string; act: (file: TFile) => void }[] = [
      { id: "find-related", title: t("findRelated"), icon: "git-compare-arrows", act: (file) => void this.findRelated(file) },
      { id: "ask-about", title: t("askAbout"), icon: "messages-square", act: (file) => void this.askAbout(file) },
      { id: "explain-links", title: t("explainLinksOf"), icon: "waypoints", act: explain },
    ];
    const fill = (menu: Menu, file: TAbstractFile | null) => {
      if (!(file instanceof TFile) || file.extension !== "md") return;
      for (const { title, icon, act } of actions) {
        menu.addItem((item) =>
          item
            .setSection("mindnet")
            .setTitle(title)
            .setIcon(icon)
            .onClick(() => act(file)),
        );
      }
    };
    this.registerEvent(app.workspace.on("file-menu", (menu, file) => fill(menu, file)));
    this.registerEvent(app.workspace.on("editor-menu", (menu, _editor, { file }) => fill(menu, file)));
    for (const { id, title, act } of actions) {
      this.addCommand({
        id,
        name: title,
        checkCallback: (checking) => {
          const file = app.workspace.getActiveFile();
          if (file?.extension !== "md") return false;
          if (!checking) act(file);
          return true;
        },
      });
    }
  }

  private async findRelated(file: TFile): Promise<void> {
    const view = await this.openView(RELATED_VIEW);
    if (view instanceof RelatedView) view.show(file.path);
  }

  private async askAbout(file: TFile): Promise<void> {
    const view = await this.openView(CHAT_VIEW);
    if (view instanceof ChatView) view.askAbout(file.path, file.basename);
  }

  private addStatusBar(): void {
    const item = this.addStatusBarItem();
    item.addClass("mod-clickable", "mindnet-status");
    const show = () => {
      const { state } = this.connection;
      const label = stateLabel(state, this.t);
      item.setText(label);
      item.setAttribute("aria-label", `${label} (${stateFacts(state, this.t)})`);
      item.setAttribute("data-state", state.kind === "ready" ? state.status.state : state.kind);
    };
    this.registerEvent(this.connection.events.on("state", show));
    item.setAttrs({ role: "button", tabindex: "0" });
    this.registerDomEvent(item, "click", () => void this.openView(DOCTOR_VIEW));
    this.registerDomEvent(item, "keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      void this.openView(DOCTOR_VIEW);
    });
    show();
  }

  private async save(reconnect: boolean): Promise<void> {
    await this.saveData(this.settings);
    if (reconnect) this.connection.restart();
    else this.connection.announce();
    this.edges.announce();
    for (const type of [SEARCH_VIEW, CHAT_VIEW, RELATED_VIEW, DOCTOR_VIEW]) {
      for (const { view } of this.app.workspace.getLeavesOfType(type)) {
        if (isOwn(view)) view.redraw();
      }
    }
  }

  private examine(): Promise<CheckLine[]> {
    const { connection, process, t } = this;
    return examine({ check: () => this.check(), process: process.state, state: connection.state, models: () => connection.models() }, t);
  }

  private async check(): Promise<CheckLine[]> {
    const path = this.vaultPath();
    const machine = await desktop();
    const vault = path === null || machine === null ? path : await machine.realPath(path);
    const { findBySelf, program } = this.settings;
    return checkConnection({ find: () => this.find(), vault, bySelf: findBySelf, canStart: machine !== null && program.trim() !== "" }, this.t);
  }

  // ------------------------------------------------------------ where the sidecar is
  private vaultPath(): string | null {
    const { adapter } = this.app.vault;
    return adapter instanceof FileSystemAdapter ? adapter.getBasePath() : null;
  }

  private async find(): Promise<Endpoint | null | "mobile"> {
    if (this.settings.findBySelf && (await desktop()) === null) return "mobile";
    return this.endpoint();
  }

  private async endpoint(): Promise<Endpoint | null> {
    const { url, findBySelf } = this.settings;
    if (!findBySelf) {
      const address = url.trim().replace(/\/+$/, "");
      return address ? { url: address, token: this.app.secretStorage.getSecret(TOKEN_SECRET) ?? "" } : null;
    }
    const machine = await desktop();
    const vault = this.vaultPath();
    return machine === null || vault === null ? null : findRunFile(vault, machine);
  }

  // ------------------------------------------------------------ what commands open
  /** Shows the view of this type in the right side pane, with the cursor where one writes. */
  private async openView(type: string): Promise<OwnView | null> {
    const { workspace } = this.app;
    const open = workspace.getLeavesOfType(type)[0];
    const leaf = open ?? workspace.getRightLeaf(false);
    if (!leaf) return null;
    if (!open) await leaf.setViewState({ type, active: true });
    await workspace.revealLeaf(leaf);
    const { view } = leaf;
    if (!isOwn(view)) return null;
    view.focus();
    return view;
  }

  private async newChat(): Promise<void> {
    const view = await this.openView(CHAT_VIEW);
    if (view instanceof ChatView) view.begin();
  }

  private openSettings(): void {
    const { setting } = this.app as App & WithSettings;
    setting.open();
    setting.openTabById(this.manifest.id);
  }
}
