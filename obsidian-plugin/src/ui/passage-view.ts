import type { Component } from "obsidian";
import type { RenderMarkdown } from "./answer";
import { pieces } from "./matched";
import { quiet } from "./passage";

/** Draws a passage as its note shows it, with the words that matched marked; as plain text until it is rendered. */
export async function drawPassage(into: HTMLElement, text: string, words: readonly string[], render: RenderMarkdown, owner: Component): Promise<void> {
  drawText(into, text, words);
  into.addClass("is-plain");
  const drawn = createDiv();
  await render(quiet(text), drawn, owner);
  if (!drawn.hasChildNodes()) return;
  for (const link of drawn.findAll("a")) link.replaceWith(createSpan({ cls: "mindnet-passage-link", text: link.textContent ?? "" }));
  for (const field of drawn.findAll("input, button")) field.setAttrs({ disabled: "true", tabindex: "-1", "aria-hidden": "true" });
  markWords(drawn, words);
  into.removeClass("is-plain");
  into.replaceChildren(...Array.from(drawn.childNodes));
}

/** Text with the words that matched marked. */
export function drawText(parent: HTMLElement, text: string, words: readonly string[]): void {
  parent.append(...markedNodes(text, words));
}

function markWords(root: HTMLElement, words: readonly string[]): void {
  const walker = root.doc.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) text.replaceWith(...markedNodes(text.data, words));
}

function markedNodes(text: string, words: readonly string[]): (Node | string)[] {
  return pieces(text, words).map((piece) => (piece.marked ? createEl("mark", { text: piece.text }) : piece.text));
}
