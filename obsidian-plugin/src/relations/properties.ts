import type { Change, Wish } from "./write";
import { bodyStart, linkSpans } from "./written";

const KEY = /^(\s*)(["']?)([^"':[\]{}]+?)\2\s*:/;

/** Another kind for a relation among the properties; null where a key would stand there twice, or a list is in one line. */
export function propertyChanges(lines: readonly string[], { edge, kind, leads }: Wish): Change[] | null {
  const fence = bodyStart(lines) - 1;
  for (const line of nearest(edge.line - 1, fence)) {
    const text = lines[line] ?? "";
    const links = linkSpans(text, line);
    if (!links.some(({ target }) => leads(target))) continue;
    const keyLine = ownerOf(lines, line);
    const key = KEY.exec(lines[keyLine] ?? "");
    if (key === null || isTaken(lines, fence, kind)) return null;
    const [whole, indent = "", quote = "", name = ""] = key;
    if (keyLine === line) {
      return links.length === 1 ? [{ line, from: indent.length, to: whole.lastIndexOf(":"), text: kind }] : null;
    }
    const items = itemsBelow(lines, keyLine, fence);
    const from = indent.length;
    if (items === 1) return [{ line: keyLine, from, to: from + quote.length * 2 + name.length, text: kind }];
    const last = keyLine + items;
    const below = `${indent}${kind}: ${text.replace(/^\s*-\s+/, "")}`;
    const end = lines[last]?.length ?? 0;
    if (line === last) return [{ line, from: 0, to: end, text: below }];
    return [
      { line, from: 0, endLine: line + 1, to: 0, text: "" },
      { line: last, from: end, to: end, text: `\n${below}` },
    ];
  }
  return null;
}

function nearest(near: number, end: number): number[] {
  const all = Array.from({ length: Math.max(0, end - 1) }, (_, index) => index + 1);
  return all.sort((one, other) => Math.abs(one - near) - Math.abs(other - near));
}

/** The line with the key that an item belongs to. */
function ownerOf(lines: readonly string[], line: number): number {
  let at = line;
  while (at > 0 && /^\s*-\s/.test(lines[at] ?? "")) at--;
  return at;
}

function itemsBelow(lines: readonly string[], keyLine: number, end: number): number {
  let count = 0;
  while (keyLine + 1 + count < end && /^\s*-\s/.test(lines[keyLine + 1 + count] ?? "")) count++;
  return count;
}

function isTaken(lines: readonly string[], end: number, kind: string): boolean {
  return lines.slice(1, end).some((line) => KEY.exec(line)?.[3]?.trim() === kind);
}
