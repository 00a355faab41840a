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

const REL = { rule_id: "inline:rel", kind: "uses" };
const FIELD = { rule_id: "inline:field", kind: "uses" };
const CALLOUT = { rule_id: "callout:edge", kind: "uses" };
const RULE = { rule_id: "edge_defaults:default:related_to", provenance: "rule", kind: "related_to" };

test.each<[string, Partial<EdgeOut>, string]>([
  ["a rel: uses [[X]] b", REL, "a rel: blocks [[X]] b"],
  ["rel: uses [[A]], [[X]], [[B]] b", REL, "rel: uses [[A]], rel: blocks [[X]], rel: uses [[B]] b"],
  ["rel: uses [[X]] [[B]]", REL, "rel: blocks [[X]] rel: uses [[B]]"],
  ["[[X]] and rel: uses [[X]]", REL, "[[X]] and rel: blocks [[X]]"],
  ["On [[rel:uses X]] or [[rel:uses|Y]]", REL, "On [[rel:blocks X]] or [[rel:uses|Y]]"],
  ["On [[rel:uses|X|shown]].", REL, "On [[rel:blocks|X|shown]]."],
  ["uses:: [[X]]", FIELD, "blocks:: [[X]]"],
  ["- [ ] Teil von:: [[X]]".replace("Teil", "teil"), { rule_id: "inline:field", kind: "part_of" }, "- [ ] blocks:: [[X]]"],
  ["- uses:: [[A]], [[X]], [[B]]", FIELD, "- uses:: [[A]], [[B]]\n- blocks:: [[X]]"],
  ["uses:: [[A]], [[X]]", FIELD, "uses:: [[A]]\nblocks:: [[X]]"],
  ["Since (uses:: [[X]]) is so", FIELD, "Since (blocks:: [[X]]) is so"],
  ["Since (uses:: [[A]], [[X]], [[B]]) is so", FIELD, "Since (uses:: [[A]]) (blocks:: [[X]]) (uses:: [[B]]) is so"],
  ["> [!edge] uses: [[X]] [[B]]", CALLOUT, "> [!edge] blocks: [[X]] uses: [[B]]"],
  ["> [!edge]- More\n> part_of: [[A]]\n> uses: [[B]]\n> - [[X]] [[C]]", { ...CALLOUT, line: 4 }, "> [!edge]- More\n> part_of: [[A]]\n> uses: [[B]]\n> - blocks: [[X]] uses: [[C]]"],
  ["rel: candidate:uses [[X]]", { rule_id: "smart:candidate", kind: "uses" }, "rel: blocks [[X]]"],
  ["[[rel:candidate:uses|X]]", { rule_id: "smart:candidate", kind: "uses" }, "[[rel:blocks|X]]"],
])("another kind for a written relation: %j", (text, of, expected) => {
  expect(write(text, of, "blocks")).toBe(expected);
});

test.each<[string, Partial<EdgeOut>, string]>([
  ["We like [[X]] here", RULE, "We like (related_to:: [[X]]) here"],
  ["We like ([[X]]) here", RULE, "We like ([related_to:: [[X]]]) here"],
  ["- [[X]]", RULE, "- related_to:: [[X]]"],
  ["| [[X]] | b |", RULE, "| (related_to:: [[X]]) | b |"],
  ["![[X]]", RULE, "![[X]] (related_to:: [[X]])"],
  ["See [it](X.md).", RULE, "See (related_to:: [it](X.md))."],
  ["rel: uses [[X]] [[B]]", RULE, "rel: uses [[X]] [[B]] (related_to:: [[X]])"],
  ["Runs on [[rel:uses X]].", RULE, "Runs on [[rel:uses X]] (related_to:: [[X]])."],
  ["> [!edge] uses: [[X]]", RULE, "> [!edge] uses: [[X]] related_to: [[X]]"],
  ["Text without it", { ...RULE, rule_id: "smart:allocation" }, "Text without it\n\n> [!edge] related_to: [[X]]\n"],
])("a relation that a rule or a model found goes into the note: %j", (text, of, expected) => {
  expect(write(text, of, "related_to")).toBe(expected);
});

test("a line that has moved since the note was indexed is found again, and one in the properties is none", () => {
  expect(write("---\nup: '[[X]]'\n---\nnew\nnew\nSee [[X]].", { ...RULE, line: 4 }, "uses")).toBe("---\nup: '[[X]]'\n---\nnew\nnew\nSee (uses:: [[X]]).");
});

test("what stands below a heading for candidates moves before it, since all links there are candidates", () => {
  const text = "Text\n\n## Unassigned Edges\n\n- [[X]]\n- [[A]]";
  expect(write(text, { rule_id: "smart:global_pool", kind: "related_to", line: 5 }, "uses")).toBe("Text\n\n> [!edge] uses: [[X]]\n\n## Unassigned Edges\n\n\n- [[A]]");
});

const PROPERTY = { rule_id: "explicit:frontmatter", kind: "uses", line: 2 };
test.each<[string, string | null]>([
  ['---\nuses: "[[X]]"\n---\n', '---\nblocks: "[[X]]"\n---\n'],
  ['---\nuses:\n  - "[[X]]"\n---\n', '---\nblocks:\n  - "[[X]]"\n---\n'],
  ['---\nuses:\n  - "[[X]]"\n  - "[[A]]"\ntags: [b]\n---\n', '---\nuses:\n  - "[[A]]"\nblocks: "[[X]]"\ntags: [b]\n---\n'],
  ['---\nuses:\n  - "[[A]]"\n  - "[[X]]"\n---\n', '---\nuses:\n  - "[[A]]"\nblocks: "[[X]]"\n---\n'],
  ['---\nlinks:\n  uses: "[[X]]"\n---\n', '---\nlinks:\n  blocks: "[[X]]"\n---\n'],
  ['---\nuses: ["[[A]]", "[[X]]"]\n---\n', null],
  ['---\nuses: "[[X]]"\nblocks: "[[A]]"\n---\n', null],
])("a property gets another key, unless it has it already or holds its list in one line: %j", (text, expected) => {
  expect(write(text, PROPERTY, "blocks")).toBe(expected);
});

test("prose around the links of a field is left to its writer", () => {
  expect(write("uses:: [[A]] and later [[X]]", FIELD, "blocks")).toBeNull();
});
