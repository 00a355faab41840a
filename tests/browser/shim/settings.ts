/** Draws declarative settings with the app's class names. */
import { ButtonComponent, Setting } from "obsidian-test-mocks/obsidian";
import type { SettingDefinition, SettingDefinitionItem } from "obsidian";

interface Tab {
  containerEl: HTMLElement;
  getSettingDefinitions(): SettingDefinitionItem[];
  getControlValue(key: string): unknown;
  setControlValue(key: string, value: unknown): void | Promise<void>;
}

export function drawSettings(tab: Tab): void {
  tab.containerEl.empty();
  tab.containerEl.addClass("vertical-tab-content");
  drawItems(tab, tab.getSettingDefinitions());
}

function drawItems(tab: Tab, items: readonly SettingDefinitionItem[]): void {
  for (const item of items) {
    if ("items" in item && item.items) {
      if ("heading" in item && item.heading) tab.containerEl.createDiv({ cls: "setting-item setting-item-heading", text: String(item.heading) });
      drawItems(tab, item.items as SettingDefinitionItem[]);
      continue;
    }
    if ("visible" in item && typeof item.visible === "function" && !item.visible()) continue;
    drawItem(tab, item as SettingDefinition);
  }
}

function drawItem(tab: Tab, item: SettingDefinition): void {
  const row = tab.containerEl.createDiv({ cls: "setting-item" });
  const info = row.createDiv({ cls: "setting-item-info" });
  info.createDiv({ cls: "setting-item-name", text: item.name });
  info.createDiv({ cls: "setting-item-description", text: typeof item.desc === "string" ? item.desc : "" });
  const slot = row.createDiv({ cls: "setting-item-control" });
  if ("render" in item && item.render) {
    const setting = Setting.create__(slot);
    setting.settingEl = row;
    setting.controlEl = slot;
    (item.render as unknown as (setting: Setting) => void)(setting);
    // The mock's buttons are not wired to the element that is clicked.
    for (const component of setting.components) {
      if (component instanceof ButtonComponent) component.buttonEl.addEventListener("click", () => component.simulateClick__());
    }
    return;
  }
  if (!("control" in item) || !item.control) throw new Error(`harness: '${item.name}' has nothing to draw`);
  const { control } = item;
  const put = async (value: unknown) => {
    await tab.setControlValue(control.key, value);
    drawSettings(tab);
  };
  const value = tab.getControlValue(control.key);
  const attr = { "aria-label": item.name };
  switch (control.type) {
    case "toggle": {
      const input = slot.createEl("input", { type: "checkbox", attr });
      input.checked = Boolean(value);
      input.addEventListener("change", () => void put(input.checked));
      break;
    }
    case "text": {
      const input = slot.createEl("input", { type: "text", value: String(value), attr });
      input.addEventListener("change", () => void put(input.value));
      break;
    }
    case "dropdown": {
      const select = slot.createEl("select", { cls: "dropdown", attr });
      for (const [key, text] of Object.entries(control.options as Record<string, string>)) select.createEl("option", { value: key, text });
      select.value = String(value);
      select.addEventListener("change", () => void put(select.value));
      break;
    }
    case "slider": {
      const input = slot.createEl("input", { type: "range", attr: { ...attr, min: String(control.min), max: String(control.max) } });
      input.value = String(value);
      input.addEventListener("change", () => void put(Number(input.value)));
      break;
    }
    default:
      throw new Error(`harness: a control of type '${control.type}' is not drawn`);
  }
}
