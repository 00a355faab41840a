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

const FACTOR_TEXTS: Record<string, TextKey> = { type: "factorType", status: "factorStatus" };

/** A part's share of the bar in per cent; parts without points have none. */
export function shares(parts: readonly ContributionOut[]): { part: ContributionOut["part"]; percent: number }[] {
  const positive = parts.filter((part) => part.points > 0);
  const total = positive.reduce((sum, part) => sum + part.points, 0);
  return positive.map((part) => ({ part: part.part, percent: (100 * part.points) / total }));
}

/**
 * The points rounded so that they add up to the rounded total, as a reader would add them: those
 * that lose the most by being cut are rounded up (the method of the largest remainder).
 */
export function roundedPoints(points: readonly number[], total: number, digits: number): number[] {
  const unit = 10 ** digits;
  const units = points.map((one) => Math.floor(one * unit));
  let missing = Math.round(total * unit) - units.reduce((sum, one) => sum + one, 0);
  const byRemainder = points.map((one, index) => ({ index, rest: one * unit - Math.floor(one * unit) })).sort((a, b) => b.rest - a.rest);
  for (const { index } of byRemainder) {
    if (missing <= 0) break;
    units[index] = (units[index] ?? 0) + 1;
    missing -= 1;
  }
  return units.map((one) => one / unit);
}

/** The stacked bar: one segment a part, as wide as its share. */
export function drawScoreBar(parent: HTMLElement, parts: readonly ContributionOut[], digits: number, t: Translate): HTMLElement {
  const label = parts.map((part) => `${t(PART_NAMES[part.part])} ${t.decimal(part.points, digits)}`).join("; ");
  const bar = parent.createDiv({ cls: "mindnet-bar", attr: { role: "img", "aria-label": label } });
  for (const { part, percent } of shares(parts)) {
    const segment = bar.createDiv({ cls: "mindnet-bar-segment", attr: { "data-part": part } });
    segment.setCssProps({ "--mindnet-share": `${percent.toFixed(2)}%` });
  }
  return bar;
}

/** The rows below the bar: name, how it comes about, points; and the total, which the points add up to. */
export function drawScoreRows(parent: HTMLElement, parts: readonly ContributionOut[], total: number, digits: number, t: Translate): HTMLElement {
  const table = parent.createEl("table", { cls: "mindnet-parts", attr: { "aria-label": t("whyParts") } });
  const body = table.createEl("tbody");
  const points = roundedPoints(parts.map((part) => part.points), total, digits);
  for (const [index, part] of parts.entries()) {
    const row = body.createEl("tr", { attr: { "data-part": part.part } });
    const name = row.createEl("th", { attr: { scope: "row" } });
    name.createSpan({ cls: "mindnet-key", attr: { "data-part": part.part, "aria-hidden": "true" } });
    name.appendText(t(PART_NAMES[part.part]));
    row.createEl("td", { cls: "mindnet-formula", text: formula(part, t) });
    row.createEl("td", { cls: "mindnet-points", text: t.decimal(points[index] ?? 0, digits) });
  }
  const row = body.createEl("tr", { cls: "mindnet-total" });
  row.createEl("th", { text: t("total"), attr: { scope: "row" } });
  row.createEl("td");
  row.createEl("td", { cls: "mindnet-points", text: t.decimal(total, digits) });
  return table;
}

/** `weight × raw`, and the factors that change something: what the points of the row are the product of. */
export function formula(part: ContributionOut, t: Translate): string {
  const product = t("formula", { weight: t.decimal(part.weight, 2), raw: t.decimal(part.raw, 3) });
  const factors = Object.entries(part.factors)
    .filter(([, value]) => value !== 1)
    .map(([name, value]) => {
      const key = FACTOR_TEXTS[name];
      const shown = t.decimal(value, 2);
      return key ? t(key, { value: shown }) : `× ${shown} (${name})`;
    });
  return [product, ...factors, "="].join(" ");
}
