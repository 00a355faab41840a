import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { command, noteOnShow, openNote, readNote, undo, violations } from "./pages";
import { startSession } from "./session";

const LINES = 5_000;
const LINKS = 1_000;
const LONG = Array.from({ length: LINES }, (_, index) => (index % (LINES / LINKS) === 0 ? `Line ${index} rel: uses [[Salt]]` : `Line ${index} of a long note.`)).join("\n");
const RELATIONS = "# Relations\n\nPlain [[Salt]] here.\n\nrel: depends_on [[Kimchi]]\n\nAnd [[Nowhere at all]] too.\n";

const SHAPES = [
  "---",
  "type: project",
  "braucht: \"[[Salt]]\"",
  "---",
  "# Sauerkraut im Herbst",
  "",
  "Zuerst der [[Kimchi]], weil er schneller reift.",
  "",
  "rel: teil_von [[Brot – Übersicht]], rel: candidate:similar_to [[Miso]]",
  "",
  "Das Glas kommt aus dem Keller, siehe [[Einkaufszettel]].",
  "",
  "> [!edge] caused_by: [[Temperature and time]]",
  "",
].join("\n");

const READING = "# Reading\n\nA plain [[Salt]] here.\n\nrel: teil_von [[Kimchi]]\n\nAnd [[Nowhere at all]] too.\n";

const RULES = "---\ntype: project\n---\nMade with [[Salt]] here.\n";

const session = startSession({ "Relations.md": RELATIONS, "Rules.md": RULES, "Reading.md": READING, "Herbst.md": SHAPES, "Long.md": LONG });

const badge = (page: Page, line: string) => page.locator(".cm-line", { hasText: line }).locator(".mindnet-edge-badge");

test("each link has a badge that tells relations, mentions and dead ends apart", async () => {
  const page = await session.open();
  await openNote(page, "Relations.md");
  await badge(page, "depends_on").waitFor();
  expect(await badge(page, "rel: depends_on").textContent()).toBe("depends_on");
  expect(await badge(page, "Plain").textContent()).toBe("");
  expect(await badge(page, "Nowhere").getAttribute("data-resolved")).toBe("false");
  expect(await badge(page, "rel: depends_on").getAttribute("aria-label")).toMatch(/depends_on → Kimchi · written · inline:rel · confidence 0\.95 · line 5/);
});

test("badges stay with their links while lines are written above, and new ones come when the note is indexed", async () => {
  const page = await session.open();
  await openNote(page, "Relations.md");
  await badge(page, "rel: depends_on").waitFor();
  await page.locator(".cm-line").first().click();
  await page.keyboard.press("Home");
  await page.keyboard.type("rel: uses [[Miso]]");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  expect(await badge(page, "rel: depends_on").textContent()).toBe("depends_on");
  expect(await badge(page, "rel: uses").count()).toBe(0);
  await writeFile(join(session.harness.vault, "Relations.md"), await noteOnShow(page));
  await expect.poll(() => badge(page, "rel: uses").textContent()).toBe("uses");
  expect(await badge(page, "rel: depends_on").textContent()).toBe("depends_on");
});

test("a click explains the link, and what a rule found is gone for good when it is rejected", async () => {
  const page = await session.open();
  await openNote(page, "Sauerkraut.md");
  await badge(page, "Temperature and time").waitFor();
  await badge(page, "Temperature and time").click();
  const modal = page.locator(".modal");
  const rule = modal.locator(".mindnet-edges:not(.mindnet-rejected) [data-provenance=rule]", { hasText: "related_to" });
  await rule.waitFor();
  expect(await violations(page, ".modal-container")).toEqual([]);
  await rule.getByRole("button", { name: /^Reject/ }).click();
  const back = modal.locator(".mindnet-rejected").getByRole("button", { name: /^Take rejection back: related_to/ });
  await back.waitFor();
  expect(await rule.count()).toBe(0);
  await back.click();
  await rule.waitFor();
  await rule.getByRole("button", { name: /^Reject/ }).click();
  await back.waitFor();
  expect(await violations(page, ".modal-container")).toEqual([]);
  await page.keyboard.press("Escape");
  await modal.waitFor({ state: "detached" });
  await expect.poll(() => badge(page, "Temperature and time").getAttribute("aria-label")).not.toContain("related_to");
});

