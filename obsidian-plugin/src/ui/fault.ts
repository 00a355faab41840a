import type { FaultText } from "../chat/faults";
import type { Translate } from "../i18n";
import { iconButton } from "./icon-button";

/** What is wrong and what to do, with a button that copies the command. */
export function drawFault(parent: HTMLElement, fault: FaultText, t: Translate, copy: (text: string) => void): HTMLElement {
  const box = parent.createDiv({ cls: "mindnet-fault" });
  box.createDiv({ cls: "mindnet-fault-title", text: fault.title });
  if (fault.hint) {
    const hint = box.createDiv({ cls: "mindnet-fault-hint" });
    for (const piece of fault.hint.split(/(`[^`]+`)/)) {
      if (/^`[^`]+`$/.test(piece)) hint.createEl("code", { text: piece.slice(1, -1) });
      else if (piece) hint.appendText(piece);
    }
    const { command } = fault;
    if (command !== null) iconButton(hint, "copy", t("copyCommand", { command }), () => copy(command));
  }
  if (fault.detail) box.createDiv({ cls: "mindnet-muted", text: t("stateFailed", { message: fault.detail }) });
  return box;
}
