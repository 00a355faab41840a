import { expect, test } from "vitest";
import { command, fileMenu, opened, openNote, tabTo, violations } from "./pages";
import { startSession } from "./session";

const SEED = "# Quokka husbandry\n\nThe quokka keeper feeds acacia leaves at dusk.\n\nrel: depends_on [[Fence]]\n";
const FENCE = "# Fence\n\nWire and posts, mended in spring.\n\nrel: uses [[Post]]\n";
const POST = "# Post\n\nCut from larch, dried for a year.\n";

const session = startSession({ "Quokka husbandry.md": SEED, "Fence.md": FENCE, "Post.md": POST });

test("by keyboard alone: search, open, why, and a thumb for the hit and for an edge", async () => {
  const page = await session.open();
  await command(page, "search");
  await page.keyboard.type("quokka keeper acacia");
  await page.keyboard.press("Enter");
  await page.locator(".mindnet-hit", { hasText: "Quokka husbandry" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => opened(page)).toMatchObject([{ path: "Quokka husbandry.md" }]);
  await command(page, "search");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.locator(".mindnet-reasons-pane .mindnet-reasons").waitFor();
  await tabTo(page, /^Helpful: Quokka husbandry$/);
  await page.keyboard.press("Space");
  await page.locator("[aria-label='Helpful: Quokka husbandry'][aria-pressed=true]").waitFor();
  await tabTo(page, /^Not helpful: depends_on → Fence$/);
  await page.keyboard.press("Space");
  await page.locator("[aria-label='Not helpful: depends_on → Fence'][aria-pressed=true]").waitFor();
  expect(await violations(page, ".mindnet-search")).toEqual([]);
});

test.each([
  ["light", "en", "Why this result"],
  ["dark", "de", "Warum dieses Ergebnis"],
] as const)("a hit that was found through other notes shows the ways that lead to it (%s, %s)", async (theme, language, why) => {
  const page = await session.open({ theme, language });
  await command(page, "search");
  await page.keyboard.type("quokka keeper acacia");
  await page.keyboard.press("Enter");
  const hit = page.locator(".mindnet-hit", { has: page.locator(".mindnet-hit-title", { hasText: /^Fence$/ }) });
  await hit.waitFor();
  await hit.getByRole("button", { name: why }).click();
  const way = hit.getByRole("img", { name: "Quokka husbandry → depends_on, references → Fence" });
  await way.waitFor();
  await way.scrollIntoViewIfNeeded();
  expect(await violations(page, ".mindnet-hits")).toEqual([]);
  await session.pictures.take(page, `ways-${theme}-${language}`);
});

test("the menu of a note finds related notes, asks about it alone, and explains its links", async () => {
  const page = await session.open();
  await openNote(page, "Post.md");
  expect(await fileMenu(page, "Fence.md")).toEqual(["Find related", "Ask about this note", "Explain links"]);
  await fileMenu(page, "Fence.md", "Find related");
  await page.locator(".mindnet-related .mindnet-count", { hasText: "Related to Fence" }).waitFor();

  const asked = page.waitForRequest((request) => request.url().endsWith("/chat"));
  await fileMenu(page, "Fence.md", "Ask about this note");
  await page.locator(".mindnet-about", { hasText: "Answers come from Fence alone." }).waitFor();
  await page.keyboard.type("What is it made of?");
  await page.keyboard.press("Enter");
  expect((await asked).postDataJSON()).toMatchObject({ filters: { path: ["Fence.md"] } });
  await page.getByRole("button", { name: "Ask all notes again" }).click();
  expect(await page.locator(".mindnet-about").isVisible()).toBe(false);

  await fileMenu(page, "Fence.md", "Explain links");
  const modal = page.locator(".mindnet-edges-modal");
  await modal.locator("li", { hasText: "Post" }).first().waitFor();
  expect(await modal.locator("li", { hasText: "Quokka husbandry" }).count()).toBeGreaterThan(0);
  expect(await violations(page, ".modal-container")).toEqual([]);
  await session.pictures.take(page, "links-light-en");
});

test.each([
  ["light", "en", "Copy command", /^Start it/],
  ["dark", "de", "Befehl kopieren", /^Starten/],
] as const)("the doctor says what is wrong, each line with its button, and why a program did not start (%s, %s)", async (theme, language, copy, start) => {
  let page = await session.open({ theme, language, data: { language: "auto" } });
  await command(page, "doctor");
  await page.locator(".mindnet-doctor li[data-ok=true]").nth(4).waitFor();
  await page.locator(".mindnet-doctor li[data-ok=false] .mindnet-mend", { hasText: copy }).waitFor();
  expect(await violations(page, ".mindnet-doctor")).toEqual([]);
  await page.close();

  await session.harness.sidecar.stop();
  try {
    page = await session.open({ theme, language, data: { program: "/nowhere/mindnet" } });
    await command(page, "doctor");
    await page.locator(".mindnet-doctor").getByRole("button", { name: start }).first().click();
    await page.locator(".mindnet-doctor li[data-ok=false] .mindnet-check-fix", { hasText: "spawn /nowhere/mindnet ENOENT" }).waitFor();
    await page.locator(".notice-container").evaluate((notices) => notices.replaceChildren());
    await page.setViewportSize({ width: 1100, height: 300 });
    await session.pictures.take(page, `doctor-${theme}-${language}`);
  } finally {
    await session.harness.sidecar.start();
  }
  await page.locator(".mindnet-doctor li[data-ok=true]").nth(4).waitFor();
});
