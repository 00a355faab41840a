import { expect, test } from "vitest";
import { translator } from "../../../obsidian-plugin/src/i18n";
import { FOLDERS, keptIn, MODELS, valuesOf, type InForce } from "../../../obsidian-plugin/src/settings/in-force";
import type { ConfigOut, SettingOut, Status } from "../../../obsidian-plugin/src/sidecar/wire";
import { status } from "../samples";

const t = translator(() => "en");
const FOLDER = "/home/a/.config/mindnet";
const VALUES: Record<string, Partial<SettingOut>> = {
  "mindnet.vault.exclude": { value: "Archive/, *.draft.md", entries: ["Archive/", "*.draft.md"] },
  "mindnet.vault.private": { value: "", entries: [] },
  "mindnet.logs.enabled": { value: "on" },
  "mindnet.logs.keep_days": { value: "365" },
  "mindnet.embedding.provider": { value: "bundled", changeable: false },
  "llm.profiles.chat.model": { value: "" },
  "llm.profiles.chat.backend": { value: "ollama" },
};

function config(changed: Record<string, Partial<SettingOut>> = {}, folder = FOLDER): ConfigOut {
  const settings = Object.entries(VALUES).map(([key, one]) => ({ key, value: "", origin: `${folder}/mindnet.yaml`, waiting: null, entries: null, changeable: true, ...one, ...changed[key] }));
  return { kinds: [], types: [], candidate_headings: [], folder, settings };
}

const words = (changed: Record<string, Partial<SettingOut>>, shown: readonly InForce[], now: Status | null = null) =>
  shown.map((one) => one.words(valuesOf(one.file, config(changed), now, t)));

const [EXCLUDED, PRIVATE, LOGS] = FOLDERS as [InForce, InForce, InForce];
const [EMBEDDING, CHAT] = MODELS as [InForce, InForce];

const kept = (one: InForce, changed: Record<string, Partial<SettingOut>> = {}, folder = FOLDER) => {
  const found = config(changed, folder);
  return keptIn(one, found, valuesOf(one.file, found, null, t));
};

test("folders that are left out, what is private and how long questions are kept are named", () => {
  expect(words({}, FOLDERS)).toEqual(["Archive/, *.draft.md", "none", "for 365 days"]);
  expect(words({ "mindnet.vault.exclude": { value: "" }, "mindnet.logs.keep_days": { value: "0" } }, FOLDERS)).toEqual(["none", "none", "for good"]);
  expect(words({ "mindnet.logs.enabled": { value: "off" } }, FOLDERS)[2]).toBe("no");
});

test("the models that run are named, and which is looked for where none has been found", () => {
  const { llm } = status();
  expect(words({}, MODELS, status({ llm: { ...llm, model: "qwen2.5:7b" } }))).toEqual(["m", "qwen2.5:7b"]);
  expect(words({}, MODELS)).toEqual(["bundled", "the first that is installed (ollama)"]);
  expect(words({ "llm.profiles.chat.model": { value: "phi3:mini" } }, MODELS)[1]).toBe("phi3:mini");
});

test("patterns are written a line each, and empty lines are none", () => {
  expect(EXCLUDED.written?.(valuesOf("mindnet", config(), null, t))).toBe("Archive/\n*.draft.md");
  expect(PRIVATE.changes?.("  Diary/ \n\n#secret\n")).toEqual([{ key: "mindnet.vault.private", value: ["Diary/", "#secret"] }]);
  expect(PRIVATE.changes?.("\n")).toEqual([{ key: "mindnet.vault.private", value: [] }]);
});

test("how long questions are kept is chosen, a time of one's own among the choices", () => {
  const values = valuesOf("mindnet", config({ "mindnet.logs.keep_days": { value: "14" } }), null, t);
  const editor = LOGS.editor?.(values);
  expect(editor?.kind === "choice" && editor.choices.map(({ value }) => value)).toEqual(["off", "14", "30", "90", "365", "0"]);
  expect(LOGS.changes?.("off")).toEqual([{ key: "mindnet.logs.enabled", value: false }]);
  expect(LOGS.changes?.("30")).toEqual([
    { key: "mindnet.logs.keep_days", value: 30 },
    { key: "mindnet.logs.enabled", value: true },
  ]);
});

test("each says in which file it is kept, as the sidecar's machine writes paths", () => {
  expect(kept(CHAT).where).toBe("Kept for all vaults as profiles.chat.model in /home/a/.config/mindnet/llm.yaml");
  expect(kept(EMBEDDING).where).toBe("To change it: embedding.provider in /home/a/.config/mindnet/mindnet.yaml");
  expect(kept(CHAT, {}, "C:\\Users\\a\\mindnet").path).toBe("C:\\Users\\a\\mindnet\\llm.yaml");
});

test("what a variable sets is not offered for change, and what waits for a new start says so", () => {
  expect(kept(EXCLUDED, { "mindnet.vault.exclude": { changeable: false, origin: "MINDNET_EXCLUDE" } })).toMatchObject({
    changeable: false,
    where: "Set by MINDNET_EXCLUDE, which beats the files.",
  });
  expect(kept(PRIVATE).waiting).toBeNull();
  expect(kept(PRIVATE, { "mindnet.vault.private": { waiting: "Diary/" } }).waiting).toBe("Diary/");
  expect(kept(PRIVATE, { "mindnet.vault.private": { value: "Diary/", waiting: "" } }).waiting).toBe("none");
});

test("a sidecar that is older than the plugin shows its settings, and none is offered for change", () => {
  expect(kept(EXCLUDED, { "mindnet.vault.exclude": { changeable: undefined as unknown as boolean } }).changeable).toBe(false);
});
