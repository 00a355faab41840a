import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relationChanges, type Change, type Wish } from "../../../obsidian-plugin/src/relations/write";
import { edge } from "../editor/samples";
import type { EdgeOut } from "../../../obsidian-plugin/src/sidecar/wire";

/** The note after the changes, as an editor makes them: all of them told by the text before. */
function apply(text: string, changes: readonly Change[]): string {
  const starts = text.split("\n").reduce<number[]>((all, line) => [...all, (all.at(-1) ?? 0) + line.length + 1], [0]);
  const spans = changes.map(({ line, from, endLine, to, text: put }) => ({ from: starts[line]! + from, to: starts[endLine ?? line]! + to, put }));
  return spans.sort((one, other) => other.from - one.from || other.to - one.to).reduce((whole, { from, to, put }) => whole.slice(0, from) + put + whole.slice(to), text);
}

function write(text: string, changed: Partial<EdgeOut>, kind: string, wish: Partial<Wish> = {}): string | null {
  const changes = relationChanges(text.split("\n"), {
    edge: edge({ line: 1, ...changed }),
    kind,
    leads: (name) => name === "X",
    nameOf: (written) => (written === "teil von" ? "part_of" : written),
    link: "[[X]]",
    candidateHeadings: ["Unassigned Edges"],
    ...wish,
  });
  return changes === null ? null : apply(text, changes);
}

interface Case {
  text: string;
  edge: Pick<EdgeOut, "rule_id" | "kind" | "line">;
  kind: string;
  /** Null where the plugin leaves the note to its writer. */
  after: string | null;
}

/** The sidecar's tests read the same cases: what is written here is understood there. */
const CASES = JSON.parse(readFileSync(join(import.meta.dirname, "../../contract/written_relations.json"), "utf8")) as Case[];

test.each(CASES)("$text becomes $after", ({ text, edge: of, kind, after }) => {
  expect(write(text, of, kind)).toBe(after);
});
