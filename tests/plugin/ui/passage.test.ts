import { expect, test } from "vitest";
import { glance, openState, quiet } from "../../../obsidian-plugin/src/ui/passage";

test("a note is opened at its line, counted from nought", () => {
  expect(openState("md", 7)).toEqual({ active: true, eState: { line: 6 } });
});

test("a canvas has no lines to go to", () => {
  expect(openState("canvas", 7)).toEqual({ active: true });
});

test.each([
  ["See [[Wild yeast|wilden Hefen]] and [[Salt]], [here](a%20b.md).", "See wilden Hefen and Salt, here."],
  ["- one\n- [ ] two\n1. three", "one two three"],
  ["> [!warning]- Soft\n> **too** `warm`, ==marked==", "Soft too warm, marked"],
  ["```py\na = 1\n```", "a = 1"],
  ["2 * 3 * 4", "2 * 3 * 4"],
])("%j is glanced at as %j", (markdown, text) => expect(glance(markdown)).toBe(text));

test.each([
  ["![[Secret]] and ![x](http://a/b.png)", "!\u2060[[Secret]] and !\u2060[x](http://a/b.png)"],
  ["<img src=x> 1 < 2", "<\u2060img src=x> 1 < 2"],
  ["```dataviewjs\nrun()\n```", "```\u2060dataviewjs\nrun()\n```"],
  ["- `=this.file`", "- `\u2060=this.file`"],
])("what %j would load, embed or run is only shown", (markdown, shown) => expect(quiet(markdown)).toBe(shown));
