import { ItemView, type WorkspaceLeaf } from "obsidian";
import type { Language, Translate } from "../i18n";
import type { Connection } from "../sidecar/connection";
import { SidecarError } from "../sidecar/transport";
import type { QueryAnswer } from "../sidecar/wire";
import type { Settings } from "../settings/settings";
import type { OpenPassage } from "../ui/reasons";
import { stateSentence } from "../ui/state";
import { HitList } from "./hit-list";
import { MODES, type Mode } from "./modes";

export const SEARCH_VIEW = "mindnet-search";

/** A burst of changed notes asks the question on show again once, so long after the last of them (ms). */
const REFRESH_DELAY = 250;

let lastView = 0;

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
  private hits!: HitList;
  private mode: Mode;
  /** Of several questions on their way only the last one's answer is shown. */
  private asked = 0;
  private shown: string | null = null;
  private waiting = false;
  private refreshTimer = 0;
  private readonly number = ++lastView;

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
    const { events } = this.host.connection;
    this.draw();
    this.registerDomEvent(this.contentEl, "keydown", (event) => this.move(event));
    this.registerEvent(events.on("state", () => this.onState()));
    this.registerEvent(events.on("note_indexed", () => this.refreshSoon()));
    this.registerEvent(events.on("note_removed", () => this.refreshSoon()));
    this.registerEvent(events.on("index_switched", () => this.refreshSoon()));
    this.register(() => window.clearTimeout(this.refreshTimer));
  }

  /** Puts the cursor into the question. */
  focus(): void {
    this.input.focus();
    this.input.select();
  }

  /** Draws all anew, in the language in force, and asks the question on show again. */
  redraw(): void {
    const question = this.input.value;
    this.draw();
    this.input.value = question;
    if (this.shown !== null || this.waiting) void this.ask();
  }

  private draw(): void {
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
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.ask();
    });
    this.drawModes(this.contentEl);
    this.notice = this.contentEl.createDiv({ cls: "mindnet-notice", attr: { role: "status" } });
    this.count = this.contentEl.createDiv({ cls: "mindnet-count", attr: { "aria-live": "polite" } });
    this.hits = new HitList(this.contentEl, t, this.host.openPassage);
    this.showState();
  }

  private drawModes(parent: HTMLElement): void {
    const { t } = this.host;
    const group = parent.createDiv({ cls: "mindnet-modes", attr: { role: "radiogroup", "aria-label": t("modeLabel") } });
    for (const { mode, label, hint } of MODES) {
      const field = group.createEl("label", { cls: "mindnet-mode", attr: { title: t(hint) } });
      const radio = field.createEl("input", { type: "radio", attr: { name: `mindnet-mode-${this.number}` } });
      radio.checked = mode === this.mode;
      field.createSpan({ text: t(label) });
      radio.addEventListener("change", () => {
        this.mode = mode;
        void this.ask();
      });
    }
  }

  /** Asks the question in the field. */
  private async ask(): Promise<void> {
    const question = this.input.value.trim();
    const turn = ++this.asked;
    this.waiting = false;
    if (!question) {
      this.shown = null;
      this.hits.clear();
      this.count.empty();
      this.showState();
      return;
    }
    if (question !== this.shown) this.count.setText(this.host.t("searching"));
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

  private refreshSoon(): void {
    window.clearTimeout(this.refreshTimer);
    this.refreshTimer = window.setTimeout(() => {
      if (this.shown !== null && this.shown === this.input.value.trim()) void this.ask();
    }, REFRESH_DELAY);
  }

  private show(question: string, answer: QueryAnswer): void {
    const { t } = this.host;
    this.hits.show(answer.hits, question === this.shown);
    this.shown = question;
    const { length } = answer.hits;
    this.count.setText(length === 0 ? t("noHits") : length === 1 ? t("oneHit") : t("hits", { count: length }));
    this.showState();
  }

  /** A question that found nobody is asked again as soon as somebody is there. */
  private onState(): void {
    this.showState();
    if (this.waiting && this.host.connection.state.kind === "ready") void this.ask();
  }

  private fail(cause: unknown): void {
    this.hits.clear();
    this.shown = null;
    this.waiting = !(cause instanceof SidecarError && cause.kind === "failed");
    // Where nobody answers, the notice says what to do: the sentence stands there once.
    const said = this.waiting && this.host.connection.state.kind !== "ready";
    const message = cause instanceof SidecarError && cause.kind === "failed" ? [cause.message, cause.hint].filter(Boolean).join(" ") : "";
    this.count.setText(said ? "" : message || this.host.t(cause instanceof SidecarError && cause.kind === "refused" ? "stateRefused" : "stateAbsent"));
    this.showState();
  }

  private showState(): void {
    const { t, connection } = this.host;
    const { kind } = connection.state;
    const sentence = stateSentence(connection.state, t);
    const text = sentence ?? (this.shown === null && !this.count.textContent ? t("empty") : "");
    this.notice.toggle(text !== "");
    this.notice.toggleClass("mindnet-warning", sentence !== null && kind !== "ready" && kind !== "connecting");
    if (this.notice.querySelector("span")?.textContent === text) return;
    this.notice.empty();
    this.notice.createSpan({ text });
    if (kind === "absent" || kind === "refused" || kind === "mobile") {
      const button = this.notice.createEl("button", { text: t("openSettings"), attr: { type: "button" } });
      button.addEventListener("click", () => this.host.openSettings());
    }
  }

  /** Arrow keys go from the question to the hits and back. */
  private move(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const active = this.contentEl.doc.activeElement;
    const within = active === this.input ? -1 : this.hits.indexOf(active);
    if (within === null) return;
    const next = within + (event.key === "ArrowDown" ? 1 : -1);
    if (next < -1 || next >= this.hits.length) return;
    event.preventDefault();
    if (next === -1) this.focus();
    else this.hits.focus(next);
  }
}
