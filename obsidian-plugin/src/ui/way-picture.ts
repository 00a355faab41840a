import type { Translate } from "../i18n";
import type { ReasonOut, WayStepOut } from "../sidecar/wire";

/** A stop of a way: a note, and the edge that leads on from it; the last one is the hit itself. */
interface Stop {
  title: string;
  edge: WayStepOut | null;
}

const ROW = 40;
const TOP = 12;
const X = 10;
const RADIUS = 5;
const TEXT = 26;
const ARROW = 4;
const LONGEST_TITLE = 44;

/** The ways through the graph that reasons speak of: each once, the strongest first. */
export function waysOf(reasons: readonly ReasonOut[]): (readonly WayStepOut[])[] {
  const seen = new Set<string>();
  return reasons.flatMap(({ way }) => {
    const key = way.map(({ note_id: from, kind, direction }) => `${from} ${kind} ${direction}`).join("\n");
    if (way.length === 0 || seen.has(key)) return [];
    seen.add(key);
    return [way];
  });
}

/** The ways from notes that were found by themselves to this hit, each a small picture, with the same in words. */
export function drawWays(parent: HTMLElement, reasons: readonly ReasonOut[], hit: string, t: Translate): void {
  const ways = waysOf(reasons);
  if (ways.length === 0) return;
  parent.createEl("h4", { text: t("whyWays") });
  const list = parent.createDiv({ cls: "mindnet-ways" });
  for (const way of ways) drawWay(list, [...way.map((edge) => ({ title: edge.title, edge })), { title: hit, edge: null }]);
}

/** A way in words: `A → uses → B`, with arrows to the left where an edge is followed backwards. */
export function wayText(stops: readonly Stop[]): string {
  return stops.map(({ title, edge }) => (edge === null ? title : `${title} ${arrow(edge)} ${edge.kind} ${arrow(edge)} `)).join("");
}

function arrow({ direction }: WayStepOut): string {
  return direction === "out" ? "→" : "←";
}

function drawWay(parent: HTMLElement, stops: readonly Stop[]): void {
  const height = TOP * 2 + ROW * (stops.length - 1);
  const svg = parent.createSvg("svg", { cls: "mindnet-way", attr: { role: "img", "aria-label": wayText(stops), height, width: "100%" } });
  stops.forEach(({ title, edge }, index) => {
    const y = TOP + index * ROW;
    if (edge !== null) drawEdge(svg, edge, y);
    const place = index === 0 ? "seed" : edge === null ? "hit" : "between";
    svg.createSvg("circle", { cls: "mindnet-way-stop", attr: { cx: X, cy: y, r: RADIUS, "data-place": place } });
    if (place === "hit") svg.createSvg("circle", { cls: "mindnet-way-dot", attr: { cx: X, cy: y, r: 2 } });
    const text = svg.createSvg("text", { cls: "mindnet-way-title", attr: { x: TEXT, y: y + 4 } });
    text.textContent = shortened(title);
  });
}

/** A line between two stops, with its arrowhead at the end that the edge leads to. */
function drawEdge(svg: SVGElement, { kind, direction, provenance }: WayStepOut, y: number): void {
  const from = y + RADIUS;
  const to = y + ROW - RADIUS;
  svg.createSvg("line", { cls: "mindnet-way-edge", attr: { x1: X, y1: from, x2: X, y2: to, "data-provenance": provenance } });
  const tip = direction === "out" ? to : from;
  const back = direction === "out" ? tip - ARROW * 1.6 : tip + ARROW * 1.6;
  svg.createSvg("path", { cls: "mindnet-way-arrow", attr: { d: `M ${X} ${tip} L ${X - ARROW} ${back} L ${X + ARROW} ${back} Z` } });
  const text = svg.createSvg("text", { cls: "mindnet-way-kind", attr: { x: TEXT, y: y + ROW / 2 + 4 } });
  text.textContent = kind;
}

function shortened(title: string): string {
  const letters = Array.from(title);
  return letters.length <= LONGEST_TITLE ? title : `${letters.slice(0, LONGEST_TITLE - 1).join("")}…`;
}
