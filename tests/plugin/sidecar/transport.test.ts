import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callSidecar, followEvents, type Endpoint } from "../../../obsidian-plugin/src/sidecar/transport";
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

describe("the event stream", () => {
  test("hands on each event, and ends when the sidecar does", async () => {
    const seen: SidecarEvent[] = [];
    const followed = followEvents(endpoint, new AbortController().signal, (event) => seen.push(event));
    await vi.waitFor(() => expect(seen).toEqual([{ event: "status", status: status() }]));
    const half = new TextEncoder().encode('event: note_removed\ndata: {"event":"note_removed","path":"Ü.md"}\n\n');
    sidecar.write(half.slice(0, 61));
    sidecar.write(half.slice(61));
    await vi.waitFor(() => expect(seen.at(-1)).toEqual({ event: "note_removed", path: "Ü.md" }));
    await sidecar.stop();
    await expect(followed).rejects.toBeDefined();
    sidecar = await FakeSidecar.start();
  });

  test("is closed when it is no longer wanted", async () => {
    const abort = new AbortController();
    const followed = followEvents(endpoint, abort.signal, () => undefined);
    await vi.waitFor(() => expect(sidecar.listeners).toBe(1));
    abort.abort();
    await expect(followed).rejects.toBeDefined();
    await vi.waitFor(() => expect(sidecar.listeners).toBe(0));
  });

  test("is refused with a wrong token", async () => {
    await expect(followEvents({ ...endpoint, token: "wrong" }, new AbortController().signal, () => undefined)).rejects.toMatchObject({ kind: "refused" });
  });
});
