import { setIcon } from "obsidian";
import type { Translate } from "../i18n";
import type { Readings } from "../chat/conversation";
import type { QueryAnswer } from "../sidecar/wire";
import { drawMarked } from "./reasons";

/** A chip: what it says, whether what it names is in force, and what a press asks for instead. */
interface Chip {
  text: string;
  said: string;
  active: boolean;
  press: Readings;
}

/** What was read in the question, as chips: one press takes it off, or insists on it. */
export class ReadingChips {
  /** Holds for one question; the next is read afresh. */
  chosen: Readings = {};
  private readonly el: HTMLElement;

  constructor(
    parent: HTMLElement,
    private readonly t: Translate,
    private readonly onChange: () => void,
  ) {
    this.el = parent.createDiv({ cls: "mindnet-readings", attr: { role: "group", "aria-label": t("readings") } });
    this.el.hide();
  }

  clear(): void {
    this.chosen = {};
    this.el.empty();
    this.el.hide();
  }

  show(answer: Pick<QueryAnswer, "phrases" | "dates"> & Partial<Pick<QueryAnswer, "left_out">>): void {
    const focused = this.el.contains(this.el.doc.activeElement);
    this.el.empty();
    const chips = [...this.phrases(answer), ...this.dates(answer)];
    const notes = answer.dates.filter(({ outcome }) => outcome === "empty" || outcome === "second");
    const leftOut = answer.left_out ?? null;
    this.el.toggle(chips.length + notes.length > 0 || leftOut !== null);
    if (leftOut !== null) this.el.createDiv({ cls: "mindnet-muted", text: this.t("leftOut", { reason: leftOut }) });
    const row = this.el.createDiv({ cls: "mindnet-chips" });
    for (const chip of chips) this.draw(row, chip);
    for (const { said } of notes) drawMarked(this.el.createDiv({ cls: "mindnet-muted" }), said);
    if (focused) row.querySelector("button")?.focus();
  }

  private phrases({ phrases }: Pick<QueryAnswer, "phrases">): Chip[] {
    if (this.chosen.phrases === "ignore") return [{ text: this.t("readPhrases"), said: "", active: false, press: { phrases: "auto" } }];
    return phrases.map(({ text, notes, said }) => ({
      text: `“${text}”`,
      said,
      active: notes !== null,
      press: { phrases: notes === null ? "require" : "ignore" },
    }));
  }

  private dates({ dates }: Pick<QueryAnswer, "dates">): Chip[] {
    if (this.chosen.dates === "ignore") return [{ text: this.t("readDates"), said: "", active: false, press: { dates: "auto" } }];
    return dates
      .filter(({ outcome }) => outcome !== "empty" && outcome !== "second")
      .map(({ text, from, to, outcome, said }) => ({
        text: `${text}: ${days(from, to)}`,
        said,
        active: outcome === "applied",
        press: { dates: outcome === "applied" ? "ignore" : "apply" },
      }));
  }

  private draw(row: HTMLElement, { text, said, active, press }: Chip): void {
    const name = said === "" ? text : `${text}. ${said.replace(/\*/g, "")}`;
    const chip = row.createEl("button", {
      cls: active ? "mindnet-chip is-active" : "mindnet-chip",
      attr: { type: "button", title: said.replace(/\*/g, ""), "aria-label": this.t(active ? "removeFilter" : "addFilter", { name }) },
    });
    const icon = () => setIcon(chip.createSpan({ cls: "mindnet-icon", attr: { "aria-hidden": "true" } }), active ? "x" : "plus");
    if (!active) icon();
    chip.createSpan({ text });
    if (active) icon();
    chip.addEventListener("click", () => {
      this.chosen = { ...this.chosen, ...press };
      this.onChange();
    });
  }
}

function days(from: string, to: string | null): string {
  return to === from ? from : `${from} – ${to ?? ""}`.trim();
}
