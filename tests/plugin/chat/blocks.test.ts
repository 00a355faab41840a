import { describe, expect, test } from "vitest";
import { blockEnd } from "../../../obsidian-plugin/src/chat/blocks";

/** What is settled of a text that may still grow, block by block. */
function settled(text: string): string[] {
  const blocks: string[] = [];
  let from = 0;
  for (let end = blockEnd(text, from); end !== null; end = blockEnd(text, from)) {
    blocks.push(text.slice(from, end));
    from = end;
  }
  return blocks;
}

describe("growing Markdown", () => {
  test.each<[string, string, string[]]>([
    ["a paragraph that may go on is not settled", "One\ntwo", []],
    ["nor is one behind which nothing has begun", "One\n\n", []],
    ["it is when the next has begun", "One\n\nTwo", ["One\n\n"]],
    ["several at once", "One\n\nTwo\n\n\nThree", ["One\n\n", "Two\n\n\n"]],
    ["blank lines in a fence end nothing", "```py\na\n\nb\n", []],
    ["a fence is settled when it has ended", "```py\na\n\nb\n```\n\nText", ["```py\na\n\nb\n```\n\n"]],
    ["a longer fence is not ended by a shorter one", "````\n```\n\nx\n````\n\nText", ["````\n```\n\nx\n````\n\n"]],
    ["nor is a formula", "$$\na\n\nb\n$$\n\nText", ["$$\na\n\nb\n$$\n\n"]],
    ["a loose list stays together", "1. One\n\n2. Two\n\n   more\n\n3. Three", []],
    ["until something else begins", "- One\n\n- Two\n\nText", ["- One\n\n- Two\n\n"]],
    ["what may become a list item is waited for", "- One\n\n1", []],
    ["a list may follow a paragraph", "Text\n\n- One", ["Text\n\n"]],
  ])("%s", (_name, text, expected) => expect(settled(text)).toEqual(expected));

  test("settles the same blocks however it comes in", () => {
    const text = "Intro [1].\n\n1. One\n\n   ```\n   code\n\n   ```\n\n2. Two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\n\nEnd\n\nof it";
    const whole = settled(text);
    let from = 0;
    const seen: string[] = [];
    for (let length = 1; length <= text.length; length++) {
      for (let end = blockEnd(text.slice(0, length), from); end !== null; end = blockEnd(text.slice(0, length), from)) {
        seen.push(text.slice(from, end));
        from = end;
      }
    }
    expect(seen).toEqual(whole);
    expect(whole).toHaveLength(5);
  });
});
