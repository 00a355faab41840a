import { MarkdownRenderer, MarkdownView, Notice, stripHeadingForLink, TFile, type App, type Component, type HoverParent } from "obsidian";
import { answerMarkdown, conversationMarkdown, freePath, noteName, type Place } from "../chat/as-note";
import type { Turn } from "../chat/conversation";
import { leadsThere } from "../editor/links";
import type { Translate } from "../i18n";
import { relation } from "../related/links";
import type { Kinds } from "../relations/kinds";
import { relationChanges } from "../relations/write";
import { SidecarError } from "../sidecar/transport";
import type { EdgeOut } from "../sidecar/wire";
import { openState } from "../ui/passage";
import type { Reach } from "../ui/places";

/** The name under which the app's page preview knows this plugin's links. */
export const HOVER_SOURCE = "mindnet";

/** What views do in the vault: open, preview, render, copy, insert, save. */
export class VaultActions implements Reach {
  constructor(
    private readonly app: App,
    private readonly t: Translate,
  ) {}

  readonly open = (path: string, line: number, newTab: boolean): void => {
    const file = this.fileAt(path);
    if (file === null) new Notice(this.t("noticeGone", { path }));
    else void this.app.workspace.getLeaf(newTab ? "tab" : false).openFile(file, openState(file.extension, line));
  };

  preview(event: MouseEvent, targetEl: HTMLElement, path: string, line: number, hoverParent: HoverParent): void {
    this.app.workspace.trigger("hover-link", { event, source: HOVER_SOURCE, hoverParent, targetEl, linktext: path, sourcePath: "", state: { scroll: line - 1 } });
  }

  openLink(link: string, newTab: boolean): void {
    void this.app.workspace.openLinkText(link, "", newTab ? "tab" : false);
  }

  readonly render = (markdown: string, into: HTMLElement, owner: Component): Promise<void> => MarkdownRenderer.render(this.app, markdown, into, "", owner);

  readonly copy = (text: string): void => {
    void navigator.clipboard.writeText(text).then(
      () => new Notice(this.t("copied")),
      () => new Notice(this.t("notCopied")),
    );
  };

  /** Shows what went wrong, in the sidecar's words where it has any. */
  readonly complain = (cause: unknown): void => {
    new Notice(cause instanceof SidecarError ? [cause.message, cause.hint].filter(Boolean).join(" ") : String(cause));
  };

  readonly copyAnswer = (turn: Turn): void => this.copy(answerMarkdown(turn, this.linkFrom(""), this.t));

  /** Puts the answer where the cursor is in the note that was used last; it can be undone there. */
  readonly insert = (turn: Turn): void => {
    const view = this.noteInUse();
    if (view === null) return;
    view.editor.replaceSelection(answerMarkdown(turn, this.linkFrom(view.file?.path ?? ""), this.t));
    view.editor.focus();
  };

  /** Writes a link to a note where the cursor is, or a relation of this kind. */
  readonly insertLink = (path: string, kind: string | null): void => {
    const file = this.fileAt(path);
    const view = this.noteInUse();
    if (view === null || file === null) return;
    const link = this.app.fileManager.generateMarkdownLink(file, view.file?.path ?? "");
    view.editor.replaceSelection(kind === null ? link : relation(kind, link));
    view.editor.focus();
  };

  /** Writes into a note that one of its edges is of this kind, in one step that can be undone there. */
  readonly writeRelation = async (edge: EdgeOut, kind: string, kinds: Kinds): Promise<void> => {
    const path = edge.written_in;
    const editor = (await this.editorOf(path))?.editor;
    const target = this.fileAt(edge.target.path);
    const lines = editor?.getValue().split("\n") ?? [];
    const changes = relationChanges(lines, {
      edge,
      kind,
      leads: (name) => leadsThere(name, name === "" ? null : (this.app.metadataCache.getFirstLinkpathDest(name, path)?.path ?? null), edge, path),
      nameOf: (written) => kinds.nameOf(written),
      link: target === null ? `[[${edge.target.title || edge.target.note_id}]]` : this.app.fileManager.generateMarkdownLink(target, path),
      candidateHeadings: kinds.candidateHeadings,
    });
    if (editor === undefined || changes === null) {
      new Notice(this.t("notWritten", { line: edge.line }));
      if (edge.line > 0) this.open(path, edge.line, false);
      return;
    }
    editor.transaction({
      changes: changes.map(({ line, from, endLine, to, text }) => ({ from: { line, ch: from }, to: { line: endLine ?? line, ch: to }, text })),
    });
    new Notice(this.t("relationWritten", { kind }));
  };

  /** The view that shows this note, opened where none does. */
  private async editorOf(path: string): Promise<MarkdownView | null> {
    const { workspace } = this.app;
    const file = this.fileAt(path);
    const shown = workspace.getLeavesOfType("markdown").map((leaf) => leaf.view).find((view) => view instanceof MarkdownView && view.file?.path === path);
    if (shown instanceof MarkdownView) return shown;
    const recent = workspace.getMostRecentLeaf()?.view;
    if (recent instanceof MarkdownView && recent.file?.path === path) return recent;
    if (file === null) return null;
    const leaf = workspace.getLeaf(false);
    await leaf.openFile(file);
    return leaf.view instanceof MarkdownView ? leaf.view : null;
  }

  /** Writes the turns into a new note, where the user's settings put new notes, and opens it. */
  readonly save = async (turns: readonly Turn[]): Promise<void> => {
    const { fileManager, vault, workspace } = this.app;
    const folder = fileManager.getNewFileParent("").path;
    const name = noteName(turns[0]?.message ?? "", this.t("chatTitle"));
    const path = freePath(folder, name, (one) => vault.getAbstractFileByPath(one) !== null);
    try {
      const file = await vault.create(path, conversationMarkdown(turns, this.linkFrom(path), this.t));
      await workspace.getLeaf("tab").openFile(file);
      new Notice(this.t("savedAs", { path }));
    } catch (cause) {
      new Notice(this.t("notSaved", { path, cause: String(cause) }));
    }
  };

  private noteInUse(): MarkdownView | null {
    const view = this.app.workspace.getMostRecentLeaf()?.view;
    if (view instanceof MarkdownView) return view;
    new Notice(this.t("openNoteFirst"));
    return null;
  }

  private linkFrom(source: string): (place: Place, text: string) => string {
    return (place, text) => {
      const file = this.fileAt(place.path);
      if (file === null) return text;
      const heading = place.heading_path.filter((part) => part !== place.title).at(-1);
      const subpath = heading === undefined ? "" : `#${stripHeadingForLink(heading)}`;
      return this.app.fileManager.generateMarkdownLink(file, source, subpath, text);
    };
  }

  private fileAt(path: string): TFile | null {
    const file = this.app.vault.getAbstractFileByPath(path);
    return file instanceof TFile ? file : null;
  }
}
