import { setIcon } from "obsidian";
import type { Translate } from "../i18n";
import type { HitOut } from "../sidecar/wire";
import { pieces } from "./matched";
import { DIGITS, drawReasons, type OpenPassage } from "./reasons";

let lastId = 0;

/** Draws one hit: where it is, its passage with the matched words, and, opened, why it is there. */
export function drawHit(list: HTMLElement, hit: HitOut, t: Translate, open: OpenPassage): HTMLElement {
  const item = list.createEl("li", { cls: "mindnet-hit", attr: { "data-chunk": hit.chunk_id } });
  drawCard(item, hit, t, open);
  const foot = item.createDiv({ cls: "mindnet-hit-foot" });
  const paneId = `mindnet-reasons-${++lastId}`;
  const why = foot.createEl("button", { cls: "mindnet-why", attr: { type: "button", "aria-expanded": "false", "aria-controls": paneId } });
  setIcon(why.createSpan({ cls: "mindnet-icon", attr: { "aria-hidden": "true" } }), "chevron-right");
  why.createSpan({ text: t("why") });
  for (const chip of [hit.type === "default" ? "" : hit.type, hit.status ?? ""].filter(Boolean)) {
    foot.createSpan({ cls: "mindnet-badge", text: chip });
  }
  const pane = item.createDiv({ cls: "mindnet-reasons-pane", attr: { id: paneId } });
  pane.hide();
  const show = (opened: boolean) => {
    why.setAttribute("aria-expanded", String(opened));
    if (opened && !pane.hasChildNodes()) drawReasons(pane, hit, t, open);
    pane.toggle(opened);
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

function drawCard(item: HTMLElement, hit: HitOut, t: Translate, open: OpenPassage): void {
  const passageId = `mindnet-passage-${++lastId}`;
  const card = item.createEl("button", {
    cls: "mindnet-hit-open",
    attr: { type: "button", "aria-label": t("openHit", { title: hit.title, line: hit.start_line }), "aria-describedby": passageId },
  });
  card.addEventListener("click", (event) => open(hit.path, hit.start_line, event.ctrlKey || event.metaKey));
  card.addEventListener("auxclick", (event) => {
    if (event.button === 1) open(hit.path, hit.start_line, true);
  });
  card.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      open(hit.path, hit.start_line, true);
    }
  });
  const head = card.createSpan({ cls: "mindnet-hit-head" });
  const words = matchedWords(hit);
  drawText(head.createSpan({ cls: "mindnet-hit-title" }), hit.title, words);
  const score = t.decimal(hit.total_score, DIGITS);
  head.createSpan({ cls: "mindnet-score", text: score, attr: { "aria-label": t("score", { score }) } });
  const heading = hit.heading_path.filter((part) => part !== hit.title).join(" › ");
  const place = card.createSpan({ cls: "mindnet-hit-place", text: heading ? `${hit.path} · ` : hit.path });
  drawText(place, heading, words);
  drawText(card.createSpan({ cls: "mindnet-passage", attr: { id: passageId } }), withoutHeadings(hit.text), words);
}

function drawText(parent: HTMLElement, text: string, words: readonly string[]): void {
  for (const piece of pieces(text, words)) {
    if (piece.marked) parent.createEl("mark", { text: piece.text });
    else parent.appendText(piece.text);
  }
}

/** The headings that a passage begins with stand above it already; one of nothing else keeps them. */
export function withoutHeadings(text: string): string {
  const rest = text.replace(/^(?:\s*#{1,6} [^\n]*(?:\n|$))+\s*/, "");
  return rest || text;
}

function matchedWords(hit: HitOut): string[] {
  return hit.explanation?.contributions.find((part) => part.part === "lexical")?.evidence ?? [];
}
