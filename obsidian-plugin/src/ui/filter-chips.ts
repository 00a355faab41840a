import { setIcon } from "obsidian";
import type { Pick } from "../app/pick";
import type { Translate } from "../i18n";
import { DATES, FILTER_KINDS, withFilter, withoutFilter, type Filter, type FilterKind } from "../search/filters";

/** What the chips need: what there is to choose from, and a way to choose. */
export interface ChipsHost {
  t: Translate;
  pick: Pick;
  /** The values that the vault has. */
  values(kind: Exclude<FilterKind, "date">): Promise<string[]>;
}

/** Filters as chips: one press removes one, and a button for each kind adds one. */
export class FilterChips {
  filters: Filter[] = [];
  private readonly el: HTMLElement;

  constructor(
    parent: HTMLElement,
    private readonly host: ChipsHost,
    private readonly onChange: () => void,
  ) {
    this.el = parent.createDiv({ cls: "mindnet-chips", attr: { role: "group", "aria-label": host.t("filters") } });
    this.draw();
  }

  /** Takes over the filters of chips that are drawn anew. */
  restore(filters: readonly Filter[]): void {
    this.filters = [...filters];
    this.draw();
  }

  private draw(): void {
    const { t } = this.host;
    this.el.empty();
    for (const filter of this.filters) {
      const name = `${t(labelOf(filter.kind))}: ${shownValue(filter, t)}`;
      const chip = this.el.createEl("button", { cls: "mindnet-chip is-active", attr: { type: "button", "aria-label": t("removeFilter", { name }) } });
      chip.createSpan({ text: filter.kind === "date" ? shownValue(filter, t) : name });
      setIcon(chip.createSpan({ cls: "mindnet-icon", attr: { "aria-hidden": "true" } }), "x");
      chip.addEventListener("click", () => this.change(withoutFilter(this.filters, filter), filter.kind));
    }
    for (const { kind, label } of FILTER_KINDS) {
      const add = this.el.createEl("button", { cls: "mindnet-chip", attr: { type: "button", "data-kind": kind, "aria-label": t("addFilter", { name: t(label) }) } });
      setIcon(add.createSpan({ cls: "mindnet-icon", attr: { "aria-hidden": "true" } }), "plus");
      add.createSpan({ text: t(label) });
      add.addEventListener("click", () => void this.add(kind));
    }
  }

  private async add(kind: FilterKind): Promise<void> {
    const { t, pick } = this.host;
    const choices = kind === "date" ? DATES.map(({ key, label }) => ({ name: t(label), value: key })) : (await this.host.values(kind)).map((value) => ({ name: value, value }));
    const placeholder = FILTER_KINDS.find((one) => one.kind === kind)?.pick ?? "filters";
    pick(t(placeholder), choices, (value) => this.change(withFilter(this.filters, { kind, value }), kind));
  }

  private change(filters: Filter[], kind: FilterKind): void {
    this.filters = filters;
    this.draw();
    this.el.querySelector<HTMLElement>(`[data-kind="${kind}"]`)?.focus();
    this.onChange();
  }
}

function labelOf(kind: FilterKind) {
  return FILTER_KINDS.find((one) => one.kind === kind)?.label ?? "filters";
}

function shownValue({ kind, value }: Filter, t: Translate): string {
  const date = kind === "date" ? DATES.find((one) => one.key === value) : undefined;
  return date === undefined ? value : t(date.label);
}
