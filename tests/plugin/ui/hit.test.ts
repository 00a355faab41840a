import { expect, test } from "vitest";
import { withoutHeadings } from "../../../obsidian-plugin/src/ui/hit";

test.each([
  ["## Keepers\n\nThey called it hell.", "They called it hell."],
  ["# Coast\n\n## Keepers\nText\n## Later", "Text\n## Later"],
  ["#tag starts a line", "#tag starts a line"],
  ["# Only a heading", "# Only a heading"],
  ["", ""],
])("the passage %j is shown as %j: its headings stand above it", (text, shown) => {
  expect(withoutHeadings(text)).toBe(shown);
});
