import { beforeEach, expect, test } from "vitest";
import { translator } from "../../../obsidian-plugin/src/i18n";
import type { ReasonOut, WayStepOut } from "../../../obsidian-plugin/src/sidecar/wire";
import { drawWays } from "../../../obsidian-plugin/src/ui/way-picture";

const t = translator(() => "en");
let el: HTMLElement;
beforeEach(() => {
  el = createDiv();
});

function step(title: string, kind: string, direction: WayStepOut["direction"] = "out", provenance = "explicit"): WayStepOut {
  return { note_id: title, title, path: `${title}.md`, edge_id: kind, kind, provenance, direction };
}
const reason = (...way: WayStepOut[]): ReasonOut => ({ part: "edge", text: "", edge_id: null, path: null, line: null, way });
const said = () => Array.from(el.querySelectorAll("svg")).map((svg) => svg.getAttribute("aria-label"));

test("a way is said in words as it is drawn, with arrows the way that edges lead", () => {
  drawWays(el, [reason(step("Seed", "depends_on"), step("Mid", "solves", "in", "rule"))], "Hit", t);
  expect(said()).toEqual(["Seed → depends_on → Mid ← solves ← Hit"]);
  expect(Array.from(el.querySelectorAll("text")).map((text) => text.textContent)).toEqual(["depends_on", "Seed", "solves", "Mid", "Hit"]);
  expect(Array.from(el.querySelectorAll(".mindnet-way-stop")).map((stop) => stop.getAttribute("data-place"))).toEqual(["seed", "between", "hit"]);
  const tips = Array.from(el.querySelectorAll("path")).map((path) => Number(path.getAttribute("d")?.split(" ")[2]));
  const [first, second] = Array.from(el.querySelectorAll("line"));
  expect(tips).toEqual([Number(first?.getAttribute("y2")), Number(second?.getAttribute("y1"))]);
});

test("the same way by several edges is one picture, and a hit that was found by itself has none", () => {
  drawWays(el, [reason(step("A", "uses")), reason(step("A", "uses")), reason(step("A", "references")), reason(step("B", "uses")), reason()], "Hit", t);
  expect(said()).toEqual(["A → uses, references → Hit", "B → uses → Hit"]);
  el.empty();
  drawWays(el, [reason()], "Hit", t);
  expect(el.childNodes).toHaveLength(0);
});

test("what notes are called is text, however it looks, and no longer than there is room", () => {
  drawWays(el, [reason(step("<b>x</b>".repeat(20), "uses"))], "Hit", t);
  expect(el.querySelector("b")).toBeNull();
  expect(el.querySelector("text.mindnet-way-title")?.textContent).toHaveLength(44);
});
