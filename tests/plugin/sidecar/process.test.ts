import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";
import { lastLines, serveCommand, SidecarProcess, type Child, type Spawn } from "../../../obsidian-plugin/src/sidecar/process";

/** Real processes of Node itself; what has been started is kept to see what became of it. */
const started: ReturnType<typeof spawn>[] = [];
const real: Spawn = (program, parameters) => {
  const child = spawn(program, [...parameters], { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  return Promise.resolve(child as Child);
};
const node = (script: string) => [process.execPath, "-e", script];
const SERVES = "console.log('{}'); setInterval(() => {}, 1000)";
const DEAF = `process.on('SIGTERM', () => {}); ${SERVES}`;
const isOver = (child: ReturnType<typeof spawn>) => child.exitCode !== null || child.signalCode !== null;

afterEach(() => {
  vi.useRealTimers();
  for (const child of started.splice(0)) if (!isOver(child)) child.kill("SIGKILL");
});

async function running(script: string): Promise<SidecarProcess> {
  const sidecar = new SidecarProcess(real);
  sidecar.load();
  await sidecar.start(node(script));
  await vi.waitFor(() => expect(sidecar.state.kind).toBe("running"), 10_000);
  return sidecar;
}

describe("a sidecar that the plugin starts", () => {
  test("runs once it has said so, and is gone when it is stopped", async () => {
    const sidecar = await running(SERVES);
    await sidecar.stop();
    expect([sidecar.state.kind, isOver(started[0]!)]).toEqual(["none", true]);
  });

  test("ends with the plugin", async () => {
    const sidecar = await running(SERVES);
    const gone = once(started[0]!, "close");
    sidecar.unload();
    await gone;
    expect(isOver(started[0]!)).toBe(true);
  });

  test("is ended by force when it does not listen", async () => {
    const sidecar = await running(DEAF);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stopped = sidecar.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    await stopped;
    expect(started[0]!.signalCode).toBe("SIGKILL");
  });

  test("shows its last words when it fails", async () => {
    const sidecar = new SidecarProcess(real);
    await sidecar.start(node("console.error('one'); console.error('the vault is not there'); process.exit(3)"));
    await vi.waitFor(() => expect(sidecar.state).toEqual({ kind: "failed", end: "3", lines: ["one", "the vault is not there"] }), 10_000);
  });

  test("says so when there is no such program", async () => {
    const sidecar = new SidecarProcess(real);
    await sidecar.start(["/nowhere/mindnet", "serve"]);
    await vi.waitFor(() => expect(sidecar.state).toMatchObject({ kind: "failed", end: null, lines: [expect.stringContaining("ENOENT")] }));
  });

  test("is one alone: a second start ends the first", async () => {
    const sidecar = await running(SERVES);
    await sidecar.start(node(SERVES));
    await vi.waitFor(() => expect(sidecar.state.kind).toBe("running"), 10_000);
    expect([isOver(started[0]!), isOver(started[1]!)]).toEqual([true, false]);
    await sidecar.stop();
  });

  test("does not stay when it was stopped before it was there", async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const sidecar = new SidecarProcess((...given) => gate.then(() => real(...given)));
    const starting = sidecar.start(node(SERVES));
    await vi.waitFor(() => expect(sidecar.state.kind).toBe("starting"));
    await sidecar.stop();
    open();
    await starting;
    expect(isOver(started[0]!)).toBe(true);
    expect(sidecar.state.kind).toBe("none");
  });

  test("is not there on mobile", async () => {
    const sidecar = new SidecarProcess(() => Promise.resolve(null));
    await sidecar.start(["mindnet"]);
    expect(sidecar.state.kind).toBe("none");
  });
});

test.each([
  ["/opt/my apps/mindnet", ["/opt/my apps/mindnet", "serve", "--vault", "/my vault"]],
  [" C:\\venv\\Scripts\\python.exe ", ["C:\\venv\\Scripts\\python.exe", "-m", "mindnet", "serve", "--vault", "/my vault"]],
  ["/usr/bin/python3.11", ["/usr/bin/python3.11", "-m", "mindnet", "serve", "--vault", "/my vault"]],
])("the command for %j", (program, expected) => expect(serveCommand(program, "/my vault")).toEqual(expected));

test("last words are without colours and without what was overwritten", () => {
  const escape = String.fromCharCode(27);
  expect(lastLines(`${escape}[31mred${escape}[0m\n10 %\r20 %\r\n\nend`)).toEqual(["red", "20 %", "end"]);
});
