import type { TextKey, Translate } from "../i18n";
import type { ContributionOut } from "../sidecar/wire";

/** Each part's name; its colour and pattern are in the style sheet, by `data-part`. */
export const PART_NAMES: Record<ContributionOut["part"], TextKey> = {
  semantic: "partSemantic",
  lexical: "partLexical",
  links: "partLinks",
  edge: "partEdge",
  centrality: "partCentrality",
  recency: "partRecency",
};

/** A part's share of the bar in per cent; parts without points have none. */
export function shares(parts: readonly ContributionOut[]): { part: ContributionOut["part"]; percent: number }[] {
  const positive = parts.filter((part) => part.points > 0);
  const total = positive.reduce((sum, part) => sum + part.points, 0);
  return positive.map((part) => ({ part: part.part, percent: (100 * part.points) / total }));
}

/** The stacked bar: one segment a part, as wide as its share. */
export function drawScoreBar(parent: HTMLElement, parts: readonly ContributionOut[], t: Translate): HTMLElement {
  const label = parts.map((part) => `${t(PART_NAMES[part.part])} ${part.points.toFixed(3)}`).join(", ");
  const bar = parent.createDiv({ cls: "mindnet-bar", attr: { role: "img", "aria-label": label } });
  for (const { part, percent } of shares(parts)) {
    const segment = bar.createDiv({ cls: "mindnet-bar-segment", attr: { "data-part": part } });
    segment.setCssProps({ "--mindnet-share": `${percent.toFixed(2)}%` });
  }
  return bar;
}

/** The rows below the bar: name, how it comes about, points; and the total. */
export function drawScoreRows(parent: HTMLElement, parts: readonly ContributionOut[], total: number, t: Translate): HTMLElement {
  const table = parent.createEl("table", { cls: "mindnet-parts", attr: { "aria-label": t("whyParts") } });
  const body = table.createEl("tbody");
  for (const part of parts) {
    const row = body.createEl("tr", { attr: { "data-part": part.part } });
    const name = row.createEl("th", { attr: { scope: "row" } });
    name.createSpan({ cls: "mindnet-key", attr: { "data-part": part.part, "aria-hidden": "true" } });
    name.appendText(t(PART_NAMES[part.part]));
    row.createEl("td", { cls: "mindnet-formula", text: formula(part, t) });
    row.createEl("td", { cls: "mindnet-points", text: part.points.toFixed(3) });
  }
  const row = body.createEl("tr", { cls: "mindnet-total" });
  row.createEl("th", { text: t("total"), attr: { scope: "row" } });
  row.createEl("td");
  row.createEl("td", { cls: "mindnet-points", text: total.toFixed(3) });
  return table;
}

function formula(part: ContributionOut, t: Translate): string {
  const factors = Object.entries(part.factors)
    .filter(([, value]) => value !== 1)
    .map(([name, value]) => t(name === "type" ? "factorType" : "factorStatus", { value: round(value) }));
  return [t("formula", { weight: round(part.weight), raw: part.raw.toFixed(3) }), ...factors].join(" · ");
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
