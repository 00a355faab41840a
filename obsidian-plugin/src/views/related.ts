import { ItemView, type HoverPopover, type TFile, type WorkspaceLeaf } from "obsidian";
import type { Pick } from "../app/pick";
import type { Translate } from "../i18n";
import { Following, type RelatedState } from "../related/following";
import type { Connection } from "../sidecar/connection";
import { SidecarError } from "../sidecar/transport";
import type { Settings } from "../settings/settings";
import type { Reach } from "../ui/places";
import { drawRelated } from "../ui/related-note";
import { stateSentence } from "../ui/state";

export const RELATED_VIEW = "mindnet-related";

/** A burst of changed notes is asked about once, so long after the last of them (ms). */
const REFRESH_DELAY = 400;

/** What the view needs of the plugin. */
export interface RelatedViewHost {
  connection: Connection;
  settings: Settings;
  t: Translate;
  language(): "de" | "en";
  reach: Reach;
  pick: Pick;
  /** The kinds that may be written. */
  kinds(): readonly string[];
  insertLink(path: string, kind: string | null): void;
}

/** The notes that are near the one that is being worked on, whether a link to them is written or not. */
export class RelatedView extends ItemView {
  hoverPopover: HoverPopover | null = null;
  private readonly following: Following;
  private hideLinked = false;
  private refreshTimer = 0;
  private shown = "";

  constructor(
    leaf: WorkspaceLeaf,
    private readonly host: RelatedViewHost,
  ) {
    super(leaf);
    const { connection, settings } = host;
    this.following = new Following(
      (path) => connection.related(path, { topK: settings.topK, language: host.language(), includePrivate: settings.includePrivate }),
      (state) => this.draw(state),
    );
  }

  override getViewType(): string {
    return RELATED_VIEW;
  }

  override getDisplayText(): string {
    return this.host.t("relatedTitle");
  }

  override getIcon(): string {
    return "git-compare-arrows";
  }

  override async onOpen(): Promise<void> {
    const { events } = this.host.connection;
    const { workspace } = this.app;
    this.contentEl.addClass("mindnet-search", "mindnet-related");
    this.draw(this.following.state);
    this.registerEvent(workspace.on("file-open", (file) => void this.turnTo(file)));
    this.registerEvent(this.app.vault.on("rename", (file, from) => this.following.renamed(from, file.path)));
    for (const name of ["note_indexed", "note_removed", "index_switched"]) this.registerEvent(events.on(name, () => this.refreshSoon()));
    this.registerEvent(events.on("state", () => this.onState()));
    this.register(() => window.clearTimeout(this.refreshTimer));
    await this.turnTo(workspace.getActiveFile());
  }

  focus(): void {
    this.contentEl.querySelector<HTMLElement>("button, input")?.focus();
  }

  /** Turns to a note that need not be the one on show. */
  show(path: string): void {
    void this.following.turnTo(path);
  }

  redraw(): void {
    void this.following.again();
  }

  private async turnTo(file: TFile | null): Promise<void> {
    // A pane that is clicked into is no other note: what was on show stays.
    if (file !== null) await this.following.turnTo(file.extension === "md" ? file.path : null);
  }

  private refreshSoon(): void {
    window.clearTimeout(this.refreshTimer);
    this.refreshTimer = window.setTimeout(() => void this.following.again(), REFRESH_DELAY);
  }

  private onState(): void {
    const { state } = this.following;
    if (state.kind === "failed" && this.host.connection.state.kind === "ready") this.refreshSoon();
    else if (state.kind !== "found") this.draw(state);
  }

  // ------------------------------------------------------------ drawing
  private draw(state: RelatedState): void {
    const { t } = this.host;
    const text = JSON.stringify(state.kind === "found" ? [state.answer, this.hideLinked, t("relatedTitle")] : [state.kind, this.sentence(state)]);
    if (text === this.shown) return;
    this.shown = text;
    this.contentEl.empty();
    if (state.kind !== "found") {
      this.contentEl.createDiv({ cls: "mindnet-notice", text: this.sentence(state), attr: { role: "status" } });
      return;
    }
    const { answer } = state;
    const head = this.contentEl.createDiv({ cls: "mindnet-related-head" });
    head.createDiv({ cls: "mindnet-count", text: t("relatedTo", { title: answer.title }), attr: { "aria-live": "polite" } });
    const field = head.createEl("label", { cls: "mindnet-count" });
    const box = field.createEl("input", { type: "checkbox" });
    box.checked = this.hideLinked;
    field.appendText(` ${t("hideLinked")}`);
    box.addEventListener("change", () => {
      this.hideLinked = box.checked;
      this.draw(state);
      this.contentEl.querySelector<HTMLElement>("input[type=checkbox]")?.focus();
    });
    const list = this.contentEl.createEl("ol", { cls: "mindnet-hits", attr: { "aria-label": t("relatedTitle") } });
    const notes = answer.related.filter((note) => !(this.hideLinked && note.linked));
    for (const note of notes) {
      drawRelated(list, note, {
        t,
        reach: this.host.reach,
        hover: this,
        insertLink: (path) => this.host.insertLink(path, null),
        insertRelation: (path) => this.host.pick(t("pickKind"), this.host.kinds().map((kind) => ({ name: kind, value: kind })), (kind) => this.host.insertLink(path, kind)),
      });
    }
    if (notes.length === 0) this.contentEl.createEl("p", { cls: "mindnet-muted", text: t("noRelated") });
  }

  private sentence(state: RelatedState): string {
    const { t, connection } = this.host;
    const waiting = stateSentence(connection.state, t);
    if (connection.state.kind !== "ready" && waiting !== null) return waiting;
    if (state.kind === "none") return t("relatedNone");
    if (state.kind === "looking") return t("searching");
    const cause = state.kind === "failed" ? state.cause : null;
    if (cause instanceof SidecarError && cause.code === "not_found") return t("relatedUnknown");
    return cause instanceof SidecarError ? [cause.message, cause.hint].filter(Boolean).join(" ") : String(cause);
  }
}
