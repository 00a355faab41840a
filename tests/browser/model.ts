/** A scripted model server in a process of its own: the same that the sidecar's tests use. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Script {
  pieces: string[];
  thinking?: string;
  /** Numbers of pieces after which it waits for `go`. */
  hold?: number[];
}

export class ModelServer {
  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly lines: Interface,
    readonly url: string,
  ) {}

  static async start(): Promise<ModelServer> {
    const python = process.env.MINDNET_PYTHON ?? join(ROOT, ".venv/bin/python");
    const child = spawn(python, [join(ROOT, "tests/browser/model_server.py")], { env: { ...process.env, PYTHONPATH: join(ROOT, "tests") } });
    child.stderr.pipe(process.stderr);
    const lines = createInterface({ input: child.stdout });
    const first = await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      child.once("error", reject);
    });
    return new ModelServer(child, lines, (JSON.parse(first) as { url: string }).url);
  }

  /** Settings of a sidecar that asks this server. */
  get config(): string {
    return `profiles:\n  chat: {backend: openai}\nbackends:\n  openai: {kind: openai, url: "${this.url}/v1"}\n`;
  }

  says(script: Script): void {
    this.child.stdin.write(`${JSON.stringify(script)}\n`);
  }

  go(): void {
    this.says({ go: true } as unknown as Script);
  }

  /** How the next chat ends: all said, or the client gone before. */
  ended(): Promise<"said" | "gone"> {
    return new Promise((resolve) => this.lines.once("line", (line) => resolve((JSON.parse(line) as { ended: "said" | "gone" }).ended)));
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.stdin.end();
    await ended;
  }
}
