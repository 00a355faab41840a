/** What happens when things go wrong, grow large or have strange names. */
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { ModelServer } from "./model";
import { beside, command, fileMenu, narrow, openNote, openSettings, opened, overflowing, readNote, renamed, violations } from "./pages";
import { startModel, startSession } from "./session";

const ODD = "Odd/100% \"sure\"? #1 & [draft] it's 🥖 +ü.md";
const ENDLESS = `Donaudampfschifffahrts${"elektrizitäten".repeat(8)}hauptbetriebswerk`;
const LEAVES = 200;
const NOTES: Record<string, string> = {
  [ODD]: "# Pumpernickel\n\nThe pumpernickel rests for sixteen hours, see [[Crust]].\n\nrel: depends_on [[Crust]]\n",
  "Crust.md": "# Crust\n\nSteam in the first minutes.\n",
  [`${ENDLESS}.md`]: `---\ntags: [${ENDLESS}]\ntype: ${ENDLESS}\n---\n# ${ENDLESS}\n\n## ${ENDLESS}\n\nThe ferry sails at dusk ${ENDLESS}, see [[Crust]] and [[${ENDLESS} nowhere]].\n\nrel: depends_on [[Crust]]\n`,
  "Harbour.md": `# Harbour\n\nThe ferry sails at dusk.\n\nrel: ${ENDLESS} [[${ENDLESS}]]\n`,
  "Kinds.md": `# Kinds\n\nrel: ${ENDLESS} [[Crust]]\n`,
  "Hub.md": `# Hub\n\nThe lattice of everything.\n\n${Array.from({ length: LEAVES }, (_, index) => `- [[Leaf ${index}]]`).join("\n")}\n`,
  ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`Leaf ${index}.md`, `# Leaf ${index}\n\nOne of the lattice.\n\nrel: uses [[Hub]]\n`])),
};
const session = startSession(NOTES, false);
let model: ModelServer;

startModel(session, (one) => (model = one));

const hits = (page: Page) => page.locator(".mindnet-search .mindnet-hit");

async function search(page: Page, question: string): Promise<void> {
  await command(page, "search");
  await page.getByRole("searchbox").fill(question);
  await page.getByRole("searchbox").press("Enter");
}

async function ask(page: Page, question: string): Promise<void> {
  await command(page, "chat");
  await page.locator(".mindnet-composer textarea").fill(question);
  await page.keyboard.press("Enter");
}

