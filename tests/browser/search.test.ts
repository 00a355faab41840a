import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { command, opened, openSettings, violations } from "./pages";
import { startSession } from "./session";

const LIGHTHOUSE = [
  "---",
  "type: concept",
  "---",
  "# Lighthouse of Ar-Men",
  "",
  "A tower in the surf off Brittany.",
  "",
  "## Keepers",
  "",
  "The keepers called the tower the hell of hells.",
  "Their supply boat was the Velléda.",
  "",
].join("\n");
const HARBOUR = "# Harbour log\n\nToday we talked about tides.\n\nrel: depends_on [[Lighthouse of Ar-Men]]\n";

const session = startSession({ "Lighthouse of Ar-Men.md": LIGHTHOUSE, "Harbour log.md": HARBOUR });

async function search(page: Page, question: string): Promise<void> {
  await command(page, "search");
  await page.getByRole("searchbox").fill(question);
  await page.getByRole("searchbox").press("Enter");
}

const lighthouse = (page: Page) => page.locator(".mindnet-hit", { hasText: "Lighthouse of Ar-Men.md" });

test("a question gives hits, and each says why it is there", async () => {
  const page = await session.open();
  await search(page, "What did the keepers call the tower in the surf?");
  const hit = lighthouse(page);
  await hit.waitFor();
  await expect.poll(() => page.locator(".mindnet-hit").first().textContent()).toContain("Ar-Men");
  expect(await hit.locator("mark").count()).toBeGreaterThan(0);
  await hit.getByRole("button", { name: "Why this result" }).click();
  const points = await hit.locator(".mindnet-parts tr:not(.mindnet-total) .mindnet-points").allTextContents();
  const total = Number(await hit.locator(".mindnet-total .mindnet-points").textContent());
  expect(points.length).toBeGreaterThanOrEqual(3);
  expect(points.map(Number).reduce((sum, value) => sum + value, 0)).toBeCloseTo(total, 9);
  expect(Number(await hit.locator(".mindnet-score").textContent())).toBe(total);
  expect(await hit.locator(".mindnet-bar-segment").count()).toBeGreaterThanOrEqual(2);
  expect(await hit.locator(".mindnet-edges").textContent()).toContain("depends_on");
});

test("a reason leads to the very line that it names", async () => {
  const page = await session.open();
  await search(page, "Who spoke of the hell of hells?");
  const hit = lighthouse(page);
  await hit.waitFor();
  await hit.getByRole("button", { name: "Why this result" }).click();
  const reason = hit.locator(".mindnet-reasons li[data-part=lexical]").first();
  expect(await reason.textContent()).toContain("hell");
  await reason.locator(".mindnet-place").click();
  await expect.poll(() => opened(page)).toEqual([{ path: "Lighthouse of Ar-Men.md", line: 10, newTab: false }]);
  expect(await page.locator(".is-flashing").textContent()).toContain("hell of hells");
  const edge = hit.locator(".mindnet-edges li", { hasText: "depends_on" }).first();
  await edge.locator(".mindnet-place").click();
  await expect.poll(async () => (await opened(page)).at(-1)).toEqual({ path: "Harbour log.md", line: 5, newTab: false });
  await page.locator(".is-flashing", { hasText: "rel: depends_on" }).waitFor();
  await edge.getByRole("button", { name: "Open Harbour log" }).click();
  await expect.poll(async () => (await opened(page)).length).toBe(3);
});

test("a note saved, renamed and deleted on disk changes the answer by itself", async () => {
  const page = await session.open();
  await search(page, "purple narwhal semaphore");
  await page.locator(".mindnet-count", { hasText: /result/ }).waitFor();
  expect(await page.locator(".mindnet-hits").textContent()).not.toContain("narwhal");
  const first = join(session.harness.vault, "Signals.md");
  await writeFile(first, "# Signals\n\nThe purple narwhal answers by semaphore.\n");
  const narwhal = page.locator(".mindnet-hit", { hasText: "purple narwhal" });
  await narwhal.waitFor();
  await narwhal.getByRole("button", { name: "Why this result" }).click();
  await rename(first, join(session.harness.vault, "Signals at sea.md"));
  await page.locator(".mindnet-hit-place", { hasText: "Signals at sea.md" }).waitFor();
  await page.locator(".mindnet-hit-place", { hasText: /^Signals\.md/ }).waitFor({ state: "detached" });
  await rm(join(session.harness.vault, "Signals at sea.md"));
  await page.locator(".mindnet-hit", { hasText: "purple narwhal" }).waitFor({ state: "detached" });
  await page.locator(".mindnet-status[data-state=idle]").waitFor();
});

