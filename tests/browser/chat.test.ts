import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { ModelServer } from "./model";
import { closePanes, command, noteOnShow, opened, violations } from "./pages";
import { startModel, startSession } from "./session";

const QUESTION = "Which salt level keeps sauerkraut safe?";
const ANSWER = [
  "Two per cent of salt by weight is enough [1].\n\n",
  "- Below **1.5 %** the wrong bacteria win [1].\n",
  "- Above `3 %` it only slows down [2], see [[Salt]].\n\n",
  "```python\nsalt = 0.02 * cabbage  # [1]\n```\n\n",
  "Nobody wrote [42].",
];
const session = startSession();
let model: ModelServer;

startModel(session, (one) => (model = one));

const field = (page: Page) => page.locator(".mindnet-composer textarea");
const answer = (page: Page) => page.locator(".mindnet-answer").last();
const answered = (page: Page) => page.locator(".mindnet-turn[data-phase=answered]").last().waitFor();

async function ask(page: Page, question = QUESTION): Promise<void> {
  await command(page, "chat");
  await field(page).fill(question);
  await field(page).press("Enter");
}

test("sources come first, then the answer word by word, drawn without taking back what stands", async () => {
  const page = await session.open();
  model.says({ pieces: ANSWER, hold: [0, 4], thinking: "Salt, hm." });
  await ask(page);
  await page.locator(".mindnet-source").first().waitFor();
  expect(await page.locator(".mindnet-sources").textContent()).toContain("Salt");
  await page.getByText("The model thinks").waitFor();
  model.go();
  await answer(page).locator("pre").waitFor();
  expect(await page.locator(".mindnet-source").first().isVisible()).toBe(false);
  const first = await answer(page).locator(".mindnet-block").first().elementHandle();
  expect(await answer(page).locator("li strong").textContent()).toBe("1.5 %");
  expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(1);
  model.go();
  await answered(page);
  expect(await first!.evaluate((block) => block.isConnected)).toBe(true);
  await expect.poll(() => answer(page).textContent()).toContain("Nobody wrote [42].");
  expect(await answer(page).locator(".mindnet-citation").allTextContents()).toEqual(["1", "1", "2"]);
  expect(await answer(page).locator("pre").textContent()).toContain("# [1]");
  expect(await page.locator(".mindnet-thinking").textContent()).toContain("Salt, hm.");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
});

test("a citation shows its passage under the pointer and opens it at its line", async () => {
  const page = await session.open();
  model.says({ pieces: ANSWER });
  await ask(page);
  await answered(page);
  const citation = answer(page).locator(".mindnet-citation").first();
  const name = (await citation.getAttribute("aria-label"))!;
  const [, title, line] = /^Source 1: (.+?)(?: › .*)?, line (\d+)$/.exec(name)!;
  await citation.hover();
  await page.locator(".hover-popover", { hasText: title! }).waitFor();
  await citation.click();
  await expect.poll(async () => (await opened(page)).at(-1)?.line).toBe(Number(line));
  await page.locator(".is-flashing").waitFor();
  await answer(page).locator("a.internal-link").click();
  await expect.poll(async () => (await opened(page)).at(-1)?.path).toBe("Salt.md");
});

test("Esc stops the answer and the model within a second, and it can be asked again", async () => {
  const page = await session.open();
  model.says({ pieces: ["Two ", "per ", "cent"], hold: [2] });
  await ask(page);
  await answer(page).getByText("Two per").waitFor();
  const ended = model.ended();
  const started = Date.now();
  await page.keyboard.press("Escape");
  await page.locator(".mindnet-turn[data-phase=stopped]").waitFor();
  expect(await ended).toBe("gone");
  expect(Date.now() - started).toBeLessThan(1_000);
  expect(await answer(page).textContent()).toContain("Two per");
  model.says({ pieces: ["Two percent [1]."] });
  await page.getByRole("button", { name: "Ask again" }).click();
  await answered(page);
  expect(await page.locator(".mindnet-turn").count()).toBe(1);
});

test("the button stops too, and keeps the focus", async () => {
  const page = await session.open();
  model.says({ pieces: ["Two ", "per "], hold: [1] });
  await ask(page);
  await answer(page).getByText("Two").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator(".mindnet-turn[data-phase=stopped]").waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Send");
});

