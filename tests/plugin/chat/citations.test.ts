import { expect, test } from "vitest";
import { citedPieces, replaceCitations } from "../../../obsidian-plugin/src/chat/citations";

test("only numbers of given sources are citations", () => {
  expect(citedPieces("Salt [1], [2][3] and [42] or [1a].", new Set([1, 3]))).toEqual([
    { text: "Salt " },
    { number: 1 },
    { text: ", [2]" },
    { number: 3 },
    { text: " and [42] or [1a]." },
  ]);
});

test("numbers in code, formulas and links are left alone", () => {
  const root = createDiv();
  root.append(document.createRange().createContextualFragment("<p>So <em>it [1]</em>.</p><pre><code>a[1]</code></pre><a>[1]</a><span class='math'>x[1]</span>"));
  replaceCitations(root, new Set([1]), (number) => createEl("button", { text: String(number) }));
  expect(root.textContent).toBe("So it 1.a[1][1]x[1]");
  expect(root.querySelectorAll("button")).toHaveLength(1);
});
