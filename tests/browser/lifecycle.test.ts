import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { command, openNote, openSettings, setEnabled } from "./pages";
import { startSession } from "./session";

const LARGEST = 250_000;
const session = startSession();

/** Uses each view a little, as somebody would, and turns the plugin off. */
async function useOnce(page: Page): Promise<void> {
  await command(page, "search");
  await page.getByRole("searchbox").fill("Sauerteig");
  await page.getByRole("searchbox").press("Enter");
  await page.locator(".mindnet-why").first().click();
  await command(page, "chat");
  await page.locator(".mindnet-composer textarea").fill("Wie viel Salz?");
  await page.keyboard.press("Enter");
  await page.locator(".mindnet-turn[data-phase=failed]").waitFor();
  await openNote(page, "Sauerkraut.md");
  await page.locator(".cm-line .mindnet-edge-badge").first().click();
  await page.locator(".mindnet-edges-modal li").first().waitFor();
  await page.keyboard.press("Escape");
  await command(page, "related");
  await page.locator(".mindnet-related .mindnet-hit").first().waitFor();
  await command(page, "doctor");
  await page.locator(".mindnet-doctor li[data-ok=true]").nth(4).waitFor();
  await openSettings(page);
  await page.locator(".mindnet-in-force-where").nth(4).waitFor();
  await setEnabled(page, false);
}

test("turned on and off twenty times, it leaves no element and no listener", async () => {
  const page = await session.open();
  const cdp = await page.context().newCDPSession(page);
  const counted = async () => {
    await cdp.send("HeapProfiler.collectGarbage");
    const { nodes, jsEventListeners } = await cdp.send("Memory.getDOMCounters");
    return { nodes, jsEventListeners };
  };
  await useOnce(page);
  await setEnabled(page, true);
  await useOnce(page);
  const before = await counted();
  for (let round = 0; round < 20; round++) {
    await setEnabled(page, true);
    await useOnce(page);
  }
  expect(await page.locator("[class*=mindnet]").count()).toBe(0);
  const after = await counted();
  expect(after.jsEventListeners).toBeLessThanOrEqual(before.jsEventListeners);
  // The mocks of the app keep what they have made in a few lists of their own.
  expect(after.nodes - before.nodes).toBeLessThan(20 * 5);
}, 240_000);

test("main.js is no larger than it may be", async () => {
  expect((await stat(join(import.meta.dirname, "../../obsidian-plugin/main.js"))).size).toBeLessThanOrEqual(LARGEST);
});
