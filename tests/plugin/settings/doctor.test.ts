import { expect, test } from "vitest";
import { translator } from "../../../obsidian-plugin/src/i18n";
import type { CheckLine } from "../../../obsidian-plugin/src/settings/check";
import { examine, type Patient } from "../../../obsidian-plugin/src/settings/doctor";
import type { ModelCondition, Status } from "../../../obsidian-plugin/src/sidecar/wire";
import { drawCheckLine } from "../../../obsidian-plugin/src/ui/check-line";
import { status } from "../samples";

const t = translator(() => "en");
const MODEL: ModelCondition = { profile: "chat", backend: "ollama", model: "qwen", place: "http://127.0.0.1:11434", ok: true, code: "", message: "", hint: "", leaves_machine: false, num_ctx: null };

function patient(changed: Partial<Patient> = {}, model: Partial<ModelCondition> = {}): Patient {
  return {
    check: () => Promise.resolve([{ ok: true, text: "Answer of the sidecar" }]),
    process: { kind: "none" },
    state: { kind: "ready", status: status() },
    models: () => Promise.resolve({ models: [{ ...MODEL, ...model }] }),
    ...changed,
  };
}
const bad = (lines: readonly CheckLine[]) => lines.filter(({ ok }) => !ok);

test("a healthy one has nothing that is not well", async () => {
  const lines = await examine(patient(), t);
  expect(bad(lines)).toEqual([]);
  expect(lines.map(({ text }) => text)).toEqual(["Answer of the sidecar", "Index is kept by qdrant-edge", "Meaning is read by m", "Every file was read whole", "qwen answers on this machine."]);
});

test("that a better index is on its way is well, too", async () => {
  const rebuild = { reason: "A better model.", notes: 4, total: 9, beside: true, better: true };
  const lines = await examine(patient({ state: { kind: "ready", status: status({ state: "indexing", rebuild }) } }), t);
  expect(bad(lines)).toEqual([]);
  expect(lines.find(({ text }) => text.startsWith("Meaning is read"))?.fix).toContain("4 of 9 notes");
});

test("a model that is not installed comes with the command that installs it", async () => {
  const lines = await examine(patient({}, { ok: false, code: "model_missing", message: "no qwen", hint: "Run `ollama pull qwen`." }), t);
  expect(bad(lines)).toEqual([
    { ok: false, text: "Language model for the chat (the search needs none)", fix: "The language model is not installed. Run ollama pull qwen.", mend: { does: "copy", command: "ollama pull qwen" } },
  ]);
});

const judging = (changed: Partial<Status["llm"]["validation"]>): Partial<Patient> => {
  const { llm } = status();
  return { state: { kind: "ready", status: status({ llm: { ...llm, validation: { ...llm.validation, ...changed } } }) } };
};

test("what a model has judged of proposed links is named, and is well while it goes on", async () => {
  const lines = await examine(patient(judging({ confirmed: 6, rejected: 4, waiting: 2 })), t);
  expect(lines.at(-1)).toEqual({ ok: true, text: "Proposed links: 6 confirmed, 4 rejected, 2 to be judged" });
  expect(bad(lines)).toEqual([]);
});

test("links that wait for a model do not count as a second fault beside it, and say what they wait for", async () => {
  const lines = await examine(patient(judging({ waiting: 3, fault: "No Ollama answers", fault_code: "model_down" }), { ok: false, code: "model_down", message: "no", hint: "Run `ollama serve`." }), t);
  expect(lines.at(-1)).toEqual({ ok: true, text: "Proposed links: 3 to be judged", fix: "They are judged as soon as a language model answers." });
  expect(bad(lines)).toHaveLength(1);
  const off = await examine(patient(judging({ waiting: 3, enabled: false })), t);
  expect(off.at(-1)).toMatchObject({ ok: true, fix: expect.stringContaining("mindnet validate") as string });
});

test("a judging model that fails where the chat's answers, and links that were left out, are faults", async () => {
  expect(bad(await examine(patient(judging({ waiting: 1, fault: "It was silent", fault_code: "model_timeout" })), t))).toEqual([
    { ok: false, text: "Proposed links: 1 to be judged", fix: "The language model was silent for too long.", mend: { does: "look" } },
  ]);
  const [line] = bad(await examine(patient(judging({ confirmed: 1, refused: 2, fault: "No model phi" })), t));
  expect(line).toMatchObject({ text: "Proposed links: 1 confirmed, 2 left out", mend: { does: "copy", command: "mindnet validate" } });
  expect(line!.fix).toContain("No model phi");
});

test("a sidecar that is older than the plugin tells nothing of proposed links, and is well", async () => {
  const old = status();
  Reflect.deleteProperty(old.llm, "validation");
  expect(bad(await examine(patient({ state: { kind: "ready", status: old } }), t))).toEqual([]);
});

test("a sidecar that has ended shows its last words, and the rest is not asked", async () => {
  const check = () => Promise.resolve<CheckLine[]>([{ ok: false, text: "Run file", fix: "Start", mend: { does: "start" } }]);
  const nowhere = await examine(patient({ check, process: { kind: "failed", end: null, lines: ["spawn /x ENOENT"] } }), t);
  expect(nowhere[0]!.fix).toBe("There is no such program: correct its path in the settings.\nspawn /x ENOENT");
  const lines = await examine(patient({ check, process: { kind: "failed", end: "3", lines: ["a", "busy"] }, models: () => Promise.reject(new Error("asked")) }), t);
  expect(lines).toEqual([
    { ok: false, text: "The sidecar that was started here has ended with 3", fix: "a\nbusy", mend: { does: "settings" } },
    { ok: false, text: "Run file", fix: "Start", mend: { does: "start" } },
  ]);
});

test("a full disk, a store that is away and a bad file are each named", async () => {
  const full = status({ state: "error", error_code: "disk_full" });
  expect(bad(await examine(patient({ state: { kind: "ready", status: full } }), t))[0]!.fix).toContain("no room left");
  const away = status({ store: { ...status().store, answers: false, fault: "refused" }, faults: [{ path: "A.md", line: 2, code: "x", message: "a tab" }] });
  const found = bad(await examine(patient({ state: { kind: "ready", status: away } }), t));
  expect(found.map(({ fix, mend }) => [fix, mend])).toEqual([
    ["refused", { does: "look" }],
    ["A.md:2: a tab", { does: "open", path: "A.md", line: 2 }],
  ]);
});

test("each line that is not well has the button that mends it", () => {
  const list = createEl("ul");
  const mended: string[] = [];
  for (const does of ["start", "settings", "import", "look"] as const) drawCheckLine(list, { ok: false, text: does, fix: "Do it", mend: { does } }, t, (mend) => mended.push(mend.does));
  drawCheckLine(list, { ok: true, text: "well" }, t, () => undefined);
  const buttons = list.findAll("button");
  expect(buttons.map((button) => button.textContent)).toEqual(["Start it", "Open settings", "Look through the vault", "Look again"]);
  for (const button of buttons) button.click();
  expect(mended).toEqual(["start", "settings", "import", "look"]);
});