test("a search that is on its way when the sidecar is killed says so, and is answered when it is back", async () => {
  const page = await session.open();
  await command(page, "search");
  await page.getByRole("searchbox").fill("pumpernickel");
  await Promise.all([page.getByRole("searchbox").press("Enter"), session.harness.sidecar.crash()]);
  await page.locator(".mindnet-search .mindnet-notice", { hasText: "The sidecar is not running" }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("pumpernickel");
  // Whether it was answered or not: what is asked now waits.
  await search(page, "pumpernickel rests");
  await session.harness.sidecar.start();
  await hits(page).filter({ hasText: "Pumpernickel" }).waitFor();
  expect(await page.locator(".mindnet-search .mindnet-notice").isVisible()).toBe(false);
});

test("an answer that is being written when the sidecar is killed keeps what it has, and can be asked for again", async () => {
  const page = await session.open();
  model.says({ pieces: ["Sixteen ", "hours ", "of rest"], hold: [2] });
  await ask(page, "How long does the pumpernickel rest?");
  await page.locator(".mindnet-answer", { hasText: "Sixteen hours" }).waitFor();
  await session.harness.sidecar.crash();
  await page.locator(".mindnet-turn[data-phase=failed] .mindnet-fault", { hasText: "The connection to the sidecar broke." }).waitFor();
  expect(await page.locator(".mindnet-answer").textContent()).toContain("Sixteen hours");
  expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
  await session.harness.sidecar.start();
  await page.locator(".mindnet-status[data-state=idle]").waitFor();
  model.says({ pieces: ["Sixteen hours [1]."] });
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.locator(".mindnet-turn[data-phase=answered]").waitFor();
  expect(await page.locator(".mindnet-turn").count()).toBe(1);
});

test("a note with strange signs in its name is found, opened, explained, followed and indexed anew", async () => {
  const page = await session.open();
  await search(page, "pumpernickel rests sixteen hours");
  await hits(page).first().locator(".mindnet-hit-open").click();
  await expect.poll(async () => (await opened(page)).at(-1)?.path).toBe(ODD);
  await page.locator(".cm-line .mindnet-edge-badge", { hasText: "depends_on" }).waitFor();
  await fileMenu(page, ODD, "Find related");
  await page.locator(".mindnet-related .mindnet-count", { hasText: "Related to Pumpernickel" }).waitFor();
  await fileMenu(page, ODD, "Explain links");
  await page.locator(".mindnet-edges-modal li", { hasText: "Crust" }).first().waitFor();
  await page.keyboard.press("Escape");
  model.says({ pieces: ["Sixteen hours [1]."] });
  const asked = page.waitForRequest((request) => request.url().endsWith("/chat"));
  await fileMenu(page, ODD, "Ask about this note");
  await page.keyboard.type("How many hours does the pumpernickel rest?");
  await page.keyboard.press("Enter");
  await asked;
  await page.locator(".mindnet-source", { hasText: "Pumpernickel" }).waitFor({ state: "attached" });
  await writeFile(join(session.harness.vault, ODD), NOTES[ODD]!.replace("depends_on", "uses"));
  await page.locator(".cm-line .mindnet-edge-badge", { hasText: "uses" }).waitFor();
});

test("two hundred links of one note are explained in a list that scrolls, and its reasons stay readable", async () => {
  const page = await session.open();
  await openNote(page, "Hub.md");
  await page.locator(".cm-line .mindnet-edge-badge").first().waitFor();
  const started = Date.now();
  await fileMenu(page, "Hub.md", "Explain links");
  const list = page.locator(".mindnet-edges-modal .mindnet-edges");
  await list.locator("li").nth(LEAVES - 1).waitFor();
  expect(Date.now() - started).toBeLessThan(10_000);
  expect(await list.evaluate((one) => one.scrollHeight > one.clientHeight && one.getBoundingClientRect().bottom <= window.innerHeight)).toBe(true);
  await page.keyboard.press("Escape");
  await search(page, "the lattice of everything");
  const hub = hits(page).filter({ has: page.locator(".mindnet-hit-title", { hasText: /^Hub$/ }) });
  await hub.getByRole("button", { name: "Why this result" }).click();
  const edges = hub.locator(".mindnet-edges");
  await edges.locator("li").nth(20).waitFor();
  expect(await edges.evaluate((one) => one.clientHeight)).toBeLessThan(500);
  expect(await violations(page, ".mod-right-split")).toEqual([]);
});

test("whoever leafs through many notes quickly sees what belongs to the last one", async () => {
  const page = await session.open();
  await command(page, "related");
  await page.evaluate(async () => {
    const { app } = window as unknown as { app: { openNote(path: string): Promise<void> } };
    // As a key that is held: nobody waits for one to be shown.
    await Promise.all(Array.from({ length: 20 }, (_, index) => app.openNote(`Leaf ${index}.md`)));
    await app.openNote("Crust.md");
    await app.openNote("Hub.md");
  });
  await page.locator(".mindnet-related .mindnet-count", { hasText: "Related to Hub" }).waitFor();
  await page.locator(".cm-line", { hasText: "[[Leaf 3]]" }).locator(".mindnet-edge-badge").waitFor();
  expect(await page.locator(".cm-editor").count()).toBe(1);
});

test("two panes with the same note have their badges each, and closing one leaves the other's", async () => {
  const page = await session.open();
  await openNote(page, "Harbour.md");
  await beside(page, "Harbour.md");
  const badges = (pane: string) => page.locator(`${pane} .cm-line .mindnet-edge-badge`);
  const [first, second] = [badges(".mod-root:not(.mod-beside)"), badges(".mod-beside")];
  await first.first().waitFor();
  await second.first().waitFor();
  await writeFile(join(session.harness.vault, "Harbour.md"), NOTES["Harbour.md"]!.replace(`rel: ${ENDLESS}`, "rel: uses"));
  await expect.poll(() => second.first().textContent()).toBe("uses");
  await expect.poll(() => first.first().textContent()).toBe("uses");
  await beside(page, null);
  await writeFile(join(session.harness.vault, "Harbour.md"), NOTES["Harbour.md"]!.replace(`rel: ${ENDLESS}`, "rel: blocks"));
  await expect.poll(() => first.first().textContent()).toBe("blocks");
});

test("a note that is renamed while it is open keeps its badges and its related notes, and both follow it", async () => {
  const page = await session.open();
  await command(page, "related");
  await openNote(page, "Leaf 39.md");
  await page.locator(".mindnet-related .mindnet-count", { hasText: "Related to Leaf 39" }).waitFor();
  await page.locator(".cm-line .mindnet-edge-badge", { hasText: "uses" }).waitFor();
  const { vault } = session.harness;
  await rename(join(vault, "Leaf 39.md"), join(vault, "Twig.md"));
  await renamed(page, "Leaf 39.md", "Twig.md");
  await writeFile(join(vault, "Twig.md"), "# Twig\n\nOne of the lattice.\n\nrel: blocks [[Hub]]\n");
  await page.locator(".cm-line .mindnet-edge-badge", { hasText: "blocks" }).waitFor();
  await page.locator(".mindnet-related .mindnet-count", { hasText: "Related to Twig" }).waitFor();
});

test.each([
  ["light", "en", "Why this result", "Check"],
  ["dark", "de", "Warum dieses Ergebnis", "Prüfen"],
] as const)("in a pane of 300 pixels, with words that do not end, nothing stands out (%s, %s)", async (theme, language, why, check) => {
  const page = await session.open({ theme, language });
  await narrow(page, "side");
  await search(page, "the ferry sails at dusk");
  await hits(page).first().waitFor();
  for (const button of await page.getByRole("button", { name: why }).all()) await button.click();
  await page.locator(".mindnet-edges li").first().waitFor();
  expect(await overflowing(page, ".mod-right-split")).toEqual([]);
  await session.pictures.take(page, `narrow-search-${theme}-${language}`);
  expect(await violations(page, ".mod-right-split")).toEqual([]);

  model.says({ pieces: [`At dusk [1][2], ${ENDLESS} \`${ENDLESS}\`.\n\n| a | b |\n| --- | --- |\n| ${ENDLESS} | ${ENDLESS} |\n`], thinking: ENDLESS });
  await ask(page, `When does the ferry sail, ${ENDLESS}?`);
  await page.locator(".mindnet-turn[data-phase=answered]").waitFor();
  await page.locator(".mindnet-sources summary").click();
  await page.locator(".mindnet-actions .mindnet-why").click();
  expect(await overflowing(page, ".mod-right-split")).toEqual([]);
  await session.pictures.take(page, `narrow-chat-${theme}-${language}`);
  await command(page, "related");
  await openNote(page, `${ENDLESS}.md`);
  await page.locator(".mindnet-related .mindnet-hit").first().waitFor();
  for (const button of await page.locator(".mindnet-related .mindnet-why").all()) await button.click();
  expect(await overflowing(page, ".mod-right-split")).toEqual([]);
  await command(page, "doctor");
  await page.locator(".mindnet-doctor li[data-ok=true]").nth(4).waitFor();
  expect(await overflowing(page, ".mod-right-split")).toEqual([]);

  await narrow(page, "root");
  await openNote(page, `${ENDLESS}.md`);
  await page.locator(".cm-line .mindnet-edge-badge").first().waitFor();
  expect(await overflowing(page, ".mod-root")).toEqual([]);
  await openNote(page, "Kinds.md");
  await page.locator(".cm-line .mindnet-edge-badge", { hasText: "…" }).waitFor();
  expect(await overflowing(page, ".mod-root")).toEqual([]);
  await readNote(page, `${ENDLESS}.md`);
  await page.locator(".markdown-rendered .mindnet-edge-badge").first().waitFor();
  expect(await overflowing(page, ".mod-root")).toEqual([]);
  await fileMenu(page, `${ENDLESS}.md`, language === "de" ? "Links erklären" : "Explain links");
  await page.locator(".mindnet-edges-modal li").first().waitFor();
  expect(await overflowing(page, ".mindnet-edges-modal")).toEqual([]);
  await page.keyboard.press("Escape");
  await openSettings(page);
  await page.getByRole("button", { name: check, exact: true }).click();
  await page.locator(".mindnet-check-lines li").nth(5).waitFor();
  expect(await overflowing(page, ".mod-root")).toEqual([]);
  await session.pictures.take(page, `narrow-settings-${theme}-${language}`);
});
