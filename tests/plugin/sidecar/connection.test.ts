import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Connection } from "../../../obsidian-plugin/src/sidecar/connection";
import type { Endpoint } from "../../../obsidian-plugin/src/sidecar/transport";
import { FakeSidecar, TOKEN } from "../fake-sidecar";
import { status } from "../samples";

vi.mock("obsidian", async (original) => ({ ...(await original<object>()), ...(await import("../app")) }));

const PATIENCE = { timeout: 5_000 };
let sidecar: FakeSidecar;
let found: Endpoint | null | "mobile";
let connection: Connection;

beforeEach(async () => {
  sidecar = await FakeSidecar.start();
  found = { url: sidecar.url, token: TOKEN };
  connection = new Connection(() => Promise.resolve(found));
});
afterEach(async () => {
  connection.unload();
  await sidecar.stop();
});

const becomes = (kind: string) => vi.waitFor(() => expect(connection.state.kind).toBe(kind), PATIENCE);

describe("the connection", () => {
  test("is ready with the sidecar's status, and follows it", async () => {
    connection.load();
    await becomes("ready");
    sidecar.send({ event: "status", status: status({ state: "indexing", indexed: 1 }) });
    await vi.waitFor(() => expect(connection.state).toMatchObject({ status: { state: "indexing", indexed: 1 } }));
  });

  test("tells which note was indexed and which removed", async () => {
    const told: string[] = [];
    connection.events.on("note_indexed", (path) => told.push(`+${String(path)}`));
    connection.events.on("note_removed", (path) => told.push(`-${String(path)}`));
    connection.load();
    await becomes("ready");
    sidecar.send({ event: "note_indexed", path: "A.md", ms: 3 });
    sidecar.send({ event: "note_removed", path: "B.md" });
    await vi.waitFor(() => expect(told).toEqual(["+A.md", "-B.md"]));
  });

  test("tells that another index answers from now on", async () => {
    const told = vi.fn();
    connection.events.on("index_switched", told);
    connection.load();
    await becomes("ready");
    sidecar.send({ event: "index_switched" });
    await vi.waitFor(() => expect(told).toHaveBeenCalledOnce());
  });

  test("finds the sidecar again at another address after it was lost", async () => {
    connection.load();
    await becomes("ready");
    await sidecar.stop();
    found = null;
    await becomes("absent");
    sidecar = await FakeSidecar.start();
    found = { url: sidecar.url, token: TOKEN };
    await becomes("ready");
    expect((await connection.query({ query: "Brot" })).hits).toHaveLength(1);
  });

  test("says what is wrong: nobody there, a wrong token, another program", async () => {
    found = { url: sidecar.url, token: "wrong" };
    connection.load();
    await becomes("refused");
    found = null;
    connection.restart();
    await becomes("absent");
    found = { url: `${sidecar.url}/other`, token: TOKEN };
    connection.restart();
    await becomes("failed");
    found = "mobile";
    connection.restart();
    await becomes("mobile");
  });

  test("tells a sidecar that is on its way from one that nobody has started", async () => {
    let starting = true;
    found = null;
    connection.unload();
    connection = new Connection(() => Promise.resolve(found), () => starting);
    connection.load();
    await becomes("starting");
    starting = false;
    connection.restart();
    await becomes("absent");
  });

  test("lets a question asked at the start wait until it is known who is there", async () => {
    const asked = connection.query({ query: "Brot" });
    connection.load();
    expect((await asked).hits).toHaveLength(1);
    found = null;
    connection.restart();
    await expect(connection.query({ query: "Brot" })).rejects.toMatchObject({ kind: "unreachable" });
  });

  test("leaves nothing open when it is unloaded", async () => {
    connection.load();
    await becomes("ready");
    connection.unload();
    await vi.waitFor(() => expect(sidecar.listeners).toBe(0));
  });
});
