import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Platform } from "obsidian";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ServerSentEvent } from "../../../obsidian-plugin/src/sidecar/sse";
import { callSidecar, streamSidecar, type Endpoint } from "../../../obsidian-plugin/src/sidecar/transport";
import type { SidecarEvent } from "../../../obsidian-plugin/src/sidecar/wire";
import { FakeSidecar, TOKEN } from "../fake-sidecar";
import { status } from "../samples";

vi.mock("obsidian", async (original) => ({ ...(await original<object>()), ...(await import("../app")) }));

let sidecar: FakeSidecar;
let endpoint: Endpoint;

beforeEach(async () => {
  sidecar = await FakeSidecar.start();
  endpoint = { url: sidecar.url, token: TOKEN };
});
afterEach(() => sidecar.stop());

describe("a call", () => {
  test("sends the token and the body, and gives the answer", async () => {
    expect(await callSidecar(endpoint, "GET", "/status")).toEqual(status());
    await callSidecar(endpoint, "POST", "/query", { query: "Brot" });
    expect(sidecar.asked).toEqual([{ query: "Brot" }]);
  });

  test("says that the token was refused", async () => {
    await expect(callSidecar({ ...endpoint, token: "wrong" }, "GET", "/status")).rejects.toMatchObject({ kind: "refused" });
  });

  test("gives the sidecar's own sentence and hint when it fails", async () => {
    await expect(callSidecar(endpoint, "GET", "/nothing")).rejects.toMatchObject({ kind: "failed", message: "/nothing is not here.", hint: "Look elsewhere." });
  });

  test("fails with a message when another program answers", async () => {
    await expect(callSidecar(endpoint, "GET", "/page")).rejects.toMatchObject({ kind: "failed", message: expect.stringContaining("another program") as string });
  });

  test("says that nobody is there", async () => {
    await sidecar.stop();
    await expect(callSidecar(endpoint, "GET", "/status")).rejects.toMatchObject({ kind: "unreachable" });
    sidecar = await FakeSidecar.start();
  });
});

describe("a stream", () => {
  const open = (signal = new AbortController().signal, to = endpoint) => streamSidecar(to, { method: "GET", path: "/events" }, signal);
  const parsed = (event: ServerSentEvent) => JSON.parse(event.data) as SidecarEvent;

  test("hands on each event, and says so when it breaks", async () => {
    const events = open();
    expect(parsed((await events.next()).value as ServerSentEvent)).toEqual({ event: "status", status: status() });
    const half = new TextEncoder().encode('event: note_removed\ndata: {"event":"note_removed","path":"Ü.md"}\n\n');
    sidecar.write(half.slice(0, 61));
    sidecar.write(half.slice(61));
    expect(parsed((await events.next()).value as ServerSentEvent)).toEqual({ event: "note_removed", path: "Ü.md" });
    await sidecar.stop();
    await expect(events.next()).rejects.toMatchObject({ kind: "unreachable" });
    sidecar = await FakeSidecar.start();
  });

  test("is closed when it is no longer wanted", async () => {
    const abort = new AbortController();
    const events = open(abort.signal);
    await events.next();
    expect(sidecar.listeners).toBe(1);
    abort.abort();
    await expect(events.next()).rejects.toMatchObject({ name: "AbortError" });
    await vi.waitFor(() => expect(sidecar.listeners).toBe(0));
  });

  test("is closed when nobody reads on", async () => {
    for await (const event of open()) {
      expect(event.event).toBe("status");
      break;
    }
    await vi.waitFor(() => expect(sidecar.listeners).toBe(0));
  });

  test("is refused with a wrong token, and finds nobody where nobody is", async () => {
    await expect(open(undefined, { ...endpoint, token: "wrong" }).next()).rejects.toMatchObject({ kind: "refused" });
    await sidecar.stop();
    await expect(open().next()).rejects.toMatchObject({ kind: "unreachable" });
    sidecar = await FakeSidecar.start();
  });
});

describe("where the browser's fetch is barred", () => {
  const events = (signal: AbortSignal) => streamSidecar(endpoint, { method: "GET", path: "/events" }, signal);

  beforeEach(() => {
    vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
    Object.assign(Platform, { isDesktop: true, isDesktopApp: true });
  });
  afterEach(() => vi.restoreAllMocks());

  test("the desktop's own http takes over, and stops when it is no longer wanted", async () => {
    const abort = new AbortController();
    const stream = events(abort.signal);
    expect((await stream.next()).value).toMatchObject({ event: "status" });
    abort.abort();
    await expect(stream.next()).rejects.toBeDefined();
    await vi.waitFor(() => expect(sidecar.listeners).toBe(0));
  });

  test("a problem is told as ever", async () => {
    endpoint = { ...endpoint, token: "wrong" };
    await expect(events(new AbortController().signal).next()).rejects.toMatchObject({ kind: "refused" });
  });

  test("a phone has nothing else to try", async () => {
    Object.assign(Platform, { isDesktop: false, isDesktopApp: false });
    await expect(events(new AbortController().signal).next()).rejects.toMatchObject({ kind: "unreachable" });
  });

  test("a stream that has begun is not asked for a second time", async () => {
    vi.restoreAllMocks();
    const stream = events(new AbortController().signal);
    await stream.next();
    const again = vi.spyOn(window, "fetch");
    await sidecar.stop();
    await expect(stream.next()).rejects.toMatchObject({ kind: "unreachable" });
    sidecar = await FakeSidecar.start();
    expect(again).not.toHaveBeenCalled();
    expect(sidecar.listeners).toBe(0);
  });
});

test("nothing else in the plugin reaches for a network", () => {
  const source = join(import.meta.dirname, "../../../obsidian-plugin/src");
  const reaching = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .filter((path) => /\bfetch\(|requestUrl|XMLHttpRequest|WebSocket|EventSource|sendBeacon|node:(http|https|net)\b/.test(readFileSync(join(source, path), "utf8")));
  expect(reaching).toEqual([join("sidecar", "transport.ts")]);
});
