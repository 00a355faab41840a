/** What the app's page preview does: a note around a line, beside what the pointer is on. */
export interface HoverLink {
  targetEl: HTMLElement;
  linktext: string;
  state?: { scroll?: number };
}

const LINES_AROUND = 6;

export async function showPreview({ targetEl, linktext, state }: HoverLink, textOf: (path: string) => Promise<string>): Promise<void> {
  document.querySelector(".hover-popover")?.remove();
  const popover = createDiv({ cls: "popover hover-popover" });
  targetEl.addEventListener("mouseout", () => popover.remove(), { once: true });
  const lines = (await textOf(linktext)).split("\n");
  const first = Math.max(0, (state?.scroll ?? 0) - 1);
  popover.createDiv({ cls: "inline-title", text: linktext });
  popover.createDiv({ cls: "popover-text", text: lines.slice(first, first + LINES_AROUND).join("\n") });
  const { left, bottom } = targetEl.getBoundingClientRect();
  popover.setCssStyles({ top: `${bottom + 6}px`, left: `${Math.max(8, Math.min(left, window.innerWidth - 340))}px` });
  document.body.append(popover);
}