test("the status bar says when a saved note is being indexed and when all is up to date", async () => {
  const page = await session.open();
  const bar = page.locator(".mindnet-status");
  await bar.and(page.locator("[data-state=idle]")).waitFor();
  expect(await bar.textContent()).toBe("mindnet: up to date");
  await bar.focus();
  await page.keyboard.press("Enter");
  await page.locator(".mindnet-doctor li[data-ok=true]", { hasText: "notes indexed" }).waitFor();
  await bar.evaluate((item) => {
    const seen: string[] = [];
    const times: Record<string, number> = {};
    new MutationObserver(() => {
      const state = item.getAttribute("data-state") ?? "";
      seen.push(state);
      if (state === "indexing") times.indexing ??= performance.now();
      if (state === "idle" && times.indexing !== undefined) times.idle ??= performance.now();
    }).observe(item, { attributeFilter: ["data-state"] });
    Object.assign(window, { seen, times });
  });
  await writeFile(join(session.harness.vault, "Tides.md"), "# Tides\n\nSpring tide and neap tide.\n");
  await expect.poll(() => page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual(expect.arrayContaining(["indexing"]));
  await bar.and(page.locator("[data-state=idle]")).waitFor();
  const { indexing, idle } = await page.evaluate(() => (window as unknown as { times: { indexing: number; idle: number } }).times);
  expect(idle - indexing).toBeLessThan(1_000);
  await search(page, "neap tide");
  await page.locator(".mindnet-hit", { hasText: "Tides.md" }).waitFor();
  await rm(join(session.harness.vault, "Tides.md"));
  await page.locator(".mindnet-hit", { hasText: "Tides.md" }).waitFor({ state: "detached" });
});

test("on a phone it loads, and says what is not there", async () => {
  const page = await session.open({ mobile: true });
  await search(page, "lighthouse");
  await page.locator(".mindnet-notice", { hasText: "On this device the sidecar cannot run" }).waitFor();
  await page.getByRole("button", { name: "Open settings" }).click();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.locator(".mindnet-check-lines li[data-ok=false]", { hasText: "The sidecar runs on the desktop" }).waitFor();
});

test("the whole view works by keyboard", async () => {
  const page = await session.open();
  await search(page, "lighthouse tower keepers");
  await page.locator(".mindnet-hit").first().waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => document.activeElement?.className)).toContain("mindnet-hit-open");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".mindnet-why[aria-expanded=true]").waitFor();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await opened(page)).length).toBe(1);
  await page.locator(".mindnet-hit-open").first().focus();
  await page.keyboard.press("Control+Enter");
  await expect.poll(async () => (await opened(page)).at(-1)?.newTab).toBe(true);
  await page.keyboard.press("ArrowUp");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("search");
});

test("when the sidecar stops the view says so, and recovers by itself", async () => {
  const page = await session.open();
  await search(page, "lighthouse");
  await page.locator(".mindnet-hit").first().waitFor();
  await session.harness.sidecar.stop();
  await page.locator(".mindnet-notice", { hasText: "The sidecar is not running" }).waitFor();
  await page.locator(".mindnet-status[data-state=absent]").waitFor();
  await page.getByRole("button", { name: "Show what to do" }).click();
  await page.locator(".mindnet-doctor li[data-ok=false]", { hasText: "Run file" }).waitFor();
  await command(page, "search");
  await session.harness.sidecar.start();
  await page.locator(".mindnet-status[data-state=idle]").waitFor();
  await search(page, "lighthouse tower");
  await lighthouse(page).waitFor();
});

