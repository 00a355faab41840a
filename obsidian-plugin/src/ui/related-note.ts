import { setIcon, type HoverParent } from "obsidian";
import type { Translate } from "../i18n";
import type { RelatedNoteOut } from "../sidecar/wire";
import { withoutHeadings } from "./hit";
import { iconButton } from "./icon-button";
import { glance } from "./passage";
import { leadsTo, type Reach } from "./places";
import { drawReasonList, DIGITS } from "./reasons";
import { drawScoreBar, drawScoreRows } from "./score-bar";

/** What drawing a related note takes. */
export interface RelatedHost {
  t: Translate;
  reach: Reach;
  hover: HoverParent;
  insertLink(path: string): void;
  insertRelation(path: string): void;
}

/** One related note: why it is there, whether a link is written already, and buttons that write one. */
export function drawRelated(list: HTMLElement, note: RelatedNoteOut, host: RelatedHost): void {
  const { t, reach } = host;
  const item = list.createEl("li", { cls: "mindnet-hit", attr: { "data-path": note.path, "data-linked": String(note.linked) } });
  const card = item.createDiv({ cls: "mindnet-hit-card" });
  const head = card.createDiv({ cls: "mindnet-hit-head" });
  const title = head.createEl("button", { cls: "mindnet-hit-open", attr: { type: "button", "aria-label": t("openHit", { title: note.title, line: note.start_line }) } });
  title.createSpan({ cls: "mindnet-hit-title", text: note.title });
  leadsTo(title, note, reach, host.hover);
  card.addEventListener("click", (event) => {
    if (!head.contains(event.target as Node)) reach.open(note.path, note.start_line, event.ctrlKey || event.metaKey);
  });
  const tools = head.createSpan({ cls: "mindnet-related-tools" });
  iconButton(tools, "link", t("insertLink", { title: note.title }), () => host.insertLink(note.path));
  iconButton(tools, "git-branch-plus", t("insertRelation", { title: note.title }), () => host.insertRelation(note.path));
  card.createDiv({ cls: "mindnet-related-text", text: glance(withoutHeadings(note.text)) });
  const foot = item.createDiv({ cls: "mindnet-hit-foot" });
  const why = foot.createEl("button", { cls: "mindnet-why", attr: { type: "button", "aria-expanded": "false" } });
  setIcon(why.createSpan({ cls: "mindnet-icon", attr: { "aria-hidden": "true" } }), "chevron-right");
  why.createSpan({ text: t("whyRelated") });
  if (note.linked) foot.createSpan({ cls: "mindnet-badge mindnet-linked", text: t("linked") });
  const pane = item.createDiv({ cls: "mindnet-reasons-pane" });
  pane.hide();
  why.addEventListener("click", () => {
    const open = why.getAttribute("aria-expanded") !== "true";
    why.setAttribute("aria-expanded", String(open));
    pane.toggle(open);
    if (!open || pane.hasChildNodes()) return;
    drawScoreBar(pane, note.contributions, DIGITS, t);
    drawScoreRows(pane, note.contributions, note.total_score, DIGITS, t);
    if (note.reasons.length > 0) drawReasonList(pane, note.reasons, t, reach.open);
  });
}
