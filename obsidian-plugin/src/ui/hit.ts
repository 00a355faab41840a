import { setIcon, type Component, type HoverParent } from "obsidian";
import type { Translate } from "../i18n";
import type { CopyOut, HitOut } from "../sidecar/wire";
import type { RenderMarkdown } from "./answer";
import { drawPassage, drawText } from "./passage-view";
import { leadsTo, type Reach } from "./places";
import { DIGITS, drawReasons, type JudgeEdge } from "./reasons";
import { drawThumbs, type ThumbsHost } from "./thumbs";

let lastId = 0;

/** What drawing a hit takes. */
export interface HitHost {
  t: Translate;
  reach: Reach;
  render: RenderMarkdown;
  hover: HoverParent;
  feedback: ThumbsHost;
}

/** Draws one hit: where it is, its passage with the matched words, and, opened, why it is there. */
export function drawHit(list: HTMLElement, hit: HitOut, queryId: string, host: HitHost, owner: Component): HTMLElement {
  const { t, reach } = host;
  const item = list.createEl("li", { cls: "mindnet-hit", attr: { "data-chunk": hit.chunk_id } });
  drawCard(item, hit, host, owner);
  drawCopies(item, hit.also_in, host);
  const foot = item.createDiv({ cls: "mindnet-hit-foot" });
  const paneId = `mindnet-reasons-${++lastId}`;
  const why = foot.createEl("button", { cls: "mindnet-why", attr: { type: "button", "aria-expanded": "false", "aria-controls": paneId } });
  setIcon(why.createSpan({ cls: "mindnet-icon", attr: { "aria-hidden": "true" } }), "chevron-right");
  why.createSpan({ text: t("why") });
  for (const chip of [hit.type === "default" ? "" : hit.type, hit.status ?? ""].filter(Boolean)) {
    foot.createSpan({ cls: "mindnet-badge", text: chip });
  }
  drawThumbs(foot, { queryId, nodeId: hit.chunk_id, target: "hit" }, hit.title, host.feedback);
  const pane = item.createDiv({ cls: "mindnet-reasons-pane", attr: { id: paneId } });
  pane.hide();
  const judge: JudgeEdge = (into, { edge_id: nodeId, kind, title }) =>
    drawThumbs(into, { queryId, nodeId, target: "edge" }, `${kind} → ${title}`, host.feedback);
  const show = (opened: boolean) => {
    why.setAttribute("aria-expanded", String(opened));
    pane.toggle(opened);
    if (opened && !pane.hasChildNodes()) drawReasons(pane, hit, t, reach.open, judge);
  };
  why.addEventListener("click", () => show(why.getAttribute("aria-expanded") !== "true"));
  item.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    event.preventDefault();
    const opened = event.key === "ArrowRight";
    if (!opened && pane.contains(pane.doc.activeElement)) why.focus();
    show(opened);
  });
  return item;
}

function drawCard(item: HTMLElement, hit: HitOut, { t, reach, render, hover }: HitHost, owner: Component): void {
  const passageId = `mindnet-passage-${++lastId}`;
  const card = item.createDiv({ cls: "mindnet-hit-card" });
  const head = card.createDiv({ cls: "mindnet-hit-head" });
  const title = head.createEl("button", {
    cls: "mindnet-hit-open",
    attr: { type: "button", "aria-label": t("openHit", { title: hit.title, line: hit.start_line }), "aria-describedby": passageId },
  });
  leadsTo(title, hit, reach, hover);
  // The whole card is there for the pointer; text that is being selected in it opens nothing.
  card.addEventListener("click", (event) => {
    if (title.contains(event.target as Node) || card.win.getSelection()?.isCollapsed === false) return;
    reach.open(hit.path, hit.start_line, event.ctrlKey || event.metaKey);
  });
  const words = hit.explanation?.contributions.find((part) => part.part === "lexical")?.evidence ?? [];
  drawText(title.createSpan({ cls: "mindnet-hit-title" }), hit.title, words);
  const score = t.decimal(hit.total_score, DIGITS);
  head.createSpan({ cls: "mindnet-score", text: score, attr: { "aria-label": t("score", { score }), role: "img" } });
  const heading = hit.heading_path.filter((part) => part !== hit.title).join(" › ");
  const place = card.createDiv({ cls: "mindnet-hit-place", text: heading ? `${hit.path} · ` : hit.path });
  drawText(place, heading, words);
  const passage = card.createDiv({ cls: "mindnet-passage markdown-rendered", attr: { id: passageId } });
  void drawPassage(passage, withoutHeadings(hit.text), words, render, owner);
}

/** The passages with nearly the same text, which this one stands for. */
export function drawCopies(item: HTMLElement, copies: readonly CopyOut[], { t, reach, hover }: Pick<HitHost, "t" | "reach" | "hover">): void {
  if (copies.length === 0) return;
  const line = item.createDiv({ cls: "mindnet-copies mindnet-muted", text: `${t("alsoIn")} ` });
  for (const [index, copy] of copies.entries()) {
    if (index > 0) line.appendText(", ");
    const link = line.createEl("button", {
      cls: "mindnet-link",
      text: copy.title,
      attr: { type: "button", "aria-label": t("openHit", { title: copy.title, line: copy.start_line }) },
    });
    leadsTo(link, copy, reach, hover);
  }
}

/** The headings that a passage begins with stand above it already; one of nothing else keeps them. */
export function withoutHeadings(text: string): string {
  const rest = text.replace(/^(?:\s*#{1,6} [^\n]*(?:\n|$))+\s*/, "");
  return rest || text;
}
