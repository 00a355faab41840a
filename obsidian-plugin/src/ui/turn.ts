import { Component, setIcon, type HoverParent } from "obsidian";
import { replaceCitations } from "../chat/citations";
import { isOpen, type Readings, type Turn } from "../chat/conversation";
import { faultText, isWithoutModel } from "../chat/faults";
import type { Translate } from "../i18n";
import type { SourcesEvent } from "../sidecar/wire";
import { GrowingAnswer, type RenderMarkdown } from "./answer";
import { drawDetails } from "./details";
import { drawFault } from "./fault";
import { iconButton } from "./icon-button";
import { drawCitation, followLinks, type Passage, type Reach } from "./places";
import { ReadingChips } from "./readings";
import { drawSources } from "./sources";
import { drawThumbs, type ThumbsHost } from "./thumbs";

/** What can be done with a turn, and what drawing it takes. */
export interface TurnHost {
  t: Translate;
  reach: Reach;
  render: RenderMarkdown;
  /** Who shows previews. */
  hover: HoverParent;
  feedback: ThumbsHost;
  copy(text: string): void;
  copyAnswer(turn: Turn): void;
  insert(turn: Turn): void;
  save(turn: Turn): void;
  retry(turn: Turn, readings?: Readings): void;
  onGrown(): void;
}

/** One question with its sources, its answer and what can be done with it. */
export class TurnView extends Component {
  readonly el: HTMLElement;
  private readonly before: HTMLElement;
  private readonly thinking: HTMLElement;
  private readonly wait: HTMLElement;
  private readonly after: HTMLElement;
  private readonly answer: GrowingAnswer;
  private readings: ReadingChips | null = null;
  private sources: HTMLDetailsElement | null = null;
  /** Whether the list of sources is as the user has put it. */
  private touched = false;
  private phase = "";

  constructor(
    parent: HTMLElement,
    readonly turn: Turn,
    private readonly host: TurnHost,
  ) {
    super();
    const { t } = host;
    this.el = parent.createEl("article", { cls: "mindnet-turn", attr: { "aria-label": turn.message } });
    this.el.createEl("h3", { cls: "mindnet-question", text: turn.message });
    this.before = this.el.createDiv();
    this.thinking = this.el.createEl("details", { cls: "mindnet-thinking" });
    const summary = this.thinking.createEl("summary");
    setIcon(summary.createSpan({ cls: "mindnet-icon", attr: { "aria-hidden": "true" } }), "chevron-right");
    summary.createSpan({ text: t("thinking") });
    this.thinking.createDiv({ cls: "mindnet-thinking-text" });
    this.thinking.hide();
    this.wait = this.el.createDiv({ cls: "mindnet-wait" });
    this.answer = this.addChild(new GrowingAnswer(this.el, host.render, (block) => this.cite(block), () => this.grown()));
    this.after = this.el.createDiv();
    followLinks(this.answer.el, host.reach);
  }

  override onload(): void {
    this.show();
  }

  /** Draws what has changed since the last time. */
  show(): void {
    const { turn } = this;
    const ended = !isOpen(turn);
    if (turn.found !== null && this.sources === null) this.drawFound();
    this.thinking.toggle(turn.thinking !== "");
    if (turn.thinking !== "") this.thinking.lastElementChild?.setText(turn.thinking);
    if (turn.answer !== "" && !this.touched && this.sources?.open) this.fold(false);
    this.answer.el.toggle(turn.answer !== "");
    if (turn.answer !== "" || ended) this.answer.grow(turn.answer, ended);
    this.showWait();
    if (this.phase === turn.phase) return;
    this.phase = turn.phase;
    this.el.dataset.phase = turn.phase;
    if (ended) this.drawEnd();
  }

  private drawFound(): void {
    const { found } = this.turn;
    if (found === null) return;
    if (this.readings === null) this.drawReadings(found);
    if (found.sources.length === 0) return;
    this.sources = drawSources(this.before, found, this.host);
    this.fold(true);
    this.sources.querySelector("summary")?.addEventListener("click", () => (this.touched = true));
  }

