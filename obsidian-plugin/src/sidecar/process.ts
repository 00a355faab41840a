import { Component, Events } from "obsidian";

interface Output {
  on(event: "data", told: (piece: Uint8Array | string) => void): unknown;
}

/** What a process that was started offers; Node's `ChildProcess` is one. */
export interface Child {
  readonly stdout: Output | null;
  readonly stderr: Output | null;
  kill(signal: "SIGTERM" | "SIGKILL"): boolean;
  on(event: "error", told: (cause: Error) => void): unknown;
  on(event: "close", told: (code: number | null, signal: string | null) => void): unknown;
}

/** Starts a program without a shell; null where none can be started. */
export type Spawn = (program: string, parameters: readonly string[]) => Promise<Child | null>;

/** What has become of the sidecar that the plugin started: `end` is the code or the signal it ended with, null where it never ran; `lines` are the last ones that it wrote to stderr. */
export type ProcessState = { kind: "none" } | { kind: "starting" } | { kind: "running" } | { kind: "failed"; end: string | null; lines: readonly string[] };

const MOST_LINES = 12;
const MOST_LETTERS = 4_000;
/** A sidecar writes its index down when it ends; after so long (ms) it is ended without that. */
const PATIENCE = 10_000;

/** How to start a sidecar for a vault: the user's program is `mindnet`, or a Python that has it. */
export function serveCommand(program: string, vault: string): string[] {
  const name = program.trim().split(/[\\/]/).pop() ?? "";
  const module = /^(?:python|pythonw|pypy|py)[\d.]*(?:\.exe)?$/i.test(name) ? ["-m", "mindnet"] : [];
  return [program.trim(), ...module, "serve", "--vault", vault];
}

/** The sidecar as a child of the app: started on request, and ended by its handle when the plugin goes. */
export class SidecarProcess extends Component {
  readonly events = new Events();
  state: ProcessState = { kind: "none" };
  private child: Child | null = null;
  private ended: Promise<void> = Promise.resolve();
  private turn = 0;

  constructor(private readonly spawn: Spawn) {
    super();
  }

  override onunload(): void {
    void this.stop();
  }

  get isOurs(): boolean {
    return this.state.kind === "starting" || this.state.kind === "running";
  }

  /** Starts the program; one that was started before is ended first. */
  async start(command: readonly string[]): Promise<void> {
    const turn = ++this.turn;
    await this.end();
    const [program = "", ...parameters] = command;
    if (turn !== this.turn) return;
    this.become({ kind: "starting" });
    let child: Child | null;
    try {
      child = await this.spawn(program, parameters);
    } catch (cause) {
      this.become({ kind: "failed", end: null, lines: [String(cause)] });
      return;
    }
    if (child === null) {
      this.become({ kind: "none" });
      return;
    }
    // It was to be stopped before it was there.
    const unwanted = turn !== this.turn;
    this.follow(child);
    if (unwanted) await this.end();
  }

  /** Ends the sidecar that was started here, and no other; resolves when it is gone. */
  async stop(): Promise<void> {
    this.turn += 1;
    await this.end();
    if (this.state.kind !== "failed") this.become({ kind: "none" });
  }

  private async end(): Promise<void> {
    const { child } = this;
    if (child === null) return;
    this.child = null;
    child.kill("SIGTERM");
    const timer = window.setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    await this.ended;
    window.clearTimeout(timer);
  }

  private follow(child: Child): void {
    this.child = child;
    let said = "";
    child.stderr?.on("data", (piece: Uint8Array | string) => (said = (said + String(piece)).slice(-MOST_LETTERS)));
    // The first line that it prints says that it answers.
    child.stdout?.on("data", () => {
      if (this.child === child && this.state.kind === "starting") this.become({ kind: "running" });
    });
    this.ended = new Promise((resolve) => {
      const over = (end: string | null, more = "") => {
        resolve();
        if (this.child !== child) return;
        this.child = null;
        this.become({ kind: "failed", end, lines: lastLines(`${said}\n${more}`) });
      };
      child.on("error", (cause) => over(null, cause.message));
      child.on("close", (code, signal) => over(signal ?? String(code)));
    });
  }

  private become(state: ProcessState): void {
    this.state = state;
    this.events.trigger("state", state);
  }
}

/** The last lines, without what colours them and what was overwritten on a terminal. */
export function lastLines(text: string): string[] {
  const colour = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, "g");
  const lines = text.replace(colour, "").split("\n").map((line) => line.split("\r").filter(Boolean).pop()?.trimEnd() ?? "");
  return lines.filter(Boolean).slice(-MOST_LINES);
}
