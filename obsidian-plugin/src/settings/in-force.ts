import type { TextKey, Translate } from "../i18n";
import type { ConfigOut, SettingChange, SettingOut, Status } from "../sidecar/wire";

/** How a setting is changed: a pattern a line, one of a few, or a word. */
export type Editor = { kind: "lines" } | { kind: "choice"; choices: readonly { value: string; text: string }[] } | { kind: "word"; placeholder: string };

/** The values of the sidecar's settings by their keys in a file, and its status. */
export interface Values {
  of: (key: string) => SettingOut | undefined;
  status: Status | null;
  t: Translate;
}

/** A setting that the sidecar keeps in a file of the user's: shown here, and changed here where it can be. */
export interface InForce {
  name: TextKey;
  desc: TextKey;
  file: "mindnet" | "llm";
  key: string;
  /** Its value in words. */
  words: (values: Values) => string;
  editor?: (values: Values) => Editor;
  /** What stands in the editor. */
  written?: (values: Values) => string;
  /** What is to be written for what stands in the editor. */
  changes?: (input: string) => SettingChange[];
}

const text = ({ of }: Values, key: string) => of(key)?.value ?? "";
const lines = (key: string) => ({
  words: (values: Values) => text(values, key) || values.t("forceNone"),
  editor: () => ({ kind: "lines" }) as const,
  written: ({ of }: Values) => (of(key)?.entries ?? []).join("\n"),
  changes: (input: string) => [
    {
      key: `mindnet.${key}`,
      value: input
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    },
  ],
});

const OFF = "off";
const FOR_GOOD = "0";
const DAYS = ["30", "90", "365", FOR_GOOD];

const kept = (days: string, t: Translate) => (days === FOR_GOOD ? t("forceLogsForGood") : t("forceLogsKept", { days }));
const keptNow = (values: Values) => (text(values, "logs.enabled") === "on" ? text(values, "logs.keep_days") : OFF);

export const FOLDERS: readonly InForce[] = [
  { name: "forceExcluded", desc: "forceExcludedDesc", file: "mindnet", key: "vault.exclude", ...lines("vault.exclude") },
  { name: "forcePrivate", desc: "forcePrivateDesc", file: "mindnet", key: "vault.private", ...lines("vault.private") },
  {
    name: "forceLogs",
    desc: "forceLogsDesc",
    file: "mindnet",
    key: "logs.enabled",
    words: (values) => (keptNow(values) === OFF ? values.t("forceLogsOff") : kept(keptNow(values), values.t)),
    editor: (values) => {
      const { t } = values;
      const days = [...new Set([...DAYS, text(values, "logs.keep_days")])].sort((one, other) => (Number(one) || Infinity) - (Number(other) || Infinity));
      return { kind: "choice", choices: [{ value: OFF, text: t("forceLogsOff") }, ...days.map((value) => ({ value, text: kept(value, t) }))] };
    },
    written: keptNow,
    // How long comes first: nothing is deleted by a time that was not chosen.
    changes: (input) => (input === OFF ? [{ key: "mindnet.logs.enabled", value: false }] : [{ key: "mindnet.logs.keep_days", value: Number(input) }, { key: "mindnet.logs.enabled", value: true }]),
  },
];

export const MODELS: readonly InForce[] = [
  { name: "forceEmbedding", desc: "forceEmbeddingDesc", file: "mindnet", key: "embedding.provider", words: (values) => values.status?.embedding.model ?? text(values, "embedding.provider") },
  {
    name: "forceChat",
    desc: "forceChatDesc",
    file: "llm",
    key: "profiles.chat.model",
    words: (values) => values.status?.llm.model ?? (text(values, "profiles.chat.model") || first(values)),
    editor: (values) => ({ kind: "word", placeholder: text(values, "profiles.chat.model") === "" ? (values.status?.llm.model ?? first(values)) : first(values) }),
    written: (values) => text(values, "profiles.chat.model"),
    changes: (input) => [{ key: "llm.profiles.chat.model", value: input.trim() }],
  },
];

const first = (values: Values) => values.t("forceFirst", { backend: text(values, "profiles.chat.backend") });

export function valuesOf(file: InForce["file"], config: ConfigOut, status: Status | null, t: Translate): Values {
  const settings = new Map(config.settings.map((one) => [one.key, one]));
  return { of: (key) => settings.get(`${file}.${key}`), status, t };
}

/** Where a setting is kept, and what is to be known of it. */
export interface Kept {
  where: string;
  path: string;
  changeable: boolean;
  /** The value that is written and not yet in force; null where it is. */
  waiting: string | null;
}

export function keptIn({ file, key }: InForce, config: ConfigOut, values: Values): Kept {
  const { t } = values;
  const setting = values.of(key);
  const separator = config.folder.includes("\\") ? "\\" : "/";
  const path = `${config.folder}${separator}${file}.yaml`;
  const changeable = setting?.changeable === true;
  const isOverruled = setting !== undefined && !setting.changeable && /^(?:[A-Z_]+|command line)$/.test(setting.origin);
  const where = isOverruled ? t("forceSetBy", { origin: setting.origin }) : t(changeable ? "forceKept" : "forceIn", { key, file: path });
  const waiting = setting?.waiting ?? null;
  return { where, path, changeable, waiting: waiting === "" ? t("forceNone") : waiting };
}