  /** What was read in the question; a press asks it again, read otherwise. */
  private drawReadings(found: SourcesEvent): void {
    const { host, turn } = this;
    const chips = new ReadingChips(this.before, host.t, () => host.retry(turn, chips.chosen));
    chips.chosen = { ...turn.readings };
    chips.show(found);
    this.readings = chips;
  }

  private fold(open: boolean): void {
    if (this.sources !== null) this.sources.open = open;
  }

  private showWait(): void {
    const { t } = this.host;
    const { turn } = this;
    const text = turn.phase === "asking" ? t("chatSearching") : turn.phase === "writing" && turn.answer === "" ? t(turn.thinking ? "chatThinking" : "chatReading") : "";
    this.wait.toggle(text !== "");
    if (this.wait.textContent !== text) this.wait.setText(text);
  }

  private drawEnd(): void {
    const { t } = this.host;
    const { turn } = this;
    this.after.empty();
    if (turn.phase === "stopped") this.after.createDiv({ cls: "mindnet-muted", text: t("chatStopped") });
    if (turn.failure !== null) {
      const fault = drawFault(this.after, faultText(turn.failure, t), t, (text) => this.host.copy(text));
      fault.setAttribute("role", "alert");
      if (this.sources !== null && isWithoutModel(turn.failure.code)) {
        fault.createDiv({ text: t("chatWithoutModel") });
        if (!this.touched) this.fold(true);
      }
    }
    for (const notice of turn.done?.notices ?? []) this.after.createDiv({ cls: "mindnet-fault", text: notice });
    this.drawActions();
  }

  private drawActions(): void {
    const { host, turn } = this;
    const { t } = host;
    const row = this.after.createDiv({ cls: "mindnet-actions" });
    if (turn.answer !== "") {
      iconButton(row, "copy", t("copyAnswer"), () => host.copyAnswer(turn));
      iconButton(row, "text-cursor-input", t("insertAnswer"), () => host.insert(turn));
      iconButton(row, "file-plus", t("saveAnswer"), () => host.save(turn));
    }
    iconButton(row, "refresh-cw", t("retry"), () => host.retry(turn));
    const { queryId } = turn;
    if (queryId !== null && turn.phase === "answered") drawThumbs(row, { queryId, nodeId: queryId, target: "answer" }, t("theAnswer"), host.feedback);
    if (turn.found === null) return;
    const pane = this.after.createDiv({ cls: "mindnet-details" });
    pane.hide();
    const intent = turn.found.intent.name;
    const button = row.createEl("button", { cls: "mindnet-why", attr: { type: "button", "aria-expanded": "false" } });
    setIcon(button.createSpan({ cls: "mindnet-icon", attr: { "aria-hidden": "true" } }), "chevron-right");
    button.createSpan({ text: t(turn.done?.context ? "detailsSaw" : "details", { intent }) });
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(open));
      if (open && !pane.hasChildNodes()) drawDetails(pane, turn, t);
      pane.toggle(open);
    });
  }

  private grown(): void {
    const { done } = this.turn;
    if (done !== null) {
      // A source that the model did not see is none of this answer, whatever number it wrote.
      const cited = new Set(done.citations.map((one) => String(one.number)));
      for (const button of this.answer.el.findAll(".mindnet-citation")) {
        if (!cited.has(button.dataset.number ?? "")) button.replaceWith(`[${button.dataset.number}]`);
      }
    }
    this.host.onGrown();
  }

  /** Numbers of sources become buttons. */
  private cite(block: HTMLElement): void {
    const { t, reach, hover } = this.host;
    const { turn } = this;
    const passages = new Map<number, Passage>((turn.found?.sources ?? []).map((one) => [one.number, one]));
    for (const one of turn.citations) passages.set(one.number, one);
    replaceCitations(block, new Set(passages.keys()), (number) => {
      const passage = passages.get(number);
      return passage === undefined ? createSpan({ text: `[${number}]` }) : drawCitation(number, passage, t, reach, hover);
    });
  }
}
