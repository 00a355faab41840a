/** Processes that the plugin under test starts, by way of the page's server. */
import { spawn, type ChildProcess } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";

export class Children {
  private readonly running = new Map<number, ChildProcess>();
  private last = 0;

  constructor(
    private readonly env: NodeJS.ProcessEnv,
    /** Told each piece that one of them prints. */
    private readonly onSaid: (piece: string) => void,
  ) {}

  /** How many have not ended. */
  get count(): number {
    return this.running.size;
  }

  /** Starts one, and tells line by line what it says until it ends. */
  start(program: string, parameters: readonly string[], response: ServerResponse): void {
    const id = ++this.last;
    const child = spawn(program, [...parameters], { env: this.env, stdio: ["ignore", "pipe", "pipe"] });
    this.running.set(id, child);
    const tell = (what: object) => response.write(`${JSON.stringify(what)}\n`);
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    tell({ id });
    child.stdout.on("data", (piece: Buffer) => {
      this.onSaid(piece.toString());
      tell({ out: piece.toString() });
    });
    child.stderr.on("data", (piece: Buffer) => tell({ err: piece.toString() }));
    child.on("error", (cause) => {
      this.running.delete(id);
      tell({ error: cause.message });
      response.end();
    });
    child.on("close", (code, signal) => {
      this.running.delete(id);
      tell({ close: { code, signal } });
      response.end();
    });
  }

  /** Sends one a signal, as the plugin wants it. */
  signal(request: URL): void {
    this.running.get(Number(request.searchParams.get("id")))?.kill(request.searchParams.get("signal") as NodeJS.Signals);
  }

  /** Ends one as a crash does. */
  crash(): void {
    for (const child of this.running.values()) child.kill("SIGKILL");
  }

  /** Ends whatever is left. */
  async end(): Promise<void> {
    await Promise.all(
      [...this.running.values()].map((child) => {
        const ended = new Promise((resolve) => child.once("close", resolve));
        child.kill("SIGTERM");
        return ended;
      }),
    );
  }
}

export async function start(children: Children, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const part of request) body += String(part);
  const { program, parameters } = JSON.parse(body) as { program: string; parameters: string[] };
  children.start(program, parameters, response);
}
