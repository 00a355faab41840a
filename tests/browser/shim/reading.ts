/** A note in the reading view: its sections rendered, and handed to the plugin as the app does. */
import type { Component, MarkdownPostProcessor, MarkdownPostProcessorContext } from "obsidian";
import { drawMarkdown } from "./markdown";

/** Draws the note; the function given takes away again what the plugin has added to it. */
export async function readNote(root: HTMLElement, path: string, text: string, processors: readonly MarkdownPostProcessor[]): Promise<() => void> {
  const children: Component[] = [];
  root.empty();
  root.createEl("h3", { cls: "inline-title", text: path });
  const lines = text.split("\n");
  for (let first = 0; first < lines.length; first++) {
    if (lines[first]!.trim() === "") continue;
    let last = first;
    while (last + 1 < lines.length && lines[last + 1]!.trim() !== "") last++;
    const section = root.createDiv({ cls: "markdown-rendered" });
    drawMarkdown(lines.slice(first, last + 1).join("\n"), section);
    const place = { text, lineStart: first, lineEnd: last };
    const context = {
      sourcePath: path,
      getSectionInfo: () => place,
      addChild: (child: Component) => {
        children.push(child);
        child.load();
      },
    };
    for (const process of processors) await process(section, context as unknown as MarkdownPostProcessorContext);
    first = last;
  }
  return () => {
    for (const child of children) child.unload();
    root.empty();
  };
}
