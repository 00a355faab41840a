import { setIcon } from "obsidian";

/** A button that shows an icon and is called what it does. */
export function iconButton(parent: HTMLElement, icon: string, label: string, onClick: () => void): HTMLButtonElement {
  const button = parent.createEl("button", { cls: "clickable-icon mindnet-icon-button", attr: { type: "button" } });
  changeIcon(button, icon, label);
  button.addEventListener("click", onClick);
  return button;
}

/** Gives a button another icon and name; one in focus stays so. */
export function changeIcon(button: HTMLElement, icon: string, label: string): void {
  setIcon(button, icon);
  button.setAttribute("aria-label", label);
}
