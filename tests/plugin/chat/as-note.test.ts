import { describe, expect, test } from "vitest";
import { answerMarkdown, conversationMarkdown, freePath, noteName, type Place } from "../../../obsidian-plugin/src/chat/as-note";
import { translator } from "../../../obsidian-plugin/src/i18n";
import { citation, doneEvent, sourcesEvent, turn } from "./samples";

const t = translator(() => "en");
const link = ({ path, heading_path }: Place, text: string) => `[[${path}#${heading_path.at(-1)}|${text}]]`;

describe("an answer in a note", () => {
  test("has its citations as links, and what they lead to", () => {
    const given = turn({ phase: "answered", answer: "Two percent [1], not [42].", citations: [citation(1)], found: sourcesEvent(), done: doneEvent() });
    expect(answerMarkdown(given, link, t)).toBe(
      "Two percent [[Salt.md#Levels|1]], not [42].\n\n**Sources**\n\n1. [[Salt.md#Levels|Salt › Levels]]",
    );
  });

  test("that was stopped names the sources that it had come to", () => {
    const given = turn({ phase: "stopped", answer: "Two [2]", found: sourcesEvent() });
    expect(answerMarkdown(given, link, t)).toContain("Two [[Kimchi.md#Kimchi|2]]\n\n**Sources**\n\n2. ");
  });

  test("without citations is the text alone", () => {
    expect(answerMarkdown(turn({ phase: "answered", answer: "Nothing." }), link, t)).toBe("Nothing.");
  });

  test("a whole chat has its questions as headings, and nothing of what came to nothing", () => {
    const turns = [turn({ message: "What\nsalt?", answer: "Two." }), turn({ message: "And?", phase: "failed" }), turn({ message: "Why?", answer: "So." })];
    expect(conversationMarkdown(turns, link, t)).toBe("---\ntype: chat\n---\n\n## What salt?\n\nTwo.\n\n## Why?\n\nSo.\n");
  });
});

test.each([
  ["Which salt level keeps sauerkraut safe?", "Which salt level keeps sauerkraut safe"],
  ["a/b: [[c]] #d | e^f", "a b c d e f"],
  ["...", "Chat"],
  [`${"Wort ".repeat(30)}`, "Wort ".repeat(16).trim()],
  ["x".repeat(200), "x".repeat(80)],
])("a note about %j is called %j", (question, name) => expect(noteName(question, "Chat")).toBe(name));

test("a name that is taken gets a number", () => {
  const taken = new Set(["Chats/Salt.md", "Chats/Salt 1.md"]);
  expect(freePath("Chats", "Salt", (path) => taken.has(path))).toBe("Chats/Salt 2.md");
  expect(freePath("/", "Salt", () => false)).toBe("Salt.md");
});
