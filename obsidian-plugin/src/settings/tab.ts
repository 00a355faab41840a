import { PluginSettingTab, type App, type Plugin, type Setting, type SettingDefinitionItem } from "obsidian";
import type { Translate } from "../i18n";
import { drawCheckLine } from "../ui/check-line";
import { MODES } from "../views/modes";
import type { CheckLine, Mend } from "./check";
import { FEWEST_RESULTS, MOST_RESULTS, TOKEN_SECRET, type Settings } from "./settings";

/** What the tab needs of the plugin. */
export interface SettingsHost {
  settings: Settings;
  t: Translate;
  /** Keeps the settings; `reconnect` when one of those that say where the sidecar is has changed. */
  save(reconnect: boolean): Promise<void>;
  check(): Promise<CheckLine[]>;
  /** Whether this device can run a sidecar. */
  canStart: boolean;
  mend(mend: Mend): void;
}

const TOKEN_KEY = "token";
type Key = keyof Settings | typeof TOKEN_KEY;
const CONNECTION_KEYS: ReadonlySet<string> = new Set<Key>(["findBySelf", "url", TOKEN_KEY]);

/** Connection, language, search; and a check that says what is wrong. */
export class SettingsTab extends PluginSettingTab {
  constructor(
    app: App,
    plugin: Plugin,
    private readonly host: SettingsHost,
  ) {
    super(app, plugin);
  }

  override getSettingDefinitions(): SettingDefinitionItem<Key>[] {
    const { host } = this;
    const { t, settings } = host;
    const manual = () => !settings.findBySelf;
    return [
      {
        type: "group",
        heading: t("settingsConnection"),
        items: [
          { name: t("settingsAuto"), desc: t("settingsAutoDesc"), control: { type: "toggle", key: "findBySelf" } },
          { name: t("settingsUrl"), desc: t("settingsUrlDesc"), visible: manual, control: { type: "text", key: "url", placeholder: "http://127.0.0.1:8765" } },
          { name: t("settingsToken"), desc: t("settingsTokenDesc"), visible: manual, control: { type: "text", key: TOKEN_KEY } },
          { name: t("settingsProgram"), desc: t("settingsProgramDesc"), visible: () => settings.findBySelf && host.canStart, control: { type: "text", key: "program", placeholder: "/path/to/mindnet" } },
          { name: t("settingsStart"), desc: t("settingsStartDesc"), visible: () => settings.findBySelf && host.canStart, control: { type: "toggle", key: "startWithApp" } },
          { name: t("settingsCheck"), desc: t("settingsCheckDesc"), render: (setting) => this.drawCheck(setting) },
        ],
      },
      {
        type: "group",
        heading: t("settingsSearch"),
        items: [
          {
            name: t("settingsLanguage"),
            desc: t("settingsLanguageDesc"),
            control: { type: "dropdown", key: "language", options: { auto: t("languageAuto"), de: "Deutsch", en: "English" } },
          },
          {
            name: t("settingsMode"),
            desc: t("settingsModeDesc"),
            control: { type: "dropdown", key: "mode", options: Object.fromEntries(MODES.map(({ mode, hint }) => [mode, t(hint)])) },
          },
          { name: t("settingsTopK"), desc: t("settingsTopKDesc"), control: { type: "slider", key: "topK", min: FEWEST_RESULTS, max: MOST_RESULTS, step: 1 } },
        ],
      },
      {
        type: "group",
        heading: t("settingsBadges"),
        items: [
          { name: t("badgesExplicit"), desc: t("badgesExplicitDesc"), control: { type: "toggle", key: "badgesExplicit" } },
          { name: t("badgesSmart"), desc: t("badgesSmartDesc"), control: { type: "toggle", key: "badgesSmart" } },
          { name: t("badgesRule"), desc: t("badgesRuleDesc"), control: { type: "toggle", key: "badgesRule" } },
        ],
      },
    ];
  }

  override getControlValue(key: string): unknown {
    if (key === TOKEN_KEY) return this.app.secretStorage.getSecret(TOKEN_SECRET) ?? "";
    return this.host.settings[key as keyof Settings];
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    if (key === TOKEN_KEY) this.app.secretStorage.setSecret(TOKEN_SECRET, String(value).trim());
    else Object.assign(this.host.settings, { [key]: value });
    await this.host.save(CONNECTION_KEYS.has(key));
  }

  private drawCheck(setting: Setting): void {
    const { t } = this.host;
    setting.settingEl.addClass("mindnet-check");
    const lines = setting.settingEl.createEl("ul", { cls: "mindnet-check-lines", attr: { "aria-live": "polite" } });
    setting.addButton((button) =>
      button.setButtonText(t("checkRun")).onClick(async () => {
        button.setDisabled(true);
        const found = await this.host.check();
        lines.empty();
        for (const line of found) drawCheckLine(lines, line, t, (mend) => this.host.mend(mend));
        button.setDisabled(false);
      }),
    );
  }
}
