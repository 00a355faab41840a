import { calloutStart } from "./written";

/** What is being written before the cursor: a kind, or the note behind it; `from` is where it begins. */
export interface Completing {
  what: "kind" | "note";
  form: "rel" | "link" | "callout";
  from: number;
  typed: string;
}

const KIND = "[\\p{L}\\p{N}_-]*";
// Behind a link prose may go on: another note is offered behind a comma.
const LINKS = "(?:\\[\\[[^\\]]*\\]\\]\\s*,\\s*)*";
const TYPED = "([^\\[\\]|,;:.!?]{0,60})";
const IN_LINK_KIND = new RegExp(`\\[\\[rel:\\s*(?:candidate:)?(${KIND})$`, "iu");
const IN_LINK_NOTE = new RegExp(`\\[\\[rel:\\s*(?:candidate:)?${KIND}[ |]([^\\[\\]|#]*)$`, "iu");
const REL_KIND = new RegExp(`(?<![\\p{L}\\p{N}_:/\\[])rel:[ \\t]*(?:candidate:)?(${KIND})$`, "iu");
const REL_NOTE = new RegExp(`(?<![\\p{L}\\p{N}_:/\\[])rel:[ \\t]*(?:candidate:)?(${KIND}[\\p{L}\\p{N}_]):?[ \\t]+${LINKS}${TYPED}$`, "iu");
const CALLOUT_LINE = /^\s*(?:>\s*)+(?:\[!edge\][-+]?(?:\s+|$))?(?:(?:[-*+]|\d+[.)])\s+)?/i;
const CALLOUT_NOTE = new RegExp(`(?:^|\\]\\]\\s*,?\\s*)([\\p{L}][^:\\[\\]]*):\\s*${TYPED}$`, "u");
// Behind a link the next kind may begin; another note of the same kind is linked as any other.
const CALLOUT_KIND = /(?:^|\]\]\s*,?\s+)([\p{L}][\p{L}\p{N}_ -]*)?$/u;

/** Reads the line up to the cursor; `isKnown` says whether a kind is one, so that no prose is taken for a relation. */
export function completingAt(lines: (line: number) => string, line: number, ch: number, isKnown: (kind: string) => boolean): Completing | null {
  const before = lines(line).slice(0, ch);
  const inLink = IN_LINK_KIND.exec(before);
  if (inLink !== null) return completing("kind", "link", ch, inLink[1]);
  const linkNote = IN_LINK_NOTE.exec(before);
  if (linkNote !== null) return completing("note", "link", ch, linkNote[1]);
  const kind = REL_KIND.exec(before);
  if (kind !== null) return completing("kind", "rel", ch, kind[1]);
  const note = REL_NOTE.exec(before);
  if (note !== null && isKnown(note[1] ?? "")) return completing("note", "rel", ch, note[2]);
  return inCallout(lines, line) ? calloutCompleting(before, ch, isKnown) : null;
}

function calloutCompleting(before: string, ch: number, isKnown: (kind: string) => boolean): Completing | null {
  const prefix = CALLOUT_LINE.exec(before)?.[0] ?? "";
  const text = before.slice(prefix.length);
  const note = CALLOUT_NOTE.exec(text);
  if (note !== null && isKnown(note[1] ?? "")) return completing("note", "callout", ch, note[2]);
  const kind = CALLOUT_KIND.exec(text);
  // An empty line of the callout is left in peace; behind `[!edge]` the kinds come by themselves.
  if (kind === null || (kind[1] === undefined && !/\[!edge\][-+]?\s+$/i.test(before))) return null;
  return completing("kind", "callout", ch, kind[1]);
}

function inCallout(lines: (line: number) => string, line: number): boolean {
  let first = line;
  while (first > 0 && /^\s*>/.test(lines(first))) first--;
  const around = Array.from({ length: line - first + 1 }, (_, index) => lines(first + index));
  return calloutStart(around, line - first) >= 0;
}

function completing(what: Completing["what"], form: Completing["form"], ch: number, typed = ""): Completing {
  return { what, form, from: ch - typed.length, typed };
}

/** What goes in place of what was typed, when a kind is chosen: with what leads on to the note. */
export function kindText(form: Completing["form"], written: string, after: string): string {
  const end = form === "callout" ? ":" : "";
  const goesOn = after.startsWith(end === "" ? " " : end) || (form === "link" && after.startsWith("|"));
  return goesOn ? written : `${written}${end} `;
}

/** A note by what it is called; the words typed may stand anywhere in its path. */
export function notesMatching<Note extends { path: string; basename: string }>(notes: readonly Note[], typed: string, limit: number): Note[] {
  const wanted = typed.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter(Boolean);
  const found: { note: Note; rank: number }[] = [];
  for (const note of notes) {
    const path = note.path.toLowerCase();
    if (!words.every((word) => path.includes(word))) continue;
    const name = note.basename.toLowerCase();
    found.push({ note, rank: name === wanted ? 0 : name.startsWith(wanted) ? 1 : words.every((word) => name.includes(word)) ? 2 : 3 });
  }
  found.sort((one, other) => one.rank - other.rank || one.note.basename.localeCompare(other.note.basename));
  return found.slice(0, limit).map(({ note }) => note);
}
