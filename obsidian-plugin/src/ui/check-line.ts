import { setIcon } from "obsidian";
import type { TextKey, Translate } from "../i18n";
import type { CheckLine, Mend } from "../settings/check";

const LABELS: Record<Mend["does"], TextKey> = {
  start: "mendStart",
  look: "lookAgain",
  settings: "openSettings",
  import: "mendImport",
  copy: "mendCopy",
  open: "mendOpen",
};

/** A line of a check; one that is not well says what to do, and has the button that does it. */
export function drawCheckLine(list: HTMLElement, line: CheckLine, t: Translate, onMend: (mend: Mend) => void): void {
  const item = list.createEl("li", { attr: { "data-ok": String(line.ok) } });
  setIcon(item.createSpan({ cls: "mindnet-icon", attr: { "aria-label": line.ok ? "✓" : "✗", role: "img" } }), line.ok ? "check" : "x");
  item.createSpan({ text: line.text });
  if (line.fix !== undefined) item.createDiv({ cls: "mindnet-muted mindnet-check-fix", text: line.fix });
  const { mend } = line;
  if (mend === undefined) return;
  const text = t(LABELS[mend.does]);
  const button = item.createEl("button", { cls: "mindnet-mend", text, attr: { type: "button", "aria-label": `${text} (${line.text})` } });
  button.addEventListener("click", () => onMend(mend));
}
