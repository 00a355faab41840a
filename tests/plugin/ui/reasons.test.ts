import { beforeEach, describe, expect, test } from "vitest";
import { translator } from "../../../obsidian-plugin/src/i18n";
import { drawMarked, drawReasons } from "../../../obsidian-plugin/src/ui/reasons";
import { hit } from "../samples";

const t = translator(() => "en");
let parent: HTMLElement;
let opened: [string, number, boolean][];
const open = (...where: [string, number, boolean]) => opened.push(where);

beforeEach(() => {
  parent = document.createElement("div");
  opened = [];
});

function drawEdge(changed: object): HTMLElement {
  const given = hit();
  const edge = given.explanation!.related_edges[0]!;
  drawReasons(parent, { ...given, explanation: { ...given.explanation!, related_edges: [{ ...edge, ...changed }] } }, t, open);
  return parent.querySelector<HTMLElement>(".mindnet-edges li")!;
}

describe("a reason", () => {
  test("shows titles and kinds apart, and never reads markup out of a note", () => {
    drawMarked(parent, "linked from *<b>x</b>* by `uses`");
    expect(parent.querySelector("b")).toBeNull();
    expect(parent.querySelector("em")?.textContent).toBe("<b>x</b>");
    expect(parent.querySelector("code")?.textContent).toBe("uses");
    expect(parent.textContent).toBe("linked from <b>x</b> by uses");
  });
});

describe("an edge", () => {
  test("names its kind, the other end, its provenance and its confidence", () => {
    const item = drawEdge({});
    for (const text of ["depends_on", "Harbour log", "written", "confidence 0.95", "line 5"]) expect(item.textContent).toContain(text);
  });

  test("that comes in leads to the line that writes it, in the other note", () => {
    const item = drawEdge({});
    for (const button of item.querySelectorAll("button")) button.click();
    expect(opened).toEqual([
      ["Harbour log.md", 5, false],
      ["Harbour log.md", 5, false],
    ]);
  });

  test("that goes out leads to the other note, and to its own line in this one", () => {
    const item = drawEdge({ direction: "out", written_in: "Coast/Lighthouse.md" });
    for (const button of item.querySelectorAll("button")) button.click();
    expect(opened).toEqual([
      ["Harbour log.md", 1, false],
      ["Coast/Lighthouse.md", 5, false],
    ]);
  });

  test("that a third file writes names that file, and leads to its line", () => {
    const item = drawEdge({ direction: "out", written_in: "Boards/Coast.canvas", line: 9 });
    expect(item.textContent).toContain("Coast, line 9");
    for (const button of item.querySelectorAll("button")) button.click();
    expect(opened).toEqual([
      ["Harbour log.md", 1, false],
      ["Boards/Coast.canvas", 9, false],
    ]);
  });

  test("to a note that does not exist says so and offers no way there", () => {
    const item = drawEdge({ direction: "out", resolved: false, path: "" });
    expect(item.textContent).toContain("no such note");
    expect(item.querySelector(".mindnet-edge-title")?.tagName).toBe("SPAN");
  });
});

test("a note without edges says so", () => {
  const given = hit();
  drawReasons(parent, { ...given, explanation: { ...given.explanation!, related_edges: [] } }, t, open);
  expect(parent.textContent).toContain("This note has no links.");
});
