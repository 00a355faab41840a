import type { OpenViewState } from "obsidian";

/** How a file is opened at a line of its text: only Markdown has lines to go to, a canvas is opened as it is. */
export function openState(extension: string, line: number): OpenViewState {
  return extension === "md" ? { active: true, eState: { line: line - 1 } } : { active: true };
}

/** Markdown as a line of plain text: links as what they show, without marks, for a glance at a passage. */
export function glance(markdown: string): string {
  return markdown
    .replace(/^(?:```|~~~).*$/gm, "")
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]/g, "$1")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*(?:>\s*)+(?:\[![^\]]*\][-+]?\s*)?/gm, "")
    .replace(/^\s*(?:#{1,6}|[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/gm, "")
    .replace(/(\*\*|__|==|~~|`)(?=\S)(.+?)\1/g, "$2")
    .replace(/\s+/g, " ")
    .trim();
}

const JOINER = "\u2060";

/** Markdown of a note, made fit to be looked at: nothing is loaded, embedded or run, code is only shown. */
export function quiet(markdown: string): string {
  return markdown
    .replace(/!(?=\[)/g, `!${JOINER}`)
    .replace(/<(?=[A-Za-z/!?])/g, `<${JOINER}`)
    .replace(/^([ \t>]*(?:`{3,}|~{3,})[ \t]*)(?=[^\s`~])/gm, `$1${JOINER}`)
    .replace(/`(?=\$?=)/g, `\`${JOINER}`);
}
