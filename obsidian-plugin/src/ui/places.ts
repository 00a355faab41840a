import type { HoverParent } from "obsidian";
import type { Translate } from "../i18n";
import { placeTitle, type Place } from "../chat/as-note";
import { opensBy } from "./opens";
import type { OpenPassage } from "./reasons";

/** A passage in the vault, as sources and citations name it. */
export interface Passage extends Place {
  start_line: number;
}

/** What elements that lead to passages need: how to open one, and how to show one while the pointer is on it. */
export interface Reach {
  open: OpenPassage;
  /** Shows the note around a line beside `target`, as the app's page preview does. */
  preview(event: MouseEvent, target: HTMLElement, path: string, line: number, parent: HoverParent): void;
  /** Opens what a link in rendered Markdown leads to. */
  openLink(link: string, newTab: boolean): void;
}

/** A button opens the passage, and shows it to the pointer. */
export function leadsTo(button: HTMLElement, { path, start_line }: Passage, reach: Reach, parent: HoverParent): void {
  opensBy(button, (newTab) => reach.open(path, start_line, newTab));
  button.addEventListener("mouseover", (event) => reach.preview(event, button, path, start_line, parent));
}

/** The number of a source in an answer: a button that opens its passage. */
export function drawCitation(number: number, passage: Passage, t: Translate, reach: Reach, parent: HoverParent): HTMLElement {
  const button = createEl("button", {
    cls: "mindnet-citation",
    text: String(number),
    attr: { type: "button", "data-number": String(number), "aria-label": t("citation", { number, title: placeTitle(passage), line: passage.start_line }) },
  });
  leadsTo(button, passage, reach, parent);
  return button;
}

/** Links in rendered Markdown work as they do in a note. */
export function followLinks(root: HTMLElement, reach: Reach): void {
  root.addEventListener("click", (event) => {
    const link = (event.target as HTMLElement).closest<HTMLElement>("a.internal-link");
    if (link === null || !root.contains(link)) return;
    event.preventDefault();
    reach.openLink(link.dataset.href ?? link.getAttribute("href") ?? "", event.ctrlKey || event.metaKey);
  });
}
