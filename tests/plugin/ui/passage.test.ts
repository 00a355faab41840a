import { expect, test } from "vitest";
import { openState } from "../../../obsidian-plugin/src/ui/passage";

test("a note opens at its line", () => {
  expect(openState("md", 7)).toEqual({ active: true, eState: { line: 6 } });
});

test("a canvas opens without a line, which it does not have", () => {
  expect(openState("canvas", 7)).toEqual({ active: true });
});
