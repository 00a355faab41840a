/** A vault in which there is nothing yet. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { command, violations } from "./pages";
import { startSession } from "./session";

const session = startSession({}, false);

test("a vault without notes says so in each view, and the first note is found as soon as it is written", async () => {
  const page = await session.open();
  await page.locator(".mindnet-status[data-state=idle]").waitFor();
  await command(page, "related");
  await page.getByText("Open a note to see what is related to it.").waitFor();
  await command(page, "chat");
  await page.locator(".mindnet-notice", { hasText: "No note is indexed yet" }).waitFor();
  await command(page, "doctor");
  await page.locator(".mindnet-doctor li[data-ok=false]", { hasText: "0 notes indexed" }).waitFor();
  await command(page, "search");
  await page.getByRole("searchbox").fill("zeppelin");
  await page.keyboard.press("Enter");
  await page.locator(".mindnet-search .mindnet-notice", { hasText: "No note is indexed yet" }).waitFor();
  expect(await violations(page, ".mod-right-split")).toEqual([]);
  await writeFile(join(session.harness.vault, "Zeppelin.md"), "# Zeppelin\n\nThe zeppelin lands at noon.\n");
  await page.locator(".mindnet-hit", { hasText: "Zeppelin" }).waitFor();
  expect(await page.locator(".mindnet-search .mindnet-notice").isVisible()).toBe(false);
});
