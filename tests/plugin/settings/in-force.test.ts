import { expect, test } from "vitest";
import { translator } from "../../../obsidian-plugin/src/i18n";
import { FOLDERS, inForce, MODELS, type InForce } from "../../../obsidian-plugin/src/settings/in-force";
import type { ConfigOut, Status } from "../../../obsidian-plugin/src/sidecar/wire";
import { status } from "../samples";

const t = translator(() => "en");
const VALUES = {
  "mindnet.vault.exclude": "Archive/, *.draft.md",
  "mindnet.vault.private": "",
  "mindnet.logs.enabled": "on",
  "mindnet.logs.keep_days": "365",
  "mindnet.embedding.provider": "bundled",
  "llm.profiles.chat.model": "",
  "llm.profiles.chat.backend": "ollama",
};

function values(changed: Partial<typeof VALUES>, shown: readonly InForce[], now: Status | null = null): string[] {
  const settings = Object.entries({ ...VALUES, ...changed }).map(([key, value]) => ({ key, value, origin: "default" }));
  const config: ConfigOut = { kinds: [], types: [], candidate_headings: [], folder: "/home/a/.config/mindnet", settings };
  return shown.map((one) => inForce(one, config, now, t).value);
}

test("folders that are left out, what is private and how long questions are kept are named", () => {
  expect(values({}, FOLDERS)).toEqual(["Archive/, *.draft.md", "none", "for 365 days"]);
  expect(values({ "mindnet.vault.exclude": "", "mindnet.logs.keep_days": "0" }, FOLDERS)).toEqual(["none", "none", "for good"]);
  expect(values({ "mindnet.logs.enabled": "off" }, FOLDERS)[2]).toBe("no");
});

test("the models that run are named, and which is looked for where none has been found", () => {
  const { llm } = status();
  expect(values({}, MODELS, status({ llm: { ...llm, model: "qwen2.5:7b" } }))).toEqual(["m", "qwen2.5:7b"]);
  expect(values({}, MODELS)).toEqual(["bundled", "the first that is installed (ollama)"]);
  expect(values({ "llm.profiles.chat.model": "phi3:mini" }, MODELS)[1]).toBe("phi3:mini");
});

test("each says in which file it is changed, as the sidecar's machine writes paths", () => {
  const at = (folder: string) => inForce(MODELS[1]!, { kinds: [], types: [], candidate_headings: [], folder, settings: [] }, null, t);
  expect(at("/home/a/.config/mindnet").where).toBe("To change it: profiles.chat.model in /home/a/.config/mindnet/llm.yaml");
  expect(at("C:\\Users\\a\\mindnet").path).toBe("C:\\Users\\a\\mindnet\\llm.yaml");
});