test.each([
  ["light", "en"],
  ["dark", "de"],
] as const)("written, ruled, proposed and dead ends show by shapes of their own, and what is explained is well to read (%s, %s)", async (theme, language) => {
  const page = await session.open({ theme, language, height: 420 });
  await openNote(page, "Herbst.md");
  await badge(page, "teil_von").first().waitFor();
  const origins = await page.locator(".cm-line .mindnet-edge-badge").evaluateAll((all) => all.map((one) => one.getAttribute(one.getAttribute("data-resolved") === "false" ? "data-resolved" : "data-provenance")));
  expect(origins).toEqual(["explicit", "explicit", "explicit", "candidate", "false", "explicit"]);
  await session.pictures.take(page, `badges-${theme}-${language}`);
  await badge(page, "rel: candidate").nth(1).click();
  const modal = page.locator(".mindnet-edges-modal");
  await modal.locator("[data-provenance=candidate]").waitFor();
  expect(await violations(page, ".modal-container")).toEqual([]);
});

test("while reading, each link has its badge too, it is reached by Tab, and it follows what is saved", async () => {
  const page = await session.open();
  await readNote(page, "Reading.md");
  const badges = page.locator(".markdown-rendered .mindnet-edge-badge");
  await badges.first().waitFor();
  expect(await badges.allTextContents()).toEqual(["", "part_of", "no such note"]);
  expect(await violations(page, ".mod-root")).toEqual([]);
  const isFocused = () => badges.nth(1).evaluate((one) => one === document.activeElement);
  for (let presses = 0; presses < 20 && !(await isFocused()); presses++) await page.keyboard.press("Tab");
  expect(await isFocused()).toBe(true);
  await page.keyboard.press("Enter");
  await page.locator(".mindnet-edges-modal code", { hasText: "part_of" }).waitFor();
  await page.keyboard.press("Escape");
  await writeFile(join(session.harness.vault, "Reading.md"), READING.replace("teil_von", "uses"));
  await expect.poll(() => badges.allTextContents()).toEqual(["", "uses", "no such note"]);
});

