import { Component, type HoverPopover } from "obsidian";
import type { Choice, Pick } from "../app/pick";
import type { Language, Translate } from "../i18n";
import { asRequest, type FilterKind } from "../search/filters";
import type { Connection } from "../sidecar/connection";
import { SidecarError } from "../sidecar/transport";
import type { QueryAnswer, QueryRequest } from "../sidecar/wire";
import type { Settings } from "../settings/settings";
import type { RenderMarkdown } from "../ui/answer";
import { FilterChips } from "../ui/filter-chips";
import type { Reach } from "../ui/places";
import { ReadingChips } from "../ui/readings";
import { drawWayOut, isOnItsWay, stateSentence, type WayOut } from "../ui/state";
import type { ThumbsHost } from "../ui/thumbs";
import { drawWhyNot } from "../ui/why-not";
import { HitList } from "./hit-list";
import { MODES, type Mode } from "./modes";

/** A burst of changed notes asks the question on show again once, so long after the last of them (ms). */
const REFRESH_DELAY = 250;

let lastPanel = 0;

/** What the search needs of the plugin. */
export interface SearchHost extends WayOut {
  connection: Connection;
  settings: Settings;
  t: Translate;
  language(): Language;
  reach: Reach;
  render: RenderMarkdown;
  pick: Pick;
  feedback: ThumbsHost;
  values(kind: Exclude<FilterKind, "date">): Promise<string[]>;
  /** Every note, by its path. */
  notes(): Choice<string>[];
}

/** The search, in a pane or a window: a question, how to search and where, the hits and why each is there. */
export class SearchPanel extends Component {
  hoverPopover: HoverPopover | null = null;
  private input!: HTMLInputElement;
  private chips!: FilterChips;
  private readings!: ReadingChips;
  private notice!: HTMLElement;
  private count!: HTMLElement;
  private hits!: HitList;
  private missing!: HTMLElement;
  private mode: Mode;
  /** Of several questions on their way only the last one's answer is shown. */
  private asked = 0;
  private shown: string | null = null;
  private waiting = false;
  private judging = false;
  private refreshTimer = 0;
  private readonly number = ++lastPanel;

  constructor(
    private readonly el: HTMLElement,
    private readonly host: SearchHost,
  ) {
    super();
    this.mode = host.settings.mode;
  }

  override onload(): void {
    const { events } = this.host.connection;
    this.draw();
    this.registerDomEvent(this.el, "keydown", (event) => this.move(event));
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
    const { filters } = this.chips;
    const { chosen } = this.readings;
    this.draw();
    this.readings.chosen = chosen;
    this.input.value = question;
    this.chips.restore(filters);
    if (this.shown !== null || this.waiting) void this.ask();
  }

  private draw(): void {
    const { t } = this.host;
    if (this.hits !== undefined) this.removeChild(this.hits);
    this.el.empty();
    this.el.addClass("mindnet-search");
    const form = this.el.createEl("form", { cls: "mindnet-form", attr: { role: "search" } });
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
    this.drawModes(this.el);
    this.chips = new FilterChips(this.el, this.host, () => void this.ask());
    this.readings = new ReadingChips(this.el, t, () => void this.ask());
    this.notice = this.el.createDiv({ cls: "mindnet-notice", attr: { role: "status" } });
    this.count = this.el.createDiv({ cls: "mindnet-count", attr: { "aria-live": "polite" } });
    this.hits = this.addChild(new HitList(this.el, { ...this.host, hover: this }));
    this.missing = this.el.createDiv({ cls: "mindnet-why-not" });
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

  // ------------------------------------------------------------ asking
  private request(query: string): Partial<QueryRequest> & { query: string } {
    const { settings } = this.host;
    const filters = asRequest(this.chips.filters, new Date());
    return {
      query,
      mode: this.mode,
      top_k: settings.topK,
      explain: true,
      language: this.host.language(),
      include_private: settings.includePrivate,
      ...(this.chips.filters.length === 0 ? {} : { filters }),
      ...this.readings.chosen,
    };
  }

  /** Asks the question in the field. */
  private async ask(): Promise<void> {
    const question = this.input.value.trim();
    const turn = ++this.asked;
    this.waiting = false;
    if (question !== this.shown) this.readings.clear();
    if (!question) {
      this.shown = null;
      this.hits.clear();
      this.missing.empty();
      this.count.empty();
      this.showState();
      return;
    }
    if (question !== this.shown) this.count.setText(this.host.t("searching"));
    try {
      const answer = await this.host.connection.query(this.request(question));
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
    const same = question === this.shown;
    this.hits.show(answer, same);
    this.readings.show(answer);
    this.shown = question;
    const { length } = answer.hits;
    this.count.setText(length === 0 ? t("noHits") : length === 1 ? t("oneHit") : t("hits", { count: length }));
    if (!same || !this.missing.hasChildNodes()) this.drawMissing(question);
    this.showState();
  }

  /** A note that is looked for in vain can be asked about. */
  private drawMissing(question: string): void {
    const { t, pick, connection } = this.host;
    this.missing.empty();
    const button = this.missing.createEl("button", { cls: "mindnet-link", text: t("whyNot"), attr: { type: "button" } });
    const answer = this.missing.createDiv();
    button.addEventListener("click", () =>
      pick(t("whyNotPick"), this.host.notes(), (path) => {
        void connection.query({ ...this.request(question), explain: false, why_not: [path] }).then(
          ({ why_not: found }) => {
            answer.empty();
            for (const one of found) drawWhyNot(answer, one, t);
            button.focus();
          },
          (cause: unknown) => this.fail(cause),
        );
      }),
    );
  }

  /** A question that found nobody is asked again as soon as somebody is there. */
  private onState(): void {
    this.showState();
    if (this.host.connection.state.kind !== "ready") return;
    // Where feedback is not taken any more, no thumb asks for it.
    const judging = this.host.feedback.enabled();
    const isOther = judging !== this.judging;
    this.judging = judging;
    if (this.waiting || (isOther && this.shown !== null)) void this.ask();
  }

  private fail(cause: unknown): void {
    this.hits.clear();
    this.readings.clear();
    this.missing.empty();
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
    this.notice.toggleClass("mindnet-warning", sentence !== null && kind !== "ready" && !isOnItsWay(connection.state));
    if (this.notice.querySelector("span")?.textContent === text) return;
    this.notice.empty();
    this.notice.createSpan({ text });
    drawWayOut(this.notice, kind, this.host);
  }

  /** Arrow keys go from the question to the hits and back. */
  private move(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const active = this.el.doc.activeElement;
    const within = active === this.input ? -1 : this.hits.indexOf(active);
    if (within === null) return;
    const next = within + (event.key === "ArrowDown" ? 1 : -1);
    if (next < -1 || next >= this.hits.length) return;
    event.preventDefault();
    if (next === -1) this.focus();
    else this.hits.focus(next);
  }
}
