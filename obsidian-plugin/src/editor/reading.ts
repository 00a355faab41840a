import { MarkdownRenderChild, type MarkdownPostProcessorContext } from "obsidian";
import { drawBadge } from "./badge";
import type { BadgesHost } from "./extension";
import { leadsThere, nameOf } from "./links";
import { markOf, writtenEdges } from "./marks";
import { ShownNote } from "./note-edges";

/** Badges in a section of the reading view: drawn when the edges are known, and anew when they change. */
class SectionBadges extends MarkdownRenderChild {
  private note: ShownNote | null = null;

  constructor(
    containerEl: HTMLElement,
    private readonly source: string,
    private readonly lines: { first: number; last: number } | null,
    private readonly host: BadgesHost,
  ) {
    super(containerEl);
  }

  override onload(): void {
    const note = new ShownNote(this.host.edges, this.source, () => this.draw());
    this.note = note;
    this.register(() => note.end());
    this.draw();
  }

  private draw(): void {
    const { host, lines } = this;
    const path = this.note?.path ?? this.source;
    for (const badge of this.containerEl.findAll(".mindnet-edge-badge")) badge.remove();
    const written = writtenEdges(host.edges.of(path), path, (origin) => host.shows(origin)).filter(
      (edge) => lines === null || edge.evidence.some(({ line }) => line >= lines.first && line <= lines.last),
    );
    for (const link of this.containerEl.findAll("a.internal-link")) {
      const name = nameOf(link.dataset.href ?? "");
      const resolved = name === "" ? null : host.resolve(name, path);
      const mark = markOf(written.filter((edge) => leadsThere(name, resolved, edge, path)));
      if (mark !== null) link.after(drawBadge(mark, host, true));
    }
  }
}

/** Watches over the links of a section that the app has rendered. */
export function badgesInReading(host: BadgesHost): (el: HTMLElement, context: MarkdownPostProcessorContext) => void {
  return (el, context) => {
    if (context.sourcePath === "" || el.querySelector("a.internal-link") === null) return;
    const section = context.getSectionInfo(el);
    const lines = section === null ? null : { first: section.lineStart + 1, last: section.lineEnd + 1 };
    context.addChild(new SectionBadges(el, context.sourcePath, lines, host));
  };
}
