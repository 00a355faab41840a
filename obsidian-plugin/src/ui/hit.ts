import { setIcon } from "obsidian";
import type { Translate } from "../i18n";
import type { HitOut } from "../sidecar/wire";
import { drawReasons, type OpenPassage } from "./reasons";

const SHORTEST_STEM = 4;

/** Draws one hit: where it is, its passage with the matched words, and, opened, why it is there. */
export function drawHit(list: HTMLElement, hit: HitOut, t: Translate, open: OpenPassage): HTMLElement {
  const item = list.createEl("li", { cls: "mindnet-hit" });
  const card = item.createEl("button", {
    cls: "mindnet-hit-open",
    attr: { type: "button", "aria-label": t("openHit", { title: hit.title, line: hit.start_line }) },
  });
  card.addEventListener("click", (event) => open(hit.path, hit.start_line, event.ctrlKey || event.metaKey));
  card.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      open(hit.path, hit.start_line, true);
    }
  });
  const head = card.createDiv({ cls: "mindnet-hit-head" });
  head.createSpan({ cls: "mindnet-hit-title", text: hit.title });
  head.createSpan({ cls: "mindnet-score", text: hit.total_score.toFixed(3), attr: { title: t("score", { score: hit.total_score.toFixed(6) }) } });
  const heading = hit.heading_path.filter((part) => part !== hit.title).join(" › ");
  card.createDiv({ cls: "mindnet-hit-place", text: [hit.path, heading].filter(Boolean).join(" · ") });
  drawPassage(card.createDiv({ cls: "mindnet-passage" }), hit.text, matchedWords(hit));
  const foot = item.createDiv({ cls: "mindnet-hit-foot" });
  const why = foot.createEl("button", { cls: "mindnet-why", attr: { type: "button", "aria-expanded": "false" } });
  setIcon(why.createSpan({ cls: "mindnet-icon", attr: { "aria-hidden": "true" } }), "chevron-right");
  why.createSpan({ text: t("why") });
  for (const chip of [hit.type === "default" ? "" : hit.type, hit.status ?? ""].filter(Boolean)) {
    foot.createSpan({ cls: "mindnet-badge", text: chip });
  }
  const reasons = item.createDiv({ cls: "mindnet-reasons-pane" });
  reasons.hide();
  why.addEventListener("click", () => {
    const opened = why.getAttribute("aria-expanded") !== "true";
    why.setAttribute("aria-expanded", String(opened));
    if (opened && !reasons.hasChildNodes()) drawReasons(reasons, hit, t, open);
    reasons.toggle(opened);
  });
  return item;
}

function matchedWords(hit: HitOut): string[] {
  return hit.explanation?.contributions.find((part) => part.part === "lexical")?.evidence ?? [];
}

/** The passage as plain text, words that start like a matched one marked. */
export function drawPassage(parent: HTMLElement, text: string, words: readonly string[]): void {
  const starts = words.map((word) => word.slice(0, Math.max(SHORTEST_STEM, word.length - 2)).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (starts.length === 0) {
    parent.setText(text);
    return;
  }
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])((?:${starts.join("|")})[\\p{L}\\p{N}]*)`, "giu");
  text.split(pattern).forEach((piece, index) => {
    if (index % 2 === 1) parent.createEl("mark", { text: piece });
    else if (piece) parent.appendText(piece);
  });
}
