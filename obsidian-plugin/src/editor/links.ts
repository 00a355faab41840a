import type { EdgeOut } from "../sidecar/wire";

/** A link in a line of text: where it is, and what it names. */
export interface WrittenLink {
  start: number;
  end: number;
  target: string;
}

const LINK = /\[\[([^\]]+?)\]\]|\[[^\]]*\]\((<[^>]+>|[^)\s]+)\)/g;

/** The links of a line, in order, whichever way they are written. */
export function linksIn(line: string): WrittenLink[] {
  return [...line.matchAll(LINK)].map((match) => {
    const written = match[1] ?? decoded(match[2]?.replace(/^<|>$/g, "") ?? "");
    return { start: match.index, end: match.index + match[0].length, target: nameOf(written) };
  });
}

/** What a link names, without label, section, relation and ending. */
export function nameOf(written: string): string {
  const [first = "", label] = written.split("|");
  const relation = /^rel:\s*(?:candidate:)?(\S+)(?:\s+(.*))?$/.exec(first);
  // `[[rel:kind|X]]` has its target where others have a label.
  const named = relation === null ? first : (relation[2] ?? label ?? "");
  return (named.split("#")[0] ?? "").trim().replace(/\.md$/i, "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a link by this name leads where the edge does; `resolved` is the path that the app finds for it. */
export function leadsThere(name: string, resolved: string | null, { target }: EdgeOut, own: string): boolean {
  if (name === "") return target.path === own;
  if (resolved !== null && target.path !== "") return resolved === target.path;
  const wanted = folded(name);
  const path = target.path.replace(/\.md$/i, "");
  return [path, path.split("/").pop() ?? "", target.title, target.note_id].some((one) => folded(one) === wanted);
}

function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
