import type { OpenViewState } from "obsidian";

/** How a file is opened at a line of its text: only Markdown has lines to go to, a canvas is opened as it is. */
export function openState(extension: string, line: number): OpenViewState {
  return extension === "md" ? { active: true, eState: { line: line - 1 } } : { active: true };
}
