import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../../../obsidian-plugin/src");
const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
const holding = (pattern: RegExp) => files.filter((name) => pattern.test(readFileSync(join(SOURCES, name), "utf8")));

test("no text of notes, models or the sidecar is made into HTML", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(holding(/innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|DOMParser|document\.write/)).toEqual([]);
});

test("no line is excepted from a rule", () => {
  expect(holding(/eslint-(?:disable|enable)|@ts-(?:ignore|expect-error|nocheck)/)).toEqual([]);
});

test("one file alone sends anything", () => {
  expect(holding(/\brequestUrl\b|\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|"node:https?"/)).toEqual([join("sidecar", "transport.ts")]);
});
