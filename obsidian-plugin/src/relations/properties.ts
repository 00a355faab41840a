import { linksIn } from "../editor/links";
import type { Change, Wish } from "./write";
import { bodyStart } from "./written";

const KEY = /^(\s*)(["']?)([^"':[\]{}#]+?)\2\s*:(?=\s|$)[ \t]*/;
const ITEM = /^(\s*)-\s+/;

/** A property that holds links and nothing else: in a list below its key, in a list in its line, or without a list. */
interface Property {
  /** The first line, and the one behind the last. */
  line: number;
  end: number;
  /** What stands before the value in the first line. */
  head: string;
  indent: string;
  style: "items" | "list" | "plain";
  /** Each as it stands there, its quotes included. */
  links: readonly { text: string; target: string; line: number }[];
}

/** Another kind for a relation among the properties; null where something else than links stands in its property. */
export function propertyChanges(lines: readonly string[], { edge, kind, leads }: Wish): Change[] | null {
  const fence = bodyStart(lines) - 1;
  const all = properties(lines, fence);
  const there = all.filter(({ links }) => links.some(({ target }) => leads(target)));
  const away = ({ links }: Property) => Math.min(...links.map(({ line }) => Math.abs(line - edge.line + 1)));
  const own = there.sort((one, other) => away(one) - away(other))[0];
  if (own === undefined) return null;
  const moved = own.links.find(({ target }) => leads(target));
  const same = keyLines(lines, fence).find(({ indent, name, block }) => name === kind && indent === own.indent && block === blockOf(lines, own.line));
  if (moved === undefined) return null;
  if (same === undefined) {
    if (own.links.length === 1) return [renamed(lines, own, kind)];
    return [without(lines, own, moved.text, `${own.indent}${kind}: ${quoted(moved.text)}`)];
  }
  // A key may stand there once: the property that has it takes the link too.
  const taking = all.find(({ line }) => line === same.line);
  return taking === undefined ? null : [without(lines, own, moved.text), taken(lines, taking, moved.text)];
}

/** Another key: what stands behind it stays. */
function renamed(lines: readonly string[], { line }: Property, kind: string): Change {
  const [, indent = "", quote = "", name = ""] = KEY.exec(lines[line] ?? "") ?? [];
  return { line, from: indent.length, to: indent.length + quote.length * 2 + name.length, text: kind };
}

/** The property without one of its links, and a line below it. */
function without(lines: readonly string[], own: Property, moved: string, below?: string): Change {
  const others = own.links.map(({ text }) => text).filter((text) => text !== moved);
  const items = lines.slice(own.line, own.end).filter((text) => text.replace(ITEM, "").trim() !== moved);
  const kept = others.length === 0 ? [] : own.style === "items" ? items : [own.head + valueOf(others)];
  const left = [...kept, ...(below === undefined ? [] : [below])];
  return { line: own.line, from: 0, endLine: own.end, to: 0, text: left.map((text) => `${text}\n`).join("") };
}

/** The property with one link more; what was no list becomes one. */
function taken(lines: readonly string[], own: Property, more: string): Change {
  const last = own.end - 1;
  const end = lines[last]?.length ?? 0;
  if (own.style === "items") return { line: last, from: end, to: end, text: `\n${ITEM.exec(lines[last] ?? "")?.[0] ?? "- "}${quoted(more)}` };
  return { line: own.line, from: 0, to: end, text: own.head + valueOf([...own.links.map(({ text }) => text), more]) };
}

function valueOf(links: readonly string[]): string {
  return `[${links.map(quoted).join(", ")}]`;
}

/** A link stands in quotes, as the app writes it. */
function quoted(link: string): string {
  return /^["']/.test(link) ? link : `"${link}"`;
}

function properties(lines: readonly string[], fence: number): Property[] {
  return keyLines(lines, fence).flatMap(({ line, head, indent }): Property[] => {
    const value = (lines[line] ?? "").slice(head.length).trim();
    if (value === "") {
      let end = line + 1;
      while (end < fence && ITEM.test(lines[end] ?? "")) end++;
      const items = lines.slice(line + 1, end).map((text, index) => links(text.replace(ITEM, "").trim(), line + 1 + index));
      if (items.length === 0 || items.some((one) => one?.length !== 1)) return [];
      return [{ line, end, head, indent, style: "items", links: items.flatMap((one) => one ?? []) }];
    }
    // `[[A]]` begins as a list does, and is a link.
    const list = /^\[(?!\[[^[])(.*)\]$/.exec(value)?.[1];
    const found = links(list ?? value, line);
    if (found === null) return [];
    return [{ line, end: line + 1, head, indent, style: list === undefined && found.length === 1 ? "plain" : "list", links: found }];
  });
}

/** The links of a value, where commas and quotes are all that stands between them. */
function links(value: string, line: number): { text: string; target: string; line: number }[] | null {
  const found = linksIn(value);
  const between = found.map(({ start }, index) => value.slice(found[index - 1]?.end ?? 0, start));
  const rest = [...between, value.slice(found.at(-1)?.end ?? 0)];
  if (found.length === 0 || rest.some((text) => !/^["',\s]*$/.test(text))) return null;
  return found.map(({ start, end, target }) => {
    const [before = "", after = ""] = [value[start - 1], value[end]];
    const around = /["']/.test(before) && before === after ? 1 : 0;
    return { text: value.slice(start - around, end + around), target, line };
  });
}

function keyLines(lines: readonly string[], fence: number): { line: number; head: string; indent: string; name: string; block: number }[] {
  return lines.slice(0, Math.max(0, fence)).flatMap((text, line) => {
    const key = line === 0 ? null : KEY.exec(text);
    return key === null ? [] : [{ line, head: key[0], indent: key[1] ?? "", name: key[3] ?? "", block: blockOf(lines, line) }];
  });
}

/** The key line that this one is indented below; -1 for one that is not indented. */
function blockOf(lines: readonly string[], line: number): number {
  const indent = /^\s*/.exec(lines[line] ?? "")?.[0].length ?? 0;
  if (indent === 0) return -1;
  let at = line - 1;
  while (at > 0 && (/^\s*/.exec(lines[at] ?? "")?.[0].length ?? 0) >= indent) at--;
  return at;
}