test("the settings' check names each step, and what to do where one fails", async () => {
  const page = await session.open();
  await openSettings(page);
  const force = (name: string) => page.locator(".mindnet-in-force", { hasText: name });
  expect(await force("Questions and thumbs are noted").locator("select").inputValue()).toBe("365");
  expect(await force("Folders that are left out").textContent()).toContain("vault.exclude in ");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  // What is well in a vault that is indexed; a file of the vault and the model are not.
  await page.locator(".mindnet-check-lines li", { hasText: "Language model for the chat" }).waitFor();
  for (const step of ["Run file of the sidecar", "Answer of the sidecar", "Token", "Vault of the sidecar", "notes indexed", "Index is kept by"]) {
    expect(await page.locator(".mindnet-check-lines li[data-ok=true]", { hasText: step }).count()).toBe(1);
  }
  await page.getByLabel("Find the sidecar by itself").uncheck();
  const address = page.getByLabel("Address");
  await address.fill((await session.harness.run()).url);
  await address.press("Tab");
  await page.getByLabel("Token").fill("wrong");
  await page.getByLabel("Token").press("Tab");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.locator(".mindnet-check-lines li[data-ok=false]", { hasText: "Correct the token" }).waitFor();
  await page.locator(".mindnet-status[data-state=refused]").waitFor();
});

test("filters narrow the hits, by keyboard, and go again with one press", async () => {
  const page = await session.open();
  await search(page, "Teig Brot Sauerteig");
  await page.locator(".mindnet-hit").first().waitFor();
  await page.getByRole("button", { name: "Add filter: Folder" }).focus();
  await page.keyboard.press("Enter");
  await page.getByPlaceholder("Notes in which folder?").fill("journal");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Remove filter Folder: Journal/ }).waitFor();
  const places = page.locator(".mindnet-hit-place");
  await expect.poll(async () => (await places.allTextContents()).filter((place) => !place.startsWith("Journal/"))).toEqual([]);
  expect(await places.count()).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Add filter: Type" }).click();
  await page.locator(".suggestion-item", { hasText: "project" }).click();
  await page.locator(".mindnet-count", { hasText: "Nothing in your notes" }).waitFor();
  await page.getByRole("button", { name: /^Remove filter Folder/ }).click();
  await page.locator(".mindnet-hit").first().waitFor();
  expect(new Set(await page.locator(".mindnet-hit-foot .mindnet-badge:first-of-type").allTextContents())).toContain("project");
  await page.getByRole("button", { name: "Add filter: Date" }).click();
  await page.locator(".suggestion-item", { hasText: "Changed today" }).click();
  await page.locator(".mindnet-hit").first().waitFor();
});

test("a note that is missing says why it is", async () => {
  const page = await session.open();
  await search(page, "lighthouse keepers");
  await page.locator(".mindnet-hit").first().waitFor();
  await page.getByRole("button", { name: "Why is a note missing here?" }).click();
  await page.getByPlaceholder("Which note did you expect?").fill("Kombucha");
  await page.keyboard.press("Enter");
  const answer = page.locator(".mindnet-why-not-answer");
  await answer.waitFor();
  expect(await answer.textContent()).toMatch(/Kombucha.*(place|not)/s);
  expect(await violations(page, ".mod-right-split")).toEqual([]);
});

test("the window searches too, and makes room for what is opened", async () => {
  const page = await session.open();
  await command(page, "quick-search");
  const modal = page.locator(".modal");
  await modal.getByRole("searchbox").fill("hell of hells");
  await page.keyboard.press("Enter");
  await modal.locator(".mindnet-hit").first().waitFor();
  expect(await violations(page, ".modal-container")).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await modal.waitFor({ state: "detached" });
  await expect.poll(async () => (await opened(page)).length).toBe(1);
});

for (const theme of ["light", "dark"] as const) {
  for (const language of ["en", "de"] as const) {
    test(`no accessibility violation and a picture in ${theme}, ${language}`, async () => {
      const page = await session.open({ theme, language, height: 1000 });
      await search(page, language === "de" ? "Warum ging der Teig nicht auf?" : "Why did the dough not rise?");
      const why = page.getByRole("button", { name: language === "de" ? "Warum dieses Ergebnis" : "Why this result" }).first();
      await why.click();
      await page.locator(".mindnet-place").first().click();
      await page.locator(".is-flashing").waitFor();
      expect(await violations(page, ".mod-right-split, .status-bar")).toEqual([]);
      await session.pictures.take(page, `why-${theme}-${language}`);
      await openSettings(page);
      await page.getByRole("button", { name: language === "de" ? "Prüfen" : "Check", exact: true }).click();
      await page.locator(".mindnet-check-lines li").nth(7).waitFor();
      await page.locator(".mindnet-in-force-where").nth(4).waitFor();
      await page.setViewportSize({ width: 1100, height: 1880 });
      expect(await violations(page, ".mod-root")).toEqual([]);
      await session.pictures.take(page, `settings-${theme}-${language}`);
    });
  }
}