test("by keyboard: the relation at the cursor is explained, gets another kind in the note, and undo takes that back", async () => {
  const page = await session.open();
  await openNote(page, "Relations.md");
  await badge(page, "rel: depends_on").waitFor();
  const before = await noteOnShow(page);
  await page.locator(".cm-line", { hasText: "rel: depends_on" }).click();
  await command(page, "relation-at-cursor");
  const modal = page.locator(".mindnet-edges-modal");
  await modal.locator("code", { hasText: "depends_on" }).waitFor();
  await modal.getByRole("button", { name: /^Change kind…: depends_on/ }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("solves");
  await page.keyboard.press("Enter");
  await expect.poll(() => noteOnShow(page)).toContain("rel: solves [[Kimchi]]");
  await undo(page);
  expect(await noteOnShow(page)).toBe(before);
});

test("what a rule found is written into the note as a relation when its writer wants that, and is read as such", async () => {
  const page = await session.open();
  await openNote(page, "Rules.md");
  await badge(page, "Made with").click();
  const modal = page.locator(".mindnet-edges-modal");
  await modal.getByRole("button", { name: /^Write into note: depends_on/ }).click();
  await modal.waitFor({ state: "detached" });
  expect(await noteOnShow(page)).toBe(RULES.replace("[[Salt]]", "(depends_on:: [[Salt]])"));
  await writeFile(join(session.harness.vault, "Rules.md"), await noteOnShow(page));
  await expect.poll(() => badge(page, "Made with").getAttribute("aria-label")).toContain("inline:field");
});

test("where a relation begins kinds are offered in both languages, then notes, no key asks the sidecar anything, and what is written so is read so", async () => {
  const page = await session.open({ height: 360 });
  await openNote(page, "Relations.md");
  await badge(page, "rel: depends_on").waitFor();
  const before = await noteOnShow(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.locator(".cm-line").last().click();
  await page.keyboard.type("rel: teil");
  await page.locator(".suggestion-item.is-selected", { hasText: "teil_von" }).waitFor();
  await session.pictures.take(page, "suggest-light-en");
  await page.keyboard.press("Enter");
  await page.locator(".suggestion-item.is-selected").waitFor();
  await page.keyboard.type("kimc");
  await page.locator(".suggestion-item.is-selected", { hasText: "Kimchi" }).waitFor();
  await page.keyboard.press("Enter");
  expect(await noteOnShow(page)).toBe(`${before}rel: teil_von [[Kimchi]]`);
  await page.keyboard.press("Enter");
  await page.keyboard.type("[[rel:us");
  await page.locator(".suggestion-item.is-selected", { hasText: "uses" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("mis");
  await page.locator(".suggestion-item.is-selected", { hasText: "Miso" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("> [!edge] löst");
  await page.locator(".suggestion-item.is-selected", { hasText: "means solves" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("hefew");
  await page.locator(".suggestion-item.is-selected", { hasText: "Hefewasser" }).waitFor();
  await page.keyboard.press("Enter");
  expect(await noteOnShow(page)).toBe(`${before}rel: teil_von [[Kimchi]]\n[[rel:uses Miso]]\n> [!edge] löst: [[Hefewasser]]`);
  expect(asked).toEqual([]);

  await writeFile(join(session.harness.vault, "Relations.md"), await noteOnShow(page));
  await expect.poll(() => badge(page, "rel: teil_von").textContent()).toBe("part_of");
  await expect.poll(() => badge(page, "[[rel:uses Miso").textContent()).toBe("uses");
  await expect.poll(() => badge(page, "[!edge] löst").textContent()).toBe("solves");
});

const MEDIAN_MS = 4;
const P95_MS = 16;
const GROWTH_KB = 1_000;
const EDITS = 1_000;

test("badges cost no more than a few milliseconds a key in a note of a thousand links", async () => {
  const page = await session.open();
  await openNote(page, "Long.md");
  await badge(page, "Line 0 ").waitFor();
  const measured = await page.evaluate(async () => {
    interface View {
      dispatch(spec: object): void;
      state: { doc: { line(n: number): { from: number } } };
    }
    const { app } = window as unknown as { app: { editor: View; plainEditor(): View } };
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const key = (view: View) => {
      const started = performance.now();
      view.dispatch({ changes: { from: view.state.doc.line(3).from, insert: "x" } });
      return performance.now() - started;
    };
    const plain = app.plainEditor();
    const on: number[] = [];
    const off: number[] = [];
    // In turn, so that whatever else the machine does falls on both alike.
    for (let index = 0; index < 400; index++) {
      on.push(key(app.editor));
      off.push(key(plain));
      if (index % 10 === 0) await frame();
    }
    const at = (times: number[], share: number) => times.sort((one, other) => one - other)[Math.floor(times.length * share)]!;
    return { median: at(on, 0.5) - at(off, 0.5), p95: at(on, 0.95) - at(off, 0.95), off: at(off, 0.5) };
  });
  console.log(
    [
      `badges in ${LINES} lines with ${LINKS} links, beside the same editor without them (${measured.off.toFixed(2)} ms a key):`,
      `  median ${measured.median.toFixed(2)} ms more a key (at most ${MEDIAN_MS})`,
      `  p95    ${measured.p95.toFixed(2)} ms more a key (at most ${P95_MS})`,
    ].join("\n"),
  );
  expect(measured.median).toBeLessThanOrEqual(MEDIAN_MS);
  expect(measured.p95).toBeLessThanOrEqual(P95_MS);
});

test("memory is flat after a thousand edits", async () => {
  const page = await session.open();
  await openNote(page, "Long.md");
  await badge(page, "Line 0 ").waitFor();
  const cdp = await page.context().newCDPSession(page);
  const used = async () => {
    await cdp.send("HeapProfiler.collectGarbage");
    return (await cdp.send("Runtime.getHeapUsage")).usedSize / 1_000;
  };
  const edit = (times: number) =>
    page.evaluate(async (count) => {
      interface View {
        dispatch(spec: object): void;
        state: { doc: { line(n: number): { from: number } } };
      }
      const { editor } = (window as unknown as { app: { editor: View } }).app;
      for (let index = 0; index < count; index += 2) {
        const { from } = editor.state.doc.line(3);
        editor.dispatch({ changes: { from, insert: "x" } });
        editor.dispatch({ changes: { from, to: from + 1 } });
        if (index % 50 === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }, times);
  await edit(200);
  const before = await used();
  await edit(EDITS);
  const growth = (await used()) - before;
  console.log(`memory after ${EDITS} edits: ${growth.toFixed(0)} kB more (at most ${GROWTH_KB}) of ${before.toFixed(0)} kB`);
  expect(growth).toBeLessThanOrEqual(GROWTH_KB);
});
