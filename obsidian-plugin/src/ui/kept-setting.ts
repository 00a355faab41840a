import type { Setting } from "obsidian";
import type { Translate } from "../i18n";
import { keptIn, valuesOf, type Editor, type InForce } from "../settings/in-force";
import { SidecarError } from "../sidecar/transport";
import type { ConfigOut, SettingChange, Status } from "../sidecar/wire";
import { iconButton } from "./icon-button";

/** What showing and changing the sidecar's settings takes. */
export interface KeptHost {
  t: Translate;
  status(): Status | null;
  /** Has the sidecar write a setting; gives all of them as they are then. */
  change(change: SettingChange): Promise<ConfigOut>;
  /** Whether the sidecar is a child of this app, which can start it again. */
  isOurs(): boolean;
  startAgain(): void;
  copy(text: string): void;
}

type Input = HTMLTextAreaElement | HTMLSelectElement | HTMLInputElement;

/** A setting that the sidecar keeps: its value, or a field to change it, and what is to be known of it. */
export function drawKept(setting: Setting, one: InForce, config: ConfigOut, host: KeptHost): void {
  const { t } = host;
  const { settingEl, controlEl } = setting;
  const values = valuesOf(one.file, config, host.status(), t);
  const kept = keptIn(one, config, values);
  controlEl.empty();
  for (const old of settingEl.findAll(".mindnet-in-force-where")) old.remove();
  if (kept.changeable && one.editor !== undefined) {
    const input = drawInput(controlEl, one.editor(values), one.written?.(values) ?? "");
    input.setAttribute("aria-label", t(one.name));
    input.addEventListener("change", () => void write(input));
  } else controlEl.createSpan({ cls: "mindnet-in-force-value", text: one.words(values) });
  if (kept.waiting !== null) {
    const line = settingEl.createDiv({ cls: "mindnet-in-force-where mindnet-waits", text: t("forceWaits", { value: kept.waiting }), attr: { role: "status" } });
    if (host.isOurs()) line.createEl("button", { cls: "mindnet-mend", text: t("forceAgain"), attr: { type: "button" } }).addEventListener("click", () => host.startAgain());
  }
  const line = settingEl.createDiv({ cls: "mindnet-muted mindnet-in-force-where", text: kept.where });
  iconButton(line, "copy", `${t("copyPath")}: ${kept.path}`, () => host.copy(kept.path));

  async function write(input: Input): Promise<void> {
    input.disabled = true;
    try {
      let now = config;
      for (const change of one.changes?.(input.value) ?? []) now = await host.change(change);
      const held = input.doc.activeElement === input.doc.body;
      drawKept(setting, one, now, host);
      if (held) controlEl.querySelector<HTMLElement>("textarea, select, input")?.focus();
    } catch (cause) {
      // What was written stays, to be corrected.
      input.disabled = false;
      settingEl.querySelector(".mindnet-refused")?.remove();
      const text = cause instanceof SidecarError ? [cause.kind === "failed" ? cause.message : t("faultUnreachable"), cause.hint].filter(Boolean).join(" ") : String(cause);
      settingEl.createDiv({ cls: "mindnet-fault mindnet-in-force-where mindnet-refused", text, attr: { role: "alert" } });
    }
  }
}

function drawInput(parent: HTMLElement, editor: Editor, value: string): Input {
  switch (editor.kind) {
    case "lines": {
      const input = parent.createEl("textarea", { attr: { rows: String(Math.min(6, Math.max(2, value.split("\n").length))), spellcheck: "false" } });
      input.value = value;
      return input;
    }
    case "choice": {
      const input = parent.createEl("select", { cls: "dropdown" });
      for (const { value: one, text } of editor.choices) input.createEl("option", { value: one, text });
      input.value = value;
      return input;
    }
    case "word": {
      const input = parent.createEl("input", { type: "text", placeholder: editor.placeholder, attr: { spellcheck: "false" } });
      input.value = value;
      return input;
    }
  }
}
