import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { command, noteOnShow, openNote, opened, violations } from "./pages";
import { startSession } from "./session";

const session = startSession();

const notes = (page: Page) => page.locator(".mindnet-related .mindnet-hit");

test("the related notes follow the note that is open, say why, and mark those that are linked", async () => {
  const page = await session.open();
  await command(page, "related");
  await page.getByText("Open a note to see what is related to it.").waitFor();
  await openNote(page, "Sauerteig.md");
  await page.getByText("Related to Sauerteig").waitFor();
  const linked = await page.locator(".mindnet-hit[data-linked=true]").count();
  expect(linked).toBeGreaterThan(0);
  const all = await notes(page).count();
  await page.getByLabel("Hide linked ones").check();
  expect(await notes(page).count()).toBe(all - linked);
  await page.getByLabel("Hide linked ones").uncheck();
  await page.getByRole("button", { name: "Why related" }).first().click();
  expect(await page.locator(".mindnet-reasons li").count()).toBeGreaterThan(0);
  await openNote(page, "Kimchi.md");
  await page.getByText("Related to Kimchi").waitFor();
  await notes(page).first().locator(".mindnet-hit-open").click();
  await expect.poll(async () => (await opened(page)).length).toBe(3);
});

test("one click writes a link, and two a relation", async () => {
  const page = await session.open();
  await command(page, "related");
  await openNote(page, "Kimchi.md");
  await notes(page).first().waitFor();
  const title = (await notes(page).first().getAttribute("data-path"))!.split("/").pop()!.replace(".md", "");
  await notes(page).first().getByRole("button", { name: /^Insert a link/ }).click();
  expect(await noteOnShow(page)).toContain(`[[${title}]]`);
  await notes(page).first().getByRole("button", { name: /^Insert a relation/ }).click();
  await page.getByPlaceholder("Which relation?").fill("depends");
  await page.keyboard.press("Enter");
  expect(await noteOnShow(page)).toContain(`(depends_on:: [[${title}]])`);
});

test("a thumb stands in the log with its question and reason, and is taken back there", async () => {
  const page = await session.open();
  await command(page, "search");
  await page.getByRole("searchbox").fill("Sauerteig füttern");
  await page.getByRole("searchbox").press("Enter");
  const hit = page.locator(".mindnet-hit").first();
  await hit.waitFor();
  await hit.getByRole("button", { name: /^Not helpful/ }).click();
  await hit.getByPlaceholder(/^Why\?/).fill("zu allgemein");
  await page.keyboard.press("Enter");
  const log = async (name: string) =>
    (await readFile(join(session.harness.dataDir, "logs", name), "utf8")).trim().split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
  await expect.poll(async () => (await log("feedback.jsonl")).at(-1)).toMatchObject({ score: 1, target: "hit", comment: "zu allgemein" });
  const given = (await log("feedback.jsonl")).at(-1)!;
  expect((await log("search_history.jsonl")).map((one) => one.query_id)).toContain(given.query_id);
  await hit.getByRole("button", { name: /^Not helpful/ }).click();
  await hit.locator("[aria-pressed=true]").waitFor({ state: "detached" });
  const lines = await log("feedback.jsonl");
  expect(lines.length).toBeGreaterThanOrEqual(3);
});

for (const theme of ["light", "dark"] as const) {
  for (const language of ["en", "de"] as const) {
    test(`no accessibility violation and a picture in ${theme}, ${language}`, async () => {
      const page = await session.open({ theme, language, height: 700 });
      await command(page, "related");
      await openNote(page, language === "de" ? "Sauerteig.md" : "Salt.md");
      await notes(page).first().waitFor();
      await page.locator(".mindnet-why").first().click();
      expect(await violations(page, ".mod-right-split")).toEqual([]);
      await session.pictures.take(page, `related-${theme}-${language}`);
    });
  }
}
