import { describe, expect, test } from "vitest";
import { leadsThere, linksIn, nameOf } from "../../../obsidian-plugin/src/editor/links";
import { isQuiet, markOf, markText, writtenEdges } from "../../../obsidian-plugin/src/editor/marks";
import { translator } from "../../../obsidian-plugin/src/i18n";
import { edge } from "./samples";

const t = translator(() => "en");

describe("a link in a line", () => {
  test.each([
    ["See [[Salt]] and [[Kimchi|that]].", ["Salt", "Kimchi"]],
    ["![[Salt#Levels]] [[#Here]]", ["Salt", ""]],
    ["[[rel:depends_on Salt]] [[rel:impacts|Kimchi]] [[rel:candidate:uses Miso]]", ["Salt", "Kimchi", "Miso"]],
    ["[a](My%20Note.md#Top) [b](<Other note.md>)", ["My Note", "Other note"]],
  ])("%j names %j", (line, names) => expect(linksIn(line).map(({ target }) => target)).toEqual(names));

  test("ends where its badge goes", () => {
    expect(linksIn("x [[Salt]] y")[0]!.end).toBe(10);
  });

  test("is known by the path that the app finds, else by path, name, title or id", () => {
    expect(leadsThere("Salz", "Kitchen/Salt.md", edge(), "A.md")).toBe(true);
    expect(leadsThere("Salt", "Other/Salt.md", edge(), "A.md")).toBe(false);
    for (const name of ["kitchen/salt", "SALT", "Table salt", "s"]) expect(leadsThere(name, null, edge(), "A.md")).toBe(true);
    expect(leadsThere(nameOf("#Here"), null, edge({ target: { note_id: "a", title: "A", path: "A.md" } }), "A.md")).toBe(true);
    expect(leadsThere("Nowhere", null, edge({ resolved: false, target: { note_id: "Nowhere", title: "", path: "" } }), "A.md")).toBe(true);
  });
});

describe("a badge", () => {
  test("shows what says most: a written relation before a mention, a mention before a rule", () => {
    const rule = edge({ kind: "related_to", provenance: "rule", rule_id: "edge_defaults:concept:related_to" });
    const relation = edge({ kind: "depends_on" });
    expect(markOf([rule, edge(), relation])).toMatchObject({ kind: "depends_on", origin: "explicit" });
    expect(markOf([rule, edge()])).toMatchObject({ kind: "references", origin: "explicit" });
    expect(markOf([rule])).toMatchObject({ kind: "related_to", origin: "rule" });
    expect(markOf([])).toBeNull();
  });

  test("is a mark without a word for a plain mention that leads somewhere", () => {
    expect(isQuiet(markOf([edge()])!)).toBe(true);
    expect(isQuiet(markOf([edge({ resolved: false })])!)).toBe(false);
    expect(isQuiet(markOf([edge({ candidate: true, provenance: "candidate:smart" })])!)).toBe(false);
  });

  test("says its rule, confidence, line and other end", () => {
    expect(markText(markOf([edge()])!, t)).toBe("references → Table salt · written · explicit:wikilink · confidence 1.00 · line 3");
  });

  test("stands only at what this note writes, and only for the origins that are to show", () => {
    const edges = [edge(), edge({ direction: "in" }), edge({ written_in: "B.md" }), edge({ mirror_of: "x" }), edge({ provenance: "structure" }), edge({ provenance: "rule" })];
    expect(writtenEdges(edges, "A.md", () => true)).toHaveLength(2);
    expect(writtenEdges(edges, "A.md", (origin) => origin !== "rule")).toHaveLength(1);
  });
});
