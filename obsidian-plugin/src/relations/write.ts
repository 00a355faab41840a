import type { EdgeOut } from "../sidecar/wire";
import { propertyChanges } from "./properties";
import { bodyStart, calloutStart, linkSpans, relationsAt, type Form, type LinkSpan, type Relation, type Span } from "./written";

/** A stretch, and what is to stand there; both may hold line breaks. */
export interface Change extends Span {
  /** The line of its end, where that is not the line that it begins in. */
  endLine?: number;
  text: string;
}

/** A relation that a note is to have, and what is needed to find the place of it. */
export interface Wish {
  edge: EdgeOut;
  /** The kind that is to be written. */
  kind: string;
  /** Whether a link by this name leads where the edge does. */
  leads: (name: string) => boolean;
  /** What a written kind is called in the index. */
  nameOf: (written: string) => string;
  /** A link to the edge's other end, for where none stands in the note. */
  link: string;
  candidateHeadings: readonly string[];
}

const FORMS: Readonly<Partial<Record<string, readonly Form[]>>> = {
  "inline:rel": ["rel", "link"],
  "smart:candidate": ["rel", "link"],
  "inline:field": ["field", "bracket"],
  "callout:edge": ["callout"],
};

/** What to change in a note so that it says the relation; null where only its writer can tell. */
export function relationChanges(lines: readonly string[], wish: Wish): Change[] | null {
  const { edge } = wish;
  if (edge.rule_id === "explicit:frontmatter") return propertyChanges(lines, wish);
  const forms = FORMS[edge.rule_id];
  if (forms !== undefined) {
    const found = firstNear(lines, edge.line - 1, (line) =>
      relationsAt(lines, line).find((one) => forms.includes(one.form) && wish.nameOf(one.name) === edge.kind && one.links.some((link) => wish.leads(link.target))),
    );
    return found === null ? null : kindChanged(lines, found, wish);
  }
  const body = bodyStart(lines);
  const place = firstNear(lines, edge.line - 1, (line) => (line < body ? undefined : linkSpans(lines[line] ?? "", line).find((link) => wish.leads(link.target))));
  if (edge.rule_id === "smart:global_pool") return outOfZone(lines, place, wish);
  return place === null ? atEnd(lines, wish) : besideLink(lines, place, wish);
}

/** What is found at the line that is nearest to this one: a note may have changed since it was indexed. */
function firstNear<Found>(lines: readonly string[], near: number, find: (line: number) => Found | undefined): Found | null {
  for (let away = 0; away <= lines.length; away++) {
    for (const line of away === 0 ? [near] : [near - away, near + away]) {
      const found = line >= 0 && line < lines.length ? find(line) : undefined;
      if (found !== undefined) return found;
    }
  }
  return null;
}

/** Another kind for one of the links of a relation; the others keep theirs. */
function kindChanged(lines: readonly string[], relation: Relation, { kind, leads }: Wish): Change[] | null {
  const { form, links } = relation;
  const index = links.findIndex((link) => leads(link.target));
  const link = links[index];
  if (link === undefined) return null;
  const next = links[index + 1];
  const old = lines[relation.kind.line]?.slice(relation.kind.from, relation.kind.to) ?? "";
  if (links.length === 1) return [{ ...relation.kind, text: kind }];
  if (form === "field") return fieldSplit(lines, relation, index, kind);
  const between = { rel: (one: string) => `rel: ${one} `, callout: (one: string) => `${one}: `, bracket: (one: string) => `${one}:: `, link: () => "" }[form];
  const begin = (one: LinkSpan, written: string): Change[] => {
    if (form !== "bracket") return [{ line: one.line, from: one.from, to: one.from, text: between(written) }];
    const before = links[links.indexOf(one) - 1];
    const [open, close] = lines[one.line]?.slice(0, relation.kind.from).trimEnd().endsWith("[") === true ? ["[", "]"] : ["(", ")"];
    return before === undefined ? [] : [{ line: one.line, from: before.to, to: one.from, text: `${close} ${open}${between(written)}` }];
  };
  const own = index === 0 ? [{ ...relation.kind, text: kind }] : begin(link, kind);
  return [...own, ...(next === undefined ? [] : begin(next, old))];
}

