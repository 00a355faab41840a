import { setIcon, type HoverParent } from "obsidian";
import type { Translate } from "../i18n";
import type { SourceOut, SourcesEvent } from "../sidecar/wire";
import { drawCopies, withoutHeadings } from "./hit";
import { glance } from "./passage";
import { leadsTo, type Reach } from "./places";
import { drawThumbs, type ThumbsHost } from "./thumbs";

/** What drawing sources takes. */
export interface SourcesHost {
  t: Translate;
  reach: Reach;
  hover: HoverParent;
  feedback: ThumbsHost;
}

/** The passages that an answer may cite: a list that can be folded. */
export function drawSources(parent: HTMLElement, found: SourcesEvent, host: SourcesHost): HTMLDetailsElement {
  const { t } = host;
  const { sources } = found;
  const details = parent.createEl("details", { cls: "mindnet-sources" });
  const summary = details.createEl("summary");
  setIcon(summary.createSpan({ cls: "mindnet-icon", attr: { "aria-hidden": "true" } }), "chevron-right");
  summary.createSpan({ text: t(sources.length === 1 ? "oneSource" : "sources", { count: sources.length }) });
  const list = details.createEl("ol");
  for (const source of sources) drawSource(list, source, found.query_id, host);
  return details;
}

function drawSource(list: HTMLElement, source: SourceOut, queryId: string, { t, reach, hover, feedback }: SourcesHost): void {
  const item = list.createEl("li", { cls: "mindnet-source", attr: { "data-number": String(source.number) } });
  const button = item.createEl("button", {
    cls: "mindnet-source-open",
    attr: { type: "button", "aria-label": t("openHit", { title: source.title, line: source.start_line }) },
  });
  leadsTo(button, source, reach, hover);
  const head = button.createSpan({ cls: "mindnet-source-head" });
  head.createSpan({ cls: "mindnet-source-number", text: String(source.number) });
  head.createSpan({ cls: "mindnet-source-title", text: source.title });
  if (source.type !== "default") head.createSpan({ cls: "mindnet-badge", text: source.type });
  const headings = source.heading_path.filter((part) => part !== source.title).join(" › ");
  if (headings) button.createSpan({ cls: "mindnet-source-place", text: headings });
  button.createSpan({ cls: "mindnet-source-text", text: glance(withoutHeadings(source.text)) });
  drawCopies(item, source.also_in, { t, reach, hover });
  drawThumbs(item, { queryId, nodeId: source.chunk_id, target: "citation" }, source.title, feedback);
}
