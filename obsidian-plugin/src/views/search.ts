import { ItemView, type WorkspaceLeaf } from "obsidian";
import type { Language, Translate } from "../i18n";
import type { Connection } from "../sidecar/connection";
import { SidecarError } from "../sidecar/transport";
import type { QueryAnswer } from "../sidecar/wire";
import type { Settings } from "../settings/settings";
import { drawHit } from "../ui/hit";
import type { OpenPassage } from "../ui/reasons";
import { stateSentence } from "../ui/state";
import { MODES, type Mode } from "./modes";

export const SEARCH_VIEW = "mindnet-search";

/** What the view needs of the plugin. */
export interface SearchHost {
  connection: Connection;
  settings: Settings;
  t: Translate;
  language(): Language;
  openPassage: OpenPassage;
  openSettings(): void;
}

/** The search pane: a question, how to search, the hits and why each is there. */
export class SearchView extends ItemView {
  private input!: HTMLInputElement;
  private notice!: HTMLElement;
  private count!: HTMLElement;
  private list!: HTMLElement;
  private mode: Mode;
  private asked = 0;
  private shown: string | null = null;
  private waiting = false;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly host: SearchHost,
  ) {
    super(leaf);
    this.mode = host.settings.mode;
  }

  override getViewType(): string {
    return SEARCH_VIEW;
  }

  override getDisplayText(): string {
    return this.host.t("viewTitle");
  }

  override getIcon(): string {
    return "waypoints";
  }

  override async onOpen(): Promise<void> {
    const { t } = this.host;
    this.contentEl.empty();
    this.contentEl.addClass("mindnet-search");
    const form = this.contentEl.createEl("form", { cls: "mindnet-form", attr: { role: "search" } });
    this.input = form.createEl("input", {
      type: "search",
      placeholder: t("placeholder"),
      attr: { "aria-label": t("searchLabel"), enterkeyhint: "search", spellcheck: "false" },
    });
    form.createEl("button", { cls: "mod-cta", text: t("search"), attr: { type: "submit" } });
    this.drawModes(this.contentEl);
    this.notice = this.contentEl.createDiv({ cls: "mindnet-notice", attr: { role: "status" } });
    this.count = this.contentEl.createDiv({ cls: "mindnet-count", attr: { "aria-live": "polite" } });
    this.list = this.contentEl.createEl("ol", { cls: "mindnet-hits", attr: { "aria-label": t("viewTitle") } });
    this.registerDomEvent(form, "submit", (event) => {
      event.preventDefault();
      void this.ask();
    });
    this.registerDomEvent(this.contentEl, "keydown", (event) => this.move(event));
    this.registerEvent(this.host.connection.events.on("state", () => this.onState()));
    this.registerEvent(this.host.connection.events.on("note_indexed", () => void this.refresh()));
    this.registerEvent(this.host.connection.events.on("note_removed", () => void this.refresh()));
    this.showState();
  }

  /** Puts the cursor into the question. */
  focus(): void {
    this.input.focus();
    this.input.select();
  }

  private drawModes(parent: HTMLElement): void {
    const { t } = this.host;
    const group = parent.createDiv({ cls: "mindnet-modes", attr: { role: "radiogroup", "aria-label": t("modeLabel") } });
    for (const { mode, label, hint } of MODES) {
      const field = group.createEl("label", { cls: "mindnet-mode", attr: { title: t(hint) } });
      const radio = field.createEl("input", { type: "radio", attr: { name: `mindnet-mode-${this.leaf ? "pane" : ""}` } });
      radio.checked = mode === this.mode;
      field.createSpan({ text: t(label) });
      this.registerDomEvent(radio, "change", () => {
        this.mode = mode;
        void this.ask();
      });
    }
  }

  /** Asks the question in the field; of several questions on their way only the last one's answer is shown. */
  private async ask(): Promise<void> {
    const question = this.input.value.trim();
    if (!question) {
      this.shown = null;
      this.list.empty();
      this.count.empty();
      this.showState();
      return;
    }
    const turn = ++this.asked;
    this.waiting = false;
    this.count.setText(this.host.t("searching"));
    try {
      const answer = await this.host.connection.query({
        query: question,
        mode: this.mode,
        top_k: this.host.settings.topK,
        explain: true,
        language: this.host.settings.language === "auto" ? null : this.host.language(),
      });
      if (turn === this.asked) this.show(question, answer);
    } catch (cause) {
      if (turn === this.asked) this.fail(cause);
    }
  }

  /** The notes have changed: asks the question on show again, where nothing is opened that would be lost. */
  private async refresh(): Promise<void> {
    if (this.shown !== null && this.shown === this.input.value.trim() && !this.list.querySelector("[aria-expanded=true]")) await this.ask();
  }

  private show(question: string, answer: QueryAnswer): void {
    const { t } = this.host;
    this.shown = question;
    this.list.empty();
    const { length } = answer.hits;
    this.count.setText(length === 0 ? t("noHits") : length === 1 ? t("oneHit") : t("hits", { count: length }));
    for (const hit of answer.hits) drawHit(this.list, hit, t, this.host.openPassage);
    this.showState();
  }

  /** A question that found nobody is asked again as soon as somebody is there. */
  private onState(): void {
    this.showState();
    if (this.waiting && this.host.connection.state.kind === "ready") void this.ask();
  }

  private fail(cause: unknown): void {
    this.list.empty();
    this.waiting = cause instanceof SidecarError && cause.kind !== "failed";
    if (cause instanceof SidecarError && cause.kind === "failed") {
      this.count.setText([cause.message, cause.hint].filter(Boolean).join(" "));
    } else {
      this.count.setText(this.host.t(cause instanceof SidecarError && cause.kind === "refused" ? "stateRefused" : "stateAbsent"));
    }
  }

  private showState(): void {
    const { t, connection } = this.host;
    const sentence = stateSentence(connection.state, t);
    this.notice.empty();
    const text = sentence ?? (this.shown === null ? t("empty") : "");
    this.notice.toggle(text !== "");
    this.notice.toggleClass("mindnet-warning", sentence !== null && connection.state.kind !== "ready");
    this.notice.createSpan({ text });
    if (connection.state.kind === "absent" || connection.state.kind === "refused") {
      const button = this.notice.createEl("button", { text: t("openSettings"), attr: { type: "button" } });
      button.addEventListener("click", () => this.host.openSettings());
    }
  }

  /** Arrow keys go from the question to the hits and back. */
  private move(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops: HTMLElement[] = [this.input, ...Array.from(this.list.querySelectorAll<HTMLElement>(".mindnet-hit-open"))];
    const active = this.contentEl.doc.activeElement;
    const within = active === null ? -1 : stops.findIndex((stop) => stop === active || stop.parentElement?.contains(active) === true && stop !== this.input);
    const next = stops[within + (event.key === "ArrowDown" ? 1 : -1)];
    if (within < 0 || next === undefined) return;
    event.preventDefault();
    next.focus();
  }
}
