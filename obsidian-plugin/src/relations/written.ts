import { linksIn } from "../editor/links";

/** A stretch of one line; lines and places in them count from 0. */
export interface Span {
  line: number;
  from: number;
  to: number;
}

export interface LinkSpan extends Span {
  target: string;
}

/** How a relation is written: `rel: kind [[X]]`, `[[rel:kind X]]`, `kind:: [[X]]`, `(kind:: [[X]])`, `> [!edge] kind: [[X]]`. */
export type Form = "rel" | "link" | "field" | "bracket" | "callout";

/** A written relation: where its kind stands (a `candidate:` before it included), and the links that it has. */
export interface Relation {
  form: Form;
  kind: Span;
  name: string;
  candidate: boolean;
  links: readonly LinkSpan[];
}

const CALLOUT = /^\s*(?:>\s*)+\[!edge\][-+]?/i;
const REL = /(?<![\p{L}\p{N}_:/])rel:[ \t]*((?:candidate:[ \t]*)?[\p{L}_][\p{L}\p{N}_./-]*)[ \t]*:?/giu;
const IN_LINK = /^\[\[rel:\s*((?:candidate:\s*)?[^\s|\]]+)/i;
const BRACKET = /[([]\s*([^()[\]:]+?)\s*::/g;
const FIELD = /^(\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[.\]\s+)?)([^:[\]()>]+?)::/;
const CANDIDATE = /^candidate:\s*/i;

/** The first line of the body. */
export function bodyStart(lines: readonly string[]): number {
  if (!/^---\s*$/.test(lines[0] ?? "")) return 0;
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  return end < 0 ? 0 : end + 1;
}

export function linkSpans(text: string, line: number): LinkSpan[] {
  return linksIn(text).map(({ start, end, target }) => ({ line, from: start, to: end, target }));
}

/** The line at which the callout of relations begins that this line is in; -1 when it is in none. */
export function calloutStart(lines: readonly string[], line: number): number {
  for (let at = line; at >= 0 && /^\s*>/.test(lines[at] ?? ""); at--) {
    if (CALLOUT.test(lines[at] ?? "")) return at;
    if (/^\s*(?:>\s*)+\[!/.test(lines[at] ?? "")) return -1;
  }
  return -1;
}

/** The relations that a line takes part in; one of a callout may have begun above. */
export function relationsAt(lines: readonly string[], line: number): Relation[] {
  const text = lines[line] ?? "";
  const start = calloutStart(lines, line);
  if (start >= 0) return calloutRelations(lines, start).filter(({ kind, links }) => kind.line === line || links.some((one) => one.line === line));
  const links = linkSpans(text, line);
  const inLinks = links.flatMap((link) => {
    const match = IN_LINK.exec(text.slice(link.from, link.to));
    const token = match?.[1];
    return token === undefined ? [] : [relation("link", line, link.from + match![0].length - token.length, token, [link])];
  });
  return [...inLinks, ...relLines(text, line, links), ...fields(text, line, links)];
}

function relLines(text: string, line: number, links: readonly LinkSpan[]): Relation[] {
  return [...text.matchAll(REL)].flatMap((match) => {
    const token = match[1] ?? "";
    if (links.some(({ from, to }) => match.index > from && match.index < to)) return [];
    const end = match.index + match[0].length;
    return [relation("rel", line, match.index + match[0].lastIndexOf(token), token, following(text, end, links))];
  });
}

function fields(text: string, line: number, links: readonly LinkSpan[]): Relation[] {
  const brackets = [...text.matchAll(BRACKET)].flatMap((match) => {
    if (links.some(({ from, to }) => match.index >= from && match.index < to)) return [];
    const end = match.index + match[0].length;
    const own = following(text, end, links);
    const token = match[1] ?? "";
    return own.length === 0 ? [] : [relation("bracket", line, match.index + match[0].indexOf(token), token, own)];
  });
  const match = FIELD.exec(text);
  if (match === null || links.length === 0) return brackets;
  const [, before = "", key = ""] = match;
  return [...brackets, relation("field", line, before.length, key, links.filter(({ from }) => from >= match[0].length))];
}

/** The links behind a place, up to the first text that is neither link, comma nor blank. */
function following(text: string, end: number, links: readonly LinkSpan[]): LinkSpan[] {
  const found: LinkSpan[] = [];
  let at = end;
  for (const link of links) {
    if (link.from < at) continue;
    if (!/^[\s,]*$/.test(text.slice(at, link.from))) break;
    found.push(link);
    at = link.to;
  }
  return found;
}

function calloutRelations(lines: readonly string[], start: number): Relation[] {
  const found: { token: Span; name: string; links: LinkSpan[] }[] = [];
  for (let line = start; line < lines.length; line++) {
    const text = lines[line] ?? "";
    if (!/^\s*>/.test(text)) break;
    const prefix = /^\s*(?:>\s*)+(?:\[![^\]]*\][-+]?)?\s*(?:(?:[-*+]|\d+[.)])\s+)?/.exec(text)?.[0].length ?? 0;
    let at = prefix;
    for (const link of linkSpans(text, line)) {
      const between = text.slice(at, link.from);
      const kind = /([^\s:,;.()][^:,;.()]*?)\s*:\s*$/.exec(between);
      if (kind?.[1] !== undefined) found.push({ token: { line, from: at + kind.index, to: at + kind.index + kind[1].length }, name: kind[1], links: [] });
      found.at(-1)?.links.push(link);
      at = link.to;
    }
  }
  return found.map(({ token, name, links }) => relation("callout", token.line, token.from, name, links));
}

function relation(form: Form, line: number, from: number, token: string, links: readonly LinkSpan[]): Relation {
  return { form, kind: { line, from, to: from + token.length }, name: token.replace(CANDIDATE, ""), candidate: CANDIDATE.test(token), links };
}
