/** A sidecar that the plugin itself starts, and the settings that it keeps. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { PROGRAM } from "./harness";
import { command, openSettings, setEnabled, violations } from "./pages";
import { startSession } from "./session";

const NOTES = { "Beacon.md": "# Beacon\n\nThe zephyr lamp turns twice a minute.\n", "Diary/Monday.md": "# Monday\n\nThe zephyr lamp was dark.\n" };
const session = startSession(NOTES, false);
const state = (page: Page, name: string) => page.locator(`.mindnet-status[data-state=${name}]`).waitFor();
const field = (page: Page, name: string) => page.locator(".mindnet-in-force").getByLabel(name, { exact: true });

test("started from the app it says so until it answers, and is gone when it is stopped", async () => {
  const { sidecar, children } = session.harness;
  await sidecar.stop();
  const page = await session.open({ data: { program: PROGRAM } });
  await state(page, "absent");
  expect(children.count).toBe(0);
  await command(page, "chat");
  await page.locator(".mindnet-notice", { hasText: "is not running" }).waitFor();
  await command(page, "start-sidecar");
  await state(page, "starting");
  const notice = page.locator(".mindnet-notice", { hasText: "The sidecar is starting, and reads its index" });
  await notice.waitFor();
  expect(await notice.getByRole("button").count()).toBe(0);
  expect(await violations(page, ".mod-right-split, .status-bar")).toEqual([]);
  await session.pictures.take(page, "starting-light-en");
  await state(page, "idle");
  await notice.waitFor({ state: "hidden" });
  await command(page, "stop-sidecar");
  await state(page, "absent");
  await expect.poll(() => children.count).toBe(0);
});

test("with Obsidian it starts by itself, a crash is said, and unloading the plugin ends it", async () => {
  const { children } = session.harness;
  const page = await session.open({ data: { program: PROGRAM, startWithApp: true } });
  await state(page, "idle");
  expect(children.count).toBe(1);
  children.crash();
  await page.locator(".notice", { hasText: "The sidecar has ended." }).waitFor();
  await state(page, "absent");
  await command(page, "doctor");
  await page.locator(".mindnet-doctor li[data-ok=false]", { hasText: "The sidecar that was started here has ended" }).waitFor();
  await page.locator(".mindnet-doctor").getByRole("button", { name: /^Start/ }).first().click();
  await state(page, "idle");
  await setEnabled(page, false);
  await expect.poll(() => children.count).toBe(0);
});

test("folders, privacy, logs and the model are changed in the settings, and apply at once or after the start that is offered", async () => {
  const { children } = session.harness;
  const page = await session.open({ data: { program: PROGRAM, startWithApp: true }, height: 1400 });
  await state(page, "idle");
  await command(page, "search");
  const hits = page.locator(".mindnet-hit");
  const search = async () => {
    await page.getByRole("searchbox").fill("zephyr lamp");
    await page.getByRole("searchbox").press("Enter");
  };
  await search();
  await hits.nth(1).waitFor();
  await openSettings(page);
  const excluded = field(page, "Folders that are left out");
  await excluded.fill("Diary/\n");
  await excluded.press("Tab");
  await expect.poll(() => hits.count()).toBe(1);
  expect(await readFile(join(session.harness.configDir, "mindnet.yaml"), "utf8")).toContain("Diary/");
  await excluded.fill("");
  await excluded.press("Tab");
  await expect.poll(() => hits.count()).toBe(2);

  const logs = field(page, "Questions and thumbs are noted");
  await logs.selectOption({ label: "no" });
  await page.locator(".mindnet-hit-foot .mindnet-thumbs").first().waitFor({ state: "detached" });
  await logs.selectOption({ label: "for 30 days" });

  const secret = field(page, "Private folders and tags");
  await secret.fill("Diary/");
  await secret.press("Tab");
  await page.locator(".mindnet-waits", { hasText: "From the next start of the sidecar on: Diary/" }).waitFor();
  expect(await violations(page, ".mod-root")).toEqual([]);
  await page.getByRole("button", { name: "Start it again" }).click();
  await state(page, "starting");
  await state(page, "idle");
  await search();
  await expect.poll(() => hits.count()).toBe(1);
  expect(children.count).toBe(1);

  await openSettings(page);
  const model = field(page, "Language model for the chat");
  await model.fill("phi3:mini");
  await model.press("Tab");
  await expect.poll(() => readFile(join(session.harness.configDir, "llm.yaml"), "utf8").catch(() => "")).toContain("phi3:mini");
  await children.end();
  await state(page, "absent");
  await secret.fill("Diary/\nAttic/");
  await secret.press("Tab");
  await page.locator(".mindnet-refused", { hasText: "The connection to the sidecar broke." }).waitFor();
  expect(await secret.inputValue()).toBe("Diary/\nAttic/");
});
