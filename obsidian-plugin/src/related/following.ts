import type { RelatedNotes } from "../sidecar/wire";

/** What is known of the note on show. */
export type RelatedState =
  | { kind: "none" }
  | { kind: "looking"; path: string }
  | { kind: "found"; answer: RelatedNotes }
  | { kind: "failed"; path: string; cause: unknown };

/** Follows the note that is being worked on: of several on their way only the last one's answer counts. */
export class Following {
  state: RelatedState = { kind: "none" };
  private turn = 0;
  private moved: string | null = null;

  constructor(
    private readonly ask: (path: string) => Promise<RelatedNotes>,
    private readonly onChange: (state: RelatedState) => void,
  ) {}

  get path(): string | null {
    const { state } = this;
    return state.kind === "none" ? null : state.kind === "found" ? state.answer.path : state.path;
  }

  /** Turns to another note; null where none is open. */
  async turnTo(path: string | null): Promise<void> {
    if (path === null) {
      this.turn += 1;
      this.become({ kind: "none" });
      return;
    }
    if (path === this.path && this.state.kind !== "failed") return;
    this.become({ kind: "looking", path });
    await this.look(path);
  }

  /** Asks about the same note again, with what is on show staying until the answer is there. */
  async again(): Promise<void> {
    const path = this.moved ?? this.path;
    if (path !== null) await this.look(path);
  }

  /** The note has another path now: what is on show stays until the index knows it, and is asked for under that. */
  renamed(from: string, to: string): void {
    if (this.path === from) this.moved = to;
  }

  private async look(path: string): Promise<void> {
    const turn = ++this.turn;
    this.moved = this.moved === path ? path : null;
    try {
      const answer = await this.ask(path);
      if (turn !== this.turn) return;
      this.moved = null;
      this.become({ kind: "found", answer });
    } catch (cause) {
      if (turn === this.turn) this.become({ kind: "failed", path, cause });
    }
  }

  private become(state: RelatedState): void {
    this.state = state;
    this.onChange(state);
  }
}
