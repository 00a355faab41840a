const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/**
 * Where the next block of growing Markdown ends, seen from `from`; null while it may still grow.
 *
 * A block ends at a blank line after which something else begins: not inside a fence or a formula, and not before
 * the next item or an indented part of a list. What is before the end is drawn once and never again.
 */
export function blockEnd(text: string, from: number): number | null {
  let position = from;
  let fence = "";
  let formula = false;
  let blank = false;
  let content = false;
  let list = false;
  while (position < text.length) {
    const newline = text.indexOf("\n", position);
    const line = text.slice(position, newline < 0 ? text.length : newline);
    const outside = fence === "" && !formula;
    if (outside && line.trim() === "") {
      if (newline < 0) return null;
      blank = content;
    } else {
      // A line that has just begun may become anything yet.
      const decided = newline >= 0 || !/^\s*(?:[-*+]|\d{1,9}[.)]?)?\s?$/.test(line);
      if (outside && blank) {
        if (!decided) return null;
        if (!(list && (/^\s/.test(line) || LIST_ITEM.test(line)))) return position;
      }
      blank = false;
      if (outside && !content) list = LIST_ITEM.test(line);
      content = true;
      const mark = FENCE.exec(line)?.[1];
      if (fence !== "") {
        if (mark?.startsWith(fence) && line.trim() === mark) fence = "";
      } else if (mark !== undefined) fence = mark;
      else if ((line.match(/\$\$/g)?.length ?? 0) % 2 === 1) formula = !formula;
    }
    if (newline < 0) return null;
    position = newline + 1;
  }
  return null;
}
