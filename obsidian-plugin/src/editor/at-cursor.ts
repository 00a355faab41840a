import type { EdgeOut } from "../sidecar/wire";
import { leadsThere, linksIn } from "./links";
import { markOf, writtenEdges, type Mark } from "./marks";

/** Where the cursor is: a line of a note, counted from 0, and the place in it. */
export interface CursorAt {
  path: string;
  line: number;
  ch: number;
  text: string;
}

/** The mark of the link that the cursor is in or next to; null where no link of its line is known. */
export function markAt({ path, line, ch, text }: CursorAt, edges: readonly EdgeOut[], resolve: (link: string) => string | null): Mark | null {
  const away = (start: number, end: number) => Math.max(start - ch, ch - end, 0);
  const links = linksIn(text).sort((one, other) => away(one.start, one.end) - away(other.start, other.end));
  const written = writtenEdges(edges, path, () => true);
  for (const { target } of links) {
    const resolved = target === "" ? null : resolve(target);
    const there = written.filter((edge) => leadsThere(target, resolved, edge, path));
    // Lines may have moved since the note was indexed.
    const here = there.filter(({ evidence }) => evidence.some((one) => one.line === line + 1));
    const mark = markOf(here.length > 0 ? here : there);
    if (mark !== null) return mark;
  }
  return null;
}
