import type { TextKey, Translate } from "../i18n";
import type { HitOut, ReasonOut, RelatedEdgeOut } from "../sidecar/wire";
import { opensBy } from "./opens";
import { drawScoreBar, drawScoreRows } from "./score-bar";
import { drawWays } from "./way-picture";

/** Opens a note of the vault at a line. */
export type OpenPassage = (path: string, line: number, newTab: boolean) => void;

/** Puts what judges an edge behind it. */
export type JudgeEdge = (item: HTMLElement, edge: RelatedEdgeOut) => void;

/** Digits after the point of a score and of its parts. */
export const DIGITS = 3;

const PROVENANCES: Record<string, TextKey> = {
  explicit: "provenanceExplicit",
  smart: "provenanceSmart",
  rule: "provenanceRule",
  candidate: "provenanceCandidate",
};

/** "Why this result": the bar with its rows, the reasons, the edges. */
export function drawReasons(parent: HTMLElement, hit: HitOut, t: Translate, open: OpenPassage, judge: JudgeEdge = () => undefined): void {
  const found = hit.explanation;
  if (!found) return;
  drawScoreBar(parent, found.contributions, DIGITS, t);
  drawScoreRows(parent, found.contributions, hit.total_score, DIGITS, t);
  drawReasonList(parent, found.reasons, t, open);
  drawWays(parent, found.reasons, hit.title, t);
  parent.createEl("h4", { text: t("whyEdges") });
  if (found.related_edges.length === 0) {
    parent.createEl("p", { cls: "mindnet-muted", text: t("noEdges") });
    return;
  }
  const edges = parent.createEl("ul", { cls: "mindnet-edges" });
  for (const edge of found.related_edges) judge(drawEdge(edges, edge, hit.path, t, open), edge);
}

/** The reasons, each with a link to the line that it speaks of. */
export function drawReasonList(parent: HTMLElement, reasons: readonly ReasonOut[], t: Translate, open: OpenPassage): void {
  parent.createEl("h4", { text: t("whyReasons") });
  const list = parent.createEl("ul", { cls: "mindnet-reasons" });
  for (const reason of reasons) drawReason(list, reason, t, open);
}

function drawReason(list: HTMLElement, reason: ReasonOut, t: Translate, open: OpenPassage): void {
  const item = list.createEl("li", { attr: { "data-part": reason.part } });
  item.createSpan({ cls: "mindnet-key", attr: { "data-part": reason.part, "aria-hidden": "true" } });
  const text = item.createSpan({ cls: "mindnet-reason-text" });
  drawMarked(text, reason.text);
  const { path, line } = reason;
  if (path && line) {
    text.appendText(" ");
    drawPlace(text, placeName(path, line, t), path, line, open);
  }
}

/** `*title*` as emphasis and `` `kind` `` as code, all else as plain text: note text is never markup. */
export function drawMarked(parent: HTMLElement, text: string): void {
  for (const piece of text.split(/(\*[^*]+\*|`[^`]+`)/)) {
    if (/^\*[^*]+\*$/.test(piece)) parent.createEl("em", { text: piece.slice(1, -1) });
    else if (/^`[^`]+`$/.test(piece)) parent.createEl("code", { text: piece.slice(1, -1) });
    else if (piece) parent.appendText(piece);
  }
}

function placeName(path: string, line: number, t: Translate): string {
  const name = path.split("/").pop()?.replace(/\.(md|canvas|excalidraw)$/i, "") ?? path;
  return `${name}, ${t("line", { line })}`;
}

function drawPlace(parent: HTMLElement, text: string, path: string, line: number, open: OpenPassage): HTMLElement {
  const link = parent.createEl("button", {
    cls: "mindnet-place mindnet-link",
    text,
    attr: { type: "button", title: `${path}:${line}` },
  });
  opensBy(link, (newTab) => open(path, line, newTab));
  return link;
}

function drawEdge(list: HTMLElement, edge: RelatedEdgeOut, own: string, t: Translate, open: OpenPassage): HTMLElement {
  const item = list.createEl("li", { attr: { "data-provenance": edge.provenance.split(":")[0] ?? "", "data-resolved": String(edge.resolved) } });
  item.createSpan({ cls: "mindnet-direction", text: edge.direction === "out" ? "→" : "←", attr: { "aria-hidden": "true" } });
  const body = item.createDiv({ cls: "mindnet-edge-body" });
  const relation = body.createDiv({ cls: "mindnet-edge-line" });
  relation.createEl("code", { text: edge.kind });
  relation.createSpan({ cls: "mindnet-muted", text: t(edge.direction === "out" ? "edgeOut" : "edgeIn") });
  drawOtherEnd(relation, edge, t, open);
  const facts = body.createDiv({ cls: "mindnet-edge-line" });
  const provenance = PROVENANCES[edge.provenance.split(":")[0] ?? ""];
  facts.createSpan({
    cls: "mindnet-badge",
    text: edge.resolved ? (provenance ? t(provenance) : edge.provenance) : t("unresolved"),
    attr: { title: edge.rule_id },
  });
  facts.createSpan({ cls: "mindnet-muted", text: t("confidence", { value: t.decimal(edge.confidence, 2) }) });
  const place = edge.written_in;
  if (!place || edge.line <= 0) return item;
  const isClear = place === (edge.direction === "out" ? own : edge.path);
  const shown = isClear ? t("line", { line: edge.line }) : placeName(place, edge.line, t);
  const link = drawPlace(facts, shown, place, edge.line, open);
  link.setAttribute("aria-label", placeName(place, edge.line, t));
  return item;
}

/** The note at the other end, at the line where it writes the link if it is the one that does. */
function drawOtherEnd(item: HTMLElement, edge: RelatedEdgeOut, t: Translate, open: OpenPassage): void {
  if (!edge.path) {
    item.createSpan({ cls: "mindnet-edge-title", text: edge.title });
    return;
  }
  const link = item.createEl("button", {
    cls: "mindnet-edge-title mindnet-link",
    text: edge.title,
    attr: { type: "button", "aria-label": t("openNote", { title: edge.title }) },
  });
  const line = edge.written_in === edge.path && edge.line > 0 ? edge.line : 1;
  opensBy(link, (newTab) => open(edge.path, line, newTab));
}
