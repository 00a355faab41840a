import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Following, type RelatedState } from "../../../obsidian-plugin/src/related/following";
import { KINDS, relation } from "../../../obsidian-plugin/src/related/links";
import type { RelatedNotes } from "../../../obsidian-plugin/src/sidecar/wire";

const found = (path: string): RelatedNotes => ({ note_id: path, path, title: path, language: "en", related: [] });

/** A sidecar whose answers come when the test says so. */
function scripted() {
  const asked: { path: string; answer(): void; fail(): void }[] = [];
  const states: RelatedState["kind"][] = [];
  const following = new Following(
    (path) => new Promise((resolve, reject) => asked.push({ path, answer: () => resolve(found(path)), fail: () => reject(new Error("gone")) })),
    (state) => states.push(state.kind),
  );
  return { asked, states, following };
}

test("the last note's answer counts, in whatever order they come", async () => {
  const { asked, following } = scripted();
  const turns = [following.turnTo("A.md"), following.turnTo("B.md")];
  asked[1]!.answer();
  asked[0]!.answer();
  await Promise.all(turns);
  expect(following.state).toEqual({ kind: "found", answer: found("B.md") });
});

test("the same note is not asked about twice, but again when it has changed, with the old answer standing", async () => {
  const { asked, states, following } = scripted();
  const first = following.turnTo("A.md");
  await following.turnTo("A.md");
  asked[0]!.answer();
  await first;
  const again = following.again();
  expect(following.state.kind).toBe("found");
  asked[1]!.answer();
  await again;
  expect([asked.length, states]).toEqual([2, ["looking", "found", "found"]]);
});

test("a failure is told, and tried again when it is turned to", async () => {
  const { asked, following } = scripted();
  const first = following.turnTo("A.md");
  asked[0]!.fail();
  await first;
  expect(following.state).toMatchObject({ kind: "failed", path: "A.md" });
  void following.turnTo("A.md");
  expect(asked).toHaveLength(2);
});

test("a note that is renamed is asked about under its new name, with what is on show standing until then", async () => {
  const { asked, following } = scripted();
  const first = following.turnTo("A.md");
  asked[0]!.answer();
  await first;
  following.renamed("Other.md", "B.md");
  following.renamed("A.md", "C.md");
  expect(following.state).toEqual({ kind: "found", answer: found("A.md") });
  const again = following.again();
  asked[1]!.answer();
  await again;
  expect([asked[1]!.path, following.path]).toEqual(["C.md", "C.md"]);
  void following.again();
  expect(asked[2]!.path).toBe("C.md");
});

test("where no note is open nothing is asked, and an answer on its way is let go", async () => {
  const { asked, following } = scripted();
  const first = following.turnTo("A.md");
  await following.turnTo(null);
  asked[0]!.answer();
  await first;
  await following.again();
  expect([following.state.kind, asked.length]).toEqual(["none", 1]);
});

test("the kinds on offer are those that the sidecar ships and that may be written by hand", () => {
  const shipped = readFileSync(join(import.meta.dirname, "../../../config/edges.yaml"), "utf8").split(/^kinds:$/m)[1]!.split(/^\S/m)[0]!;
  const kinds = [...shipped.matchAll(/^ {2}(\w+):(.*(?:\n {4}.*)*)/gm)].filter(([, , rest]) => !rest!.includes("protected: true")).map(([, kind]) => kind);
  expect([...KINDS].sort()).toEqual(kinds.filter((kind) => kind !== "references").sort());
});

test("a relation can stand in the middle of a line", () => {
  expect(relation("depends_on", "[[X]]")).toBe("(depends_on:: [[X]])");
});
