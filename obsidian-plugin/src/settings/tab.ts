import { PluginSettingTab, type App, type Plugin, type Setting, type SettingDefinitionItem, type SettingDefinitionRender } from "obsidian";
import type { ConfigOut } from "../sidecar/wire";
import { drawCheckLine } from "../ui/check-line";
import { drawKept, type KeptHost } from "../ui/kept-setting";
import { MODES } from "../views/modes";
import type { CheckLine, Mend } from "./check";
import { FOLDERS, MODELS, type InForce } from "./in-force";
import { FEWEST_RESULTS, MOST_RESULTS, TOKEN_SECRET, type Settings } from "./settings";

/** What the tab needs of the plugin. */
export interface SettingsHost extends KeptHost {
  settings: Settings;
  /** Keeps the settings; `reconnect` when one of those that say where the sidecar is has changed. */
  save(reconnect: boolean): Promise<void>;
  /** Looks at everything that can be wrong. */
  examine(): Promise<CheckLine[]>;
  /** The sidecar's own settings; null while it is not there. */
  config(): Promise<ConfigOut | null>;
  /** Whether this device can run a sidecar. */
  canStart: boolean;
  mend(mend: Mend): void;
}

const TOKEN_KEY = "token";
type Key = keyof Settings | typeof TOKEN_KEY;
const CONNECTION_KEYS: ReadonlySet<string> = new Set<Key>(["findBySelf", "url", TOKEN_KEY]);

/** Connection, language, search, privacy, models, badges; and a check that says what is wrong. */
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
        heading: t("settingsPrivacy"),
        items: [
          { name: t("settingsPrivate"), desc: t("settingsPrivateDesc"), control: { type: "toggle", key: "includePrivate" } },
          ...FOLDERS.map((one) => this.shown(one)),
        ],
      },
      { type: "group", heading: t("settingsModels"), items: MODELS.map((one) => this.shown(one)) },
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

  /** A setting of the sidecar: its value, and the file where it is changed. */
  private shown(one: InForce): SettingDefinitionRender {
    const { t } = this.host;
    return { name: t(one.name), desc: t(one.desc), render: (setting) => void this.drawInForce(setting, one) };
  }

  private async drawInForce(setting: Setting, one: InForce): Promise<void> {
    const { host } = this;
    setting.settingEl.addClass("mindnet-in-force");
    const config = await host.config();
    if (config === null) setting.controlEl.createSpan({ cls: "mindnet-muted", text: host.t("forceUnknown") });
    else drawKept(setting, one, config, host);
  }

  private drawCheck(setting: Setting): void {
    const { t } = this.host;
    setting.settingEl.addClass("mindnet-check");
    const lines = setting.settingEl.createEl("ul", { cls: "mindnet-check-lines", attr: { "aria-live": "polite" } });
    setting.addButton((button) => {
      const look = async () => {
        button.setDisabled(true);
        const found = await this.host.examine();
        lines.empty();
        for (const line of found) drawCheckLine(lines, line, t, (mend) => (mend.does === "look" ? void look() : this.host.mend(mend)));
        button.setDisabled(false);
      };
      button.setButtonText(t("checkRun")).onClick(look);
    });
  }
}