test("closing the pane stops the model, and the chat goes on from the history", async () => {
  const page = await session.open();
  model.says({ pieces: ["Only ", "half ", "said"], hold: [2] });
  await ask(page, "How does a closed pane keep the cabbage in salt?");
  await answer(page).getByText("Only half").waitFor();
  const ended = model.ended();
  await closePanes(page);
  expect(await ended).toBe("gone");
  await command(page, "chat");
  await page.getByRole("button", { name: "Earlier chats" }).click();
  await page.locator(".mindnet-session", { hasText: "How does a closed pane" }).first().click();
  await answer(page).getByText("Only half").waitFor();
  expect(await page.locator(".mindnet-turn[data-phase=stopped]").count()).toBe(1);
  model.says({ pieces: ["Two percent [1]."] });
  await ask(page);
  await answered(page);
});

test("what was read in the question shows above its sources, and a press takes it off", async () => {
  const page = await session.open();
  model.says({ pieces: ["Two percent [1]."] });
  await ask(page, '"wrong microbes" salt');
  await answered(page);
  const chips = page.locator(".mindnet-turn").last().locator(".mindnet-readings .mindnet-chip");
  expect(await chips.allTextContents()).toEqual(["“wrong microbes”"]);
  expect(await page.locator(".mindnet-turn").last().locator(".mindnet-source").count()).toBe(1);
  await chips.click();
  await expect.poll(() => page.locator(".mindnet-turn[data-phase=answered]").count()).toBe(2);
  expect(await page.locator(".mindnet-turn").last().locator(".mindnet-source").count()).toBeGreaterThan(1);
  expect(await violations(page, ".mindnet-chat")).toEqual([]);
});

test("what the model saw is one click away", async () => {
  const page = await session.open();
  model.says({ pieces: ["Two percent [1]."] });
  await ask(page);
  await answered(page);
  await page.getByRole("button", { name: "What the model saw" }).click();
  expect(await page.locator(".mindnet-context").textContent()).toContain("### [1]");
  expect(await page.locator(".mindnet-facts").textContent()).toContain("small");
});