/** A field of a line has all links of the line: the link moves into a field of its own below, out of lists alone. */
function fieldSplit(lines: readonly string[], relation: Relation, index: number, kind: string): Change[] | null {
  const { links } = relation;
  const link = links[index];
  const first = links[0];
  const last = links.at(-1);
  if (link === undefined || first === undefined || last === undefined) return null;
  const text = lines[link.line] ?? "";
  const isList = links.every((one, at) => at === 0 || /^[\s,]*$/.test(text.slice(links[at - 1]?.to, one.from)));
  if (!isList || text.slice(last.to).trim() !== "") return null;
  const next = links[index + 1];
  const previous = links[index - 1];
  const cut = next !== undefined ? { from: link.from, to: next.from } : { from: previous?.to ?? link.from, to: link.to };
  const below = `\n${text.slice(0, relation.kind.from)}${kind}:: ${text.slice(link.from, link.to)}`;
  if (next === undefined) return [{ line: link.line, from: cut.from, to: text.length, text: below }];
  return [
    { line: link.line, ...cut, text: "" },
    { line: link.line, from: text.length, to: text.length, text: below },
  ];
}

/** A kind for a link that stands there already. */
function besideLink(lines: readonly string[], link: LinkSpan, { kind }: Wish): Change[] {
  const text = lines[link.line] ?? "";
  const written = text.slice(link.from, link.to);
  const own = relationsAt(lines, link.line).find(({ links }) => links.some((one) => one.line === link.line && one.from === link.from));
  if (own !== undefined) {
    // It has a relation already: the new one goes behind that.
    const last = own.links.at(-1) ?? link;
    const plain = own.form === "link" ? written.replace(/^\[\[rel:\s*(?:candidate:\s*)?[^\s|\]]+[\s|]\s*/i, "[[") : written;
    return [{ line: last.line, from: last.to, to: last.to, text: own.form === "callout" ? ` ${kind}: ${plain}` : ` (${kind}:: ${plain})` }];
  }
  if (calloutStart(lines, link.line) >= 0) return [{ line: link.line, from: link.from, to: link.from, text: `${kind}: ` }];
  if (text[link.from - 1] === "!") return [{ line: link.line, from: link.to, to: link.to, text: ` (${kind}:: ${written})` }];
  const before = text.slice(0, link.from);
  const alone = /^\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[.\]\s+)?$/.test(before) && text.slice(link.to).trim() === "";
  if (alone) return [{ line: link.line, from: link.from, to: link.from, text: `${kind}:: ` }];
  const [open, close] = before.trimEnd().endsWith("(") ? ["[", "]"] : ["(", ")"];
  return [{ line: link.line, from: link.from, to: link.to, text: `${open}${kind}:: ${written}${close}` }];
}

/** Links below a heading for candidates are candidates, however they are written: the relation goes before that heading. */
function outOfZone(lines: readonly string[], place: LinkSpan | null, wish: Wish): Change[] | null {
  if (place === null) return atEnd(lines, wish);
  const wanted = new Set(wish.candidateHeadings.map(headingKey));
  for (let at = place.line; at >= 0; at--) {
    const heading = /^#{1,6}\s+(.*?)\s*#*\s*$/.exec(lines[at] ?? "")?.[1];
    if (heading === undefined || !wanted.has(headingKey(heading))) continue;
    const text = lines[place.line] ?? "";
    const moved: Change = { line: at, from: 0, to: 0, text: `> [!edge] ${wish.kind}: ${text.slice(place.from, place.to)}\n\n` };
    const alone = /^\s*(?:[-*+]\s+)?$/.test(text.slice(0, place.from)) && text.slice(place.to).trim() === "";
    return alone ? [moved, { line: place.line, from: 0, to: text.length, text: "" }] : [moved];
  }
  return besideLink(lines, place, wish);
}

function atEnd(lines: readonly string[], { kind, link }: Wish): Change[] {
  const line = Math.max(0, lines.length - 1);
  const last = lines[line] ?? "";
  const gap = last === "" ? ((lines[line - 1] ?? "") === "" ? "" : "\n") : "\n\n";
  return [{ line, from: last.length, to: last.length, text: `${gap}> [!edge] ${kind}: ${link}\n` }];
}

function headingKey(text: string): string {
  return text.normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean).join(" ");
}
