/** What the browser's tests do with a page, whichever view they look at. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

export interface OpenedPassage {
  path: string;
  line: number;
  newTab: boolean;
}

interface App {
  run(id: string): void;
  enable(): Promise<void>;
  disable(): Promise<void>;
  closePanes(): Promise<void>;
  noteText(): string;
  undo(): void;
  openSettings(): void;
  fileMenu(path: string, title?: string): string[];
  openNote(path: string): Promise<void>;
  readNote(path: string): Promise<void>;
  openBeside(path: string): Promise<void>;
  closeBeside(): void;
  renamed(from: string, to: string): void;
  opened: OpenedPassage[];
}

/** Runs one of the plugin's commands. */
export function command(page: Page, id: string): Promise<void> {
  return page.evaluate((name) => (window as unknown as { app: App }).app.run(name), id);
}

/** Closes the plugin's panes. */
export function closePanes(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as { app: App }).app.closePanes());
}

/** Opens a note as the user would from the list of files. */
export function openNote(page: Page, path: string): Promise<void> {
  return page.evaluate((name) => (window as unknown as { app: App }).app.openNote(name), path);
}

/** Shows a note in the reading view. */
export function readNote(page: Page, path: string): Promise<void> {
  return page.evaluate((name) => (window as unknown as { app: App }).app.readNote(name), path);
}

/** Every passage that has been opened, in order. */
export function opened(page: Page): Promise<OpenedPassage[]> {
  return page.evaluate(() => (window as unknown as { app: App }).app.opened);
}

/** The text of the note on show, as it stands in its editor. */
export function noteOnShow(page: Page): Promise<string> {
  return page.evaluate(() => (window as unknown as { app: App }).app.noteText());
}

/** What the menu of a file offers, after choosing from it what is called so. */
export function fileMenu(page: Page, path: string, title?: string): Promise<string[]> {
  return page.evaluate(([file, item]) => (window as unknown as { app: App }).app.fileMenu(file!, item), [path, title]);
}

/** Opens the plugin's tab of the app's settings. */
export function openSettings(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as { app: App }).app.openSettings());
}

/** Takes back the last change of the note on show. */
export function undo(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as { app: App }).app.undo());
}

export function setEnabled(page: Page, enabled: boolean): Promise<void> {
  return page.evaluate((on) => {
    const { app } = window as unknown as { app: App };
    return on ? app.enable() : app.disable();
  }, enabled);
}

/** Shows a note in a second pane beside the first, or closes that pane. */
export function beside(page: Page, path: string | null): Promise<void> {
  return page.evaluate(async (name) => {
    const { app } = window as unknown as { app: App };
    if (name === null) app.closeBeside();
    else await app.openBeside(name);
  }, path);
}

/** Tells the app that a file has been renamed. */
export function renamed(page: Page, from: string, to: string): Promise<void> {
  return page.evaluate(([before, now]) => (window as unknown as { app: App }).app.renamed(before!, now!), [from, to]);
}

/** Presses Tab until something with this name has the focus. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 90; presses++) {
    const label = await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "");
    if (name.test(label)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${name}`);
}

/** Leaves this part of the page as wide as a narrow window. */
export async function narrow(page: Page, part: "side" | "root"): Promise<void> {
  await page.addStyleTag({ content: `.workspace { grid-template-columns: ${part === "side" ? "0 300px" : "300px 0"} !important; } .mod-root { padding: 8px !important; }` });
  await page.setViewportSize({ width: 300, height: 900 });
}

/** What stands out of this part of the page to the right; code scrolls in a box of its own. */
export function overflowing(page: Page, where: string): Promise<string[]> {
  return page.locator(where).first().evaluate((part) => {
    const { right } = part.getBoundingClientRect();
    const standsOut = (one: Element) => one.getBoundingClientRect().width > 1 && one.getBoundingClientRect().right > right + 1 && one.closest("pre") === null;
    return [...part.querySelectorAll("*")].filter(standsOut).map((one) => `${one.tagName} ${one.getAttribute("class") ?? ""}`);
  });
}

/** What axe finds wrong with this part of the page. */
export async function violations(page: Page, where: string): Promise<string[]> {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") });
  return page.evaluate(async (selector) => {
    const { axe } = window as unknown as { axe: { run(where: string, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };
    const found = await axe.run(selector, { rules: { region: { enabled: false } } });
    return found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" | ")}`);
  }, where);
}

/** Pictures go where the documentation shows them with MINDNET_SCREENSHOTS=1, into the folder that it names, or nowhere that lasts. */
export class Pictures {
  private folder: string | undefined;

  async take(page: Page, name: string): Promise<void> {
    await page.screenshot({ path: join(await this.place(), `${name}.png`) });
  }

  async clear(): Promise<void> {
    if (this.folder !== undefined) await rm(this.folder, { recursive: true, force: true });
  }

  private async place(): Promise<string> {
    const wanted = process.env.MINDNET_SCREENSHOTS;
    if (wanted) {
      const kept = wanted === "1" ? fileURLToPath(new URL("../../docs/screenshots", import.meta.url)) : wanted;
      await mkdir(kept, { recursive: true });
      return kept;
    }
    return (this.folder ??= await mkdtemp(join(tmpdir(), "mindnet-pictures-")));
  }
}
