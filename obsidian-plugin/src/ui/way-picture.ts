import type { Translate } from "../i18n";
import type { ReasonOut, WayStepOut } from "../sidecar/wire";

/** A stop of a way: a note, and the edge that leads on from it; the last one is the hit itself. */
interface Stop {
  title: string;
  edge: Step | null;
}

const ROW = 40;
const TOP = 12;
const X = 10;
const RADIUS = 5;
const TEXT = 26;
const ARROW = 4;
/** A letter is no wider than this (px), as a rule. */
const LETTER = 7.4;
const FEWEST_LETTERS = 12;
/** So many letters fit where it is not known how wide the picture is. */
const LETTERS = 44;

/** One step: the note that it starts from, and every kind of edge that leads on from there the same way. */
interface Step extends Pick<WayStepOut, "title" | "direction" | "provenance"> {
  kinds: string[];
}

/** The ways through the graph that reasons speak of, the strongest first: each once, however many edges it has. */
export function waysOf(reasons: readonly ReasonOut[]): Step[][] {
  const ways = new Map<string, Step[]>();
  for (const { way } of reasons) {
    if (way.length === 0) continue;
    const key = way.map(({ note_id: from, direction }) => `${from} ${direction}`).join("\n");
    const known = ways.get(key);
    if (known === undefined) ways.set(key, way.map(({ title, direction, provenance, kind }) => ({ title, direction, provenance, kinds: [kind] })));
    else known.forEach((step, index) => way[index] !== undefined && !step.kinds.includes(way[index].kind) && step.kinds.push(way[index].kind));
  }
  return [...ways.values()];
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
  return stops.map(({ title, edge }) => (edge === null ? title : `${title} ${arrow(edge)} ${edge.kinds.join(", ")} ${arrow(edge)} `)).join("");
}

function arrow({ direction }: Step): string {
  return direction === "out" ? "→" : "←";
}

function drawWay(parent: HTMLElement, stops: readonly Stop[]): void {
  const height = TOP * 2 + ROW * (stops.length - 1);
  const { clientWidth: width } = parent;
  const letters = width === 0 ? LETTERS : Math.max(FEWEST_LETTERS, Math.floor((width - TEXT) / LETTER));
  const svg = parent.createSvg("svg", { cls: "mindnet-way", attr: { role: "img", "aria-label": wayText(stops), height, width: "100%" } });
  stops.forEach(({ title, edge }, index) => {
    const y = TOP + index * ROW;
    if (edge !== null) drawEdge(svg, edge, y, letters);
    const place = index === 0 ? "seed" : edge === null ? "hit" : "between";
    svg.createSvg("circle", { cls: "mindnet-way-stop", attr: { cx: X, cy: y, r: RADIUS, "data-place": place } });
    if (place === "hit") svg.createSvg("circle", { cls: "mindnet-way-dot", attr: { cx: X, cy: y, r: 2 } });
    const text = svg.createSvg("text", { cls: "mindnet-way-title", attr: { x: TEXT, y: y + 4 } });
    text.textContent = shortened(title, letters);
  });
}

/** A line between two stops, with its arrowhead at the end that the edge leads to. */
function drawEdge(svg: SVGElement, { kinds, direction, provenance }: Step, y: number, letters: number): void {
  const from = y + RADIUS;
  const to = y + ROW - RADIUS;
  svg.createSvg("line", { cls: "mindnet-way-edge", attr: { x1: X, y1: from, x2: X, y2: to, "data-provenance": provenance } });
  const tip = direction === "out" ? to : from;
  const back = direction === "out" ? tip - ARROW * 1.6 : tip + ARROW * 1.6;
  svg.createSvg("path", { cls: "mindnet-way-arrow", attr: { d: `M ${X} ${tip} L ${X - ARROW} ${back} L ${X + ARROW} ${back} Z` } });
  const text = svg.createSvg("text", { cls: "mindnet-way-kind", attr: { x: TEXT, y: y + ROW / 2 + 4 } });
  text.textContent = shortened(kinds.join(", "), letters);
}

function shortened(text: string, most: number): string {
  const letters = Array.from(text);
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}
