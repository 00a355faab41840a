/** A chat from its first question to its note, with no pointer. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { ModelServer } from "./model";
import { command, opened, tabTo } from "./pages";
import { startModel, startSession } from "./session";

const session = startSession();
let model: ModelServer;

startModel(session, (one) => (model = one));

const press = (page: Page, ...keys: string[]) => keys.reduce<Promise<void>>((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
const isAtField = (page: Page) => page.evaluate(() => document.activeElement?.tagName === "TEXTAREA");

test("by keyboard alone: ask, stop, ask again, walk the sources, open one and a citation, judge, copy, save, find it again", async () => {
  const page = await session.open();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: session.harness.origin });
  await command(page, "chat");
  expect(await isAtField(page)).toBe(true);
  model.says({ pieces: ["Two ", "per ", "cent"], hold: [2] });
  await page.keyboard.type("Which salt level keeps sauerkraut safe?");
  await press(page, "Enter");
  await page.locator(".mindnet-answer", { hasText: "Two per" }).waitFor();
  await press(page, "Escape");
  await page.locator(".mindnet-turn[data-phase=stopped]").waitFor();
  expect(await isAtField(page)).toBe(true);

  model.says({ pieces: ["Two per cent [1]."] });
  await tabTo(page, /^Ask again$/);
  await press(page, "Enter");
  await page.locator(".mindnet-turn[data-phase=answered]").waitFor();
  expect(await isAtField(page)).toBe(true);

  await tabTo(page, /^\d+ sources$/);
  await press(page, "Enter");
  const sources = page.locator(".mindnet-source-open");
  const walked: string[] = [];
  for (let index = 0; index < 2; index++) {
    await press(page, "Tab");
    await tabTo(page, /^Open .+ at line \d+$/);
    walked.push(await page.evaluate(() => document.activeElement!.getAttribute("aria-label")!));
  }
  expect(walked).toEqual(await Promise.all([0, 1].map((index) => sources.nth(index).getAttribute("aria-label"))));
  await press(page, "Enter");
  const [, line] = / at line (\d+)$/.exec(walked[1]!)!;
  await expect.poll(async () => (await opened(page)).at(-1)?.line).toBe(Number(line));
  await press(page, "Control+Enter");
  await expect.poll(async () => (await opened(page)).at(-1)?.newTab).toBe(true);

  await command(page, "chat");
  expect(await isAtField(page)).toBe(true);
  await tabTo(page, /^Source 1: /);
  const before = (await opened(page)).length;
  await press(page, "Enter");
  await expect.poll(async () => (await opened(page)).length).toBe(before + 1);

  await tabTo(page, /^Copy answer$/);
  await press(page, "Enter");
  await page.locator(".notice", { hasText: "Copied." }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Two per cent \[\[.+\|1\]\]\./);

  await tabTo(page, /^Helpful: the answer$/);
  await press(page, "Space");
  await page.locator("[aria-label='Helpful: the answer'][aria-pressed=true]").waitFor();
  await tabTo(page, /^Reason for judging the answer$/);
  await page.keyboard.type("to the point");
  await press(page, "Enter");
  await expect.poll(() => readFile(join(session.harness.dataDir, "logs/feedback.jsonl"), "utf8").catch(() => "")).toContain("to the point");
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Helpful: the answer");

  await tabTo(page, /^What the model saw$/);
  await press(page, "Enter");
  await page.locator(".mindnet-context").waitFor();

  await tabTo(page, /^Save chat as note$/);
  await press(page, "Enter");
  const name = "Which salt level keeps sauerkraut safe.md";
  await expect.poll(async () => (await opened(page)).at(-1)?.path).toBe(name);
  await rm(join(session.harness.vault, name));

  await command(page, "new-chat");
  expect(await page.locator(".mindnet-turn").count()).toBe(0);
  await tabTo(page, /^Earlier chats$/);
  await press(page, "Enter");
  await page.locator(".mindnet-session").first().waitFor();
  await tabTo(page, /Which salt level keeps sauerkraut safe/);
  await press(page, "Enter");
  await page.locator(".mindnet-answer", { hasText: "Two per cent" }).waitFor();
  await page.locator("[aria-label='Helpful: the answer'][aria-pressed=true]").waitFor();
  expect(await isAtField(page)).toBe(true);
});