test("an answer is put into the open note, and a chat becomes a note", async () => {
  const page = await session.open();
  model.says({ pieces: ["Two percent [1]."] });
  await ask(page);
  await answered(page);
  await page.getByRole("button", { name: "Insert into note" }).click();
  await page.locator(".notice", { hasText: "Open the note first" }).waitFor();
  await answer(page).locator(".mindnet-citation").click();
  await page.locator(".is-flashing").waitFor();
  await page.getByRole("button", { name: "Insert into note" }).click();
  expect(await noteOnShow(page)).toMatch(/Two percent \[\[[^\]]+\|1\]\]\.\n\n\*\*Sources\*\*\n\n1\. \[\[/);
  await page.getByRole("button", { name: "Save chat as note" }).click();
  const name = "Which salt level keeps sauerkraut safe.md";
  await expect.poll(async () => (await opened(page)).at(-1)).toMatchObject({ path: name, newTab: true });
  const file = join(session.harness.vault, name);
  expect(await readFile(file, "utf8")).toContain(`## ${QUESTION}\n\nTwo percent [[`);
  await rm(file);
});

test("a chat is found again in the history, goes on, and is deleted with a second click", async () => {
  const page = await session.open();
  model.says({ pieces: ["Only this [1]."] });
  await ask(page, "How is sauerkraut made with salt and time?");
  await answered(page);
  await page.getByRole("button", { name: "New chat" }).click();
  expect(await page.locator(".mindnet-turn").count()).toBe(0);
  await page.getByRole("button", { name: "Earlier chats" }).click();
  await page.locator(".mindnet-session", { hasText: "with salt and time" }).first().click();
  await answer(page).getByText("Only this").waitFor();
  expect(await answer(page).locator(".mindnet-citation").count()).toBe(1);
  await page.getByRole("button", { name: "Earlier chats" }).click();
  const remove = page.locator(".mindnet-history li", { hasText: "with salt and time" }).locator(".mindnet-icon-button");
  await remove.click();
  await remove.click();
  await page.locator(".mindnet-session", { hasText: "with salt and time" }).waitFor({ state: "detached" });
});

test("without a model the passages come all the same, with what to start", async () => {
  const page = await session.open();
  await session.harness.configure("llm.yaml", 'backends:\n  ollama: {kind: ollama, url: "http://127.0.0.1:1"}\n');
  try {
    await ask(page);
    await page.locator(".mindnet-turn[data-phase=failed]").waitFor();
    const turn = page.locator(".mindnet-turn").last();
    expect(await turn.locator(".mindnet-fault").textContent()).toContain("ollama serve");
    expect(await turn.locator(".mindnet-source").count()).toBeGreaterThan(0);
    expect(await turn.locator(".mindnet-source").first().isVisible()).toBe(true);
    await turn.locator(".mindnet-source-open").first().click();
    await expect.poll(async () => (await opened(page)).length).toBe(1);
    const notice = page.locator(".mindnet-notice", { hasText: "No language model answers." });
    await notice.waitFor();
    // What to do stands at the question already.
    await expect.poll(() => notice.textContent()).not.toContain("ollama serve");
    await page.mouse.move(5, 5);
    expect(await violations(page, ".mod-right-split")).toEqual([]);
    await session.pictures.take(page, "chat-no-model");
  } finally {
    await session.harness.configure("llm.yaml", model.config);
  }
  await page.locator(".mindnet-notice").getByRole("button", { name: "Look again" }).click();
  await page.locator(".mindnet-chat-footer", { hasText: "small answers on this machine" }).waitFor();
});

test("when the sidecar goes in the middle of an answer what was said stays, and it recovers by itself", async () => {
  const page = await session.open();
  model.says({ pieces: ["Two ", "per ", "cent"], hold: [2] });
  await ask(page);
  await answer(page).getByText("Two per").waitFor();
  await session.harness.sidecar.stop();
  await page.locator(".mindnet-turn[data-phase=failed]").waitFor();
  expect(await answer(page).textContent()).toContain("Two per");
  await page.locator(".mindnet-notice", { hasText: "The sidecar is not running" }).waitFor();
  await session.harness.sidecar.start();
  await page.locator(".mindnet-status[data-state=idle]").waitFor();
  model.says({ pieces: ["Two percent [1]."] });
  await page.getByRole("button", { name: "Ask again" }).click();
  await answered(page);
});

test("on a phone the pane says what is not there", async () => {
  const page = await session.open({ mobile: true });
  await command(page, "chat");
  await page.locator(".mindnet-notice", { hasText: "On this device the sidecar cannot run" }).waitFor();
});

test("what an answer would have the page load is not loaded", async () => {
  const page = await session.open();
  model.says({ pieces: ["![x](http://127.0.0.1:9/leak.png) <img src='http://127.0.0.1:9/leak'> [1]"] });
  await ask(page);
  await answered(page);
  await expect.poll(() => answer(page).locator(".mindnet-citation").count()).toBe(1);
  expect(await answer(page).locator("img").count()).toBe(0);
});

for (const theme of ["light", "dark"] as const) {
  for (const language of ["en", "de"] as const) {
    test(`no accessibility violation and a picture in ${theme}, ${language}`, async () => {
      const page = await session.open({ theme, language, height: 640 });
      model.says({
        pieces:
          language === "de"
            ? ["Der Teig stand zu kalt [1].\n\n", "- Die Stockgare bei **17 °C** dauerte zu lange für das Gärfenster [1][2].\n", "- Das Anstellgut war vier Tage alt [3].\n\n", "Das nächste Mal hilft ein wärmerer Platz oder mehr Zeit [2]."]
            : ["Two per cent of the cabbage’s weight keeps sauerkraut safe [1].\n\n", "- Below **1.5 %** unwanted bacteria can win before the brine is sour [2].\n", "- Above **3 %** it only ferments more slowly [2][3].\n\n", "Keep everything under the brine: what floats grows mould [1]."],
      });
      await ask(page, language === "de" ? "Warum ging der Teig am Sonntag nicht auf?" : QUESTION);
      await answered(page);
      await answer(page).locator(".mindnet-citation").nth(1).click();
      await page.locator(".is-flashing").waitFor();
      await page.locator(".mindnet-turn summary").first().click();
      await page.getByRole("button", { name: language === "de" ? "Was das Modell sah" : "What the model saw" }).click();
      expect(await violations(page, ".mod-right-split")).toEqual([]);
      await page.getByRole("button", { name: language === "de" ? "Was das Modell sah" : "What the model saw" }).click();
      await page.locator(".mindnet-turn summary").first().click();
      await answer(page).locator(".mindnet-citation").last().hover();
      await page.locator(".hover-popover").waitFor();
      await session.pictures.take(page, `chat-${theme}-${language}`);
      await page.getByRole("button", { name: language === "de" ? "Frühere Chats" : "Earlier chats" }).click();
      await page.locator(".mindnet-session").first().waitFor();
      expect(await violations(page, ".mod-right-split")).toEqual([]);
    });
  }
}
