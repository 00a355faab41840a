/** The plugin's transport, and each of its ways, with a real sidecar. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callSidecar, streamSidecar, type Endpoint } from "../../obsidian-plugin/src/sidecar/transport";
import type { ConfigOut, Health, QueryAnswer, SidecarEvent, Status } from "../../obsidian-plugin/src/sidecar/wire";
import { startSession } from "./session";

vi.mock("obsidian", async () => ({ ...(await import("../plugin/app")), Platform: { isDesktop: true, isDesktopApp: true } }));

const session = startSession({ "Beacon.md": "# Beacon\n\nThe zephyr lamp turns twice a minute.\n" }, false);
let endpoint: Endpoint;

beforeEach(async () => {
  const { url, token } = await session.harness.run();
  endpoint = { url, token };
  vi.stubGlobal("window", { fetch: globalThis.fetch });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("calls are answered in the shapes that the plugin's types name", async () => {
  expect(await callSidecar<Health>(endpoint, "GET", "/health")).toMatchObject({ status: "ok" });
  const status = await callSidecar<Status>(endpoint, "GET", "/status");
  expect([status.state, status.notes, status.llm.validation.waiting]).toEqual(["idle", 1, 0]);
  const { hits } = await callSidecar<QueryAnswer>(endpoint, "POST", "/query", { query: "zephyr lamp", explain: true });
  expect(hits[0]).toMatchObject({ path: "Beacon.md", start_line: 1 });
  expect(hits[0]!.explanation!.contributions.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(hits[0]!.total_score, 9);
  const { settings, folder } = await callSidecar<ConfigOut>(endpoint, "GET", "/config");
  expect(settings.find(({ key }) => key === "mindnet.logs.enabled")).toMatchObject({ value: "on" });
  expect(folder).toContain("mindnet");
});

test("a wrong token, a wrong path and a wrong question are told apart, each with what the sidecar says", async () => {
  await expect(callSidecar({ ...endpoint, token: "wrong" }, "GET", "/status")).rejects.toMatchObject({ kind: "refused" });
  await expect(callSidecar(endpoint, "GET", "/notes?path=Gone.md")).rejects.toMatchObject({ kind: "failed", code: "not_found" });
  await expect(callSidecar(endpoint, "POST", "/query", { query: "x", top_k: -1 })).rejects.toMatchObject({ kind: "failed", message: expect.stringMatching(/\w/) as string });
  await expect(callSidecar({ url: "http://127.0.0.1:9", token: "" }, "GET", "/status")).rejects.toMatchObject({ kind: "unreachable" });
});

test.each(["fetch", "node"])("events come by %s as they happen, until they are not wanted any more", async (way) => {
  // As in an app whose page may not fetch from there.
  if (way === "node") vi.stubGlobal("window", { fetch: () => Promise.reject(new TypeError("Failed to fetch")) });
  const abort = new AbortController();
  const events = streamSidecar(endpoint, { method: "GET", path: "/events" }, abort.signal);
  const next = async (wanted: SidecarEvent["event"]): Promise<SidecarEvent> => {
    for (;;) {
      const event = JSON.parse(((await events.next()).value as { data: string }).data) as SidecarEvent;
      if (event.event === wanted) return event;
    }
  };
  expect(await next("status")).toMatchObject({ status: { notes: 1 } });
  await writeFile(join(session.harness.vault, "Beacon.md"), `# Beacon\n\nThe zephyr lamp came back by ${way}.\n`);
  expect(await next("note_indexed")).toMatchObject({ path: "Beacon.md" });
  abort.abort();
  await expect(events.next().then(() => events.next())).rejects.toMatchObject({ name: "AbortError" });
});
