import { RangeSet, RangeSetBuilder, RangeValue, StateEffect, StateField, type EditorState, type Extension } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import { editorInfoField } from "obsidian";
import type { EdgeOut } from "../sidecar/wire";
import { drawBadge, type BadgeHost } from "./badge";
import { leadsThere, linksIn } from "./links";
import { markOf, markText, writtenEdges, type Mark, type Origin } from "./marks";
import { ShownNote, type EdgesOnShow } from "./note-edges";

/** What the badges in the editor need of the plugin. */
export interface BadgesHost extends BadgeHost {
  edges: EdgesOnShow;
  shows(origin: Origin): boolean;
  /** The path that the app finds for a link in this note. */
  resolve(link: string, source: string): string | null;
}

class LineEdges extends RangeValue {
  // What is written before the line's first character goes before it.
  override startSide = 1;
  override endSide = 1;

  constructor(readonly edges: readonly EdgeOut[]) {
    super();
  }
}

const setEdges = StateEffect.define<readonly EdgeOut[]>();

/** The edges at the lines that write them; text that comes before or between moves them along. */
const lineEdges = StateField.define<RangeSet<LineEdges>>({
  create: () => RangeSet.empty,
  update: (held, transaction) => {
    let moved = transaction.docChanged ? held.map(transaction.changes) : held;
    for (const effect of transaction.effects) if (effect.is(setEdges)) moved = byLine(transaction.state, effect.value);
    return moved;
  },
});

function byLine(state: EditorState, edges: readonly EdgeOut[]): RangeSet<LineEdges> {
  const lines = new Map<number, EdgeOut[]>();
  for (const edge of edges) {
    for (const line of new Set(edge.evidence.map((one) => one.line))) {
      if (line < 1 || line > state.doc.lines) continue;
      const at = lines.get(line);
      if (at === undefined) lines.set(line, [edge]);
      else at.push(edge);
    }
  }
  const builder = new RangeSetBuilder<LineEdges>();
  for (const line of [...lines.keys()].sort((one, other) => one - other)) {
    const { from } = state.doc.line(line);
    builder.add(from, from, new LineEdges(lines.get(line) ?? []));
  }
  return builder.finish();
}

class BadgeWidget extends WidgetType {
  private readonly text: string;

  constructor(
    private readonly mark: Mark,
    private readonly host: BadgesHost,
  ) {
    super();
    this.text = markText(mark, host.t);
  }

  override eq(other: BadgeWidget): boolean {
    return this.text === other.text;
  }

  override toDOM(): HTMLElement {
    return drawBadge(this.mark, this.host);
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Badges behind the links of the lines in sight. */
class Badges {
  decorations: DecorationSet = Decoration.none;
  private readonly note: ShownNote;

  constructor(
    private readonly view: EditorView,
    private readonly host: BadgesHost,
  ) {
    const path = view.state.field(editorInfoField, false)?.file?.path ?? "";
    this.note = new ShownNote(host.edges, path, () => this.take());
    // What is known already is taken when the editor stands: during its making it takes no changes.
    if (host.edges.of(path).length > 0) window.queueMicrotask(() => this.take());
  }

  update(update: ViewUpdate): void {
    const told = update.transactions.some((one) => one.effects.some((effect) => effect.is(setEdges)));
    if (told || update.docChanged || update.viewportChanged) this.decorations = this.draw();
  }

  destroy(): void {
    this.note.end();
  }

  private take(): void {
    const { path } = this.note;
    const edges = writtenEdges(this.host.edges.of(path), path, (origin) => this.host.shows(origin));
    this.view.dispatch({ effects: setEdges.of(edges) });
  }

  private draw(): DecorationSet {
    const { state } = this.view;
    const { path } = this.note;
    const held = state.field(lineEdges);
    const builder = new RangeSetBuilder<Decoration>();
    let last = -1;
    for (const { from, to } of this.view.visibleRanges) {
      held.between(state.doc.lineAt(from).from, to, (at, _to, { edges }) => {
        const line = state.doc.lineAt(at);
        if (line.from <= last) return;
        last = line.from;
        for (const { end, target } of linksIn(line.text)) {
          const resolved = target === "" ? null : this.host.resolve(target, path);
          const mark = markOf(edges.filter((edge) => leadsThere(target, resolved, edge, path)));
          if (mark !== null) builder.add(line.from + end, line.from + end, Decoration.widget({ widget: new BadgeWidget(mark, this.host), side: 1 }));
        }
      });
    }
    return builder.finish();
  }
}

export function badgeExtension(host: BadgesHost): Extension {
  return [lineEdges, ViewPlugin.define((view) => new Badges(view, host), { decorations: (badges) => badges.decorations })];
}
