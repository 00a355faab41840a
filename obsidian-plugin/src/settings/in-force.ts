import type { TextKey, Translate } from "../i18n";
import type { ConfigOut, Status } from "../sidecar/wire";

/** A setting that the sidecar keeps: it is shown here, and changed in a file of the user's. */
export interface InForce {
  name: TextKey;
  desc: TextKey;
  /** The file and the key in it. */
  file: "mindnet" | "llm";
  key: string;
  /** Its value in words, by the sidecar's settings and its status. */
  value: (setting: (key: string) => string, status: Status | null, t: Translate) => string;
}

export const FOLDERS: readonly InForce[] = [
  { name: "forceExcluded", desc: "forceExcludedDesc", file: "mindnet", key: "vault.exclude", value: (setting, _status, t) => setting("vault.exclude") || t("forceNone") },
  { name: "forcePrivate", desc: "forcePrivateDesc", file: "mindnet", key: "vault.private", value: (setting, _status, t) => setting("vault.private") || t("forceNone") },
  {
    name: "forceLogs",
    desc: "forceLogsDesc",
    file: "mindnet",
    key: "logs.enabled",
    value: (setting, _status, t) => {
      if (setting("logs.enabled") !== "on") return t("forceLogsOff");
      const days = setting("logs.keep_days");
      return days === "0" ? t("forceLogsForGood") : t("forceLogsKept", { days });
    },
  },
];

export const MODELS: readonly InForce[] = [
  { name: "forceEmbedding", desc: "forceEmbeddingDesc", file: "mindnet", key: "embedding.provider", value: (setting, status) => status?.embedding.model ?? setting("embedding.provider") },
  {
    name: "forceChat",
    desc: "forceChatDesc",
    file: "llm",
    key: "profiles.chat.model",
    value: (setting, status, t) => status?.llm.model ?? (setting("profiles.chat.model") || t("forceFirst", { backend: setting("profiles.chat.backend") })),
  },
];

/** The value of a setting in words, and where it is changed. */
export function inForce({ file, key, value }: InForce, config: ConfigOut, status: Status | null, t: Translate): { value: string; where: string; path: string } {
  const values = new Map(config.settings.map((one) => [one.key, one.value]));
  const separator = config.folder.includes("\\") ? "\\" : "/";
  const path = `${config.folder}${separator}${file}.yaml`;
  return { value: value((name) => values.get(`${file}.${name}`) ?? "", status, t), where: t("forceIn", { key, file: path }), path };
}
