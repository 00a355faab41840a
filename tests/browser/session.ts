/** What every file of browser tests works with: a vault with its sidecar for the file, a page for each test. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { startHarness, type Harness, type PageOptions } from "./harness";
import { ModelServer } from "./model";
import { Pictures } from "./pages";

export interface Session {
  /** From the first test of the file to its last. */
  readonly harness: Harness;
  readonly pictures: Pictures;
  /** A page with the plugin in it; it is closed behind the test. */
  open(options?: PageOptions): Promise<Page>;
}

/**
 * Starts before a file's tests and clears away behind them. Behind each test its pages are closed, and nothing may
 * have failed in them unseen, nor may anybody but the page's own server and the sidecar have been asked.
 */
export function startSession(notes: Record<string, string> = {}, demo = true): Session {
  const pictures = new Pictures();
  const pages: Page[] = [];
  let harness: Harness | undefined;
  const started = () => {
    if (harness === undefined) throw new Error("the harness starts before the first test");
    return harness;
  };
  beforeAll(async () => {
    harness = await startHarness(notes, demo);
  });
  afterAll(async () => {
    await harness?.close();
    await pictures.clear();
  });
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()));
    const { problems, requests, origin, sidecar } = started();
    expect(problems.splice(0)).toEqual([]);
    expect([...requests].filter((one) => one !== origin && !sidecar.addresses.has(one))).toEqual([]);
  });
  return {
    get harness() {
      return started();
    },
    pictures,
    open: async (options) => {
      const page = await started().open(options);
      pages.push(page);
      return page;
    },
  };
}

/** Has the session's chats answered by a scripted model for as long as the file's tests run; ``begin`` is given it. */
export function startModel(session: Session, begin: (model: ModelServer) => void): void {
  let model: ModelServer | undefined;
  beforeAll(async () => {
    model = await ModelServer.start();
    await session.harness.configure("llm.yaml", model.config);
    begin(model);
  });
  afterAll(() => model?.stop());
}
