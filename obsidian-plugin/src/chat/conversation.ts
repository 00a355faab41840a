import { SidecarError } from "../sidecar/transport";
import type { ChatEvent, ChatRequest, CitationOut, DoneEvent, SessionDetail, SourcesEvent, TurnOut } from "../sidecar/wire";

/** `asking` until the sources are there, `writing` until the answer is; then what became of it. */
export type Phase = "asking" | "writing" | "answered" | "stopped" | "failed";

/** Why there is no answer; `code` is the sidecar's, or `unreachable`. */
export interface Failure {
  code: string;
  message: string;
  hint: string;
}

/** A question and what has come of it so far. */
export interface Turn {
  readonly message: string;
  /** What was to be made of quotation marks and times in it; nothing where they are read as usual. */
  readonly readings: Readings;
  /** The question's name in the logs, known when its sources are. */
  queryId: string | null;
  phase: Phase;
  found: SourcesEvent | null;
  thinking: string;
  answer: string;
  citations: CitationOut[];
  done: DoneEvent | null;
  failure: Failure | null;
}

/** What a conversation needs of the connection. */
export interface ChatBackend {
  chat(request: Partial<ChatRequest> & { message: string }, signal: AbortSignal): AsyncIterable<ChatEvent>;
  session(id: string): Promise<SessionDetail>;
}

/** Told of everything that happens, after it has happened. */
export interface ConversationListener {
  begun(turn: Turn): void;
  changed(turn: Turn): void;
  removed(turn: Turn): void;
  /** All turns have been replaced: another session is on show. */
  replaced(): void;
}

/** What the sidecar is to make of quotation marks and of times in a question. */
export type Readings = Partial<Pick<ChatRequest, "phrases" | "dates">>;

/** What shapes an answer, besides the question. */
export type Shape = Pick<Partial<ChatRequest>, "language" | "filters" | "top_k"> & Readings;

/** One session: its turns, and at most one answer that is being given. */
export class Conversation {
  turns: Turn[] = [];
  sessionId: string | null = null;
  private abort: AbortController | null = null;

  constructor(
    private readonly backend: ChatBackend,
    private readonly listener: ConversationListener,
  ) {}

  get busy(): boolean {
    return this.abort !== null;
  }

  /** Asks, and follows the answer to its end; an answer that is being given is stopped before. */
  async ask(message: string, shape: Shape = {}): Promise<void> {
    this.stop();
    const abort = new AbortController();
    this.abort = abort;
    const { phrases, dates } = shape;
    const turn = emptyTurn(message, { ...(phrases && { phrases }), ...(dates && { dates }) });
    this.turns.push(turn);
    this.listener.begun(turn);
    try {
      const request = { message, ...shape, ...(this.sessionId === null ? {} : { session_id: this.sessionId }) };
      for await (const event of this.backend.chat(request, abort.signal)) {
        if (abort.signal.aborted) return;
        this.take(turn, event);
      }
      if (isOpen(turn) && !abort.signal.aborted) this.fail(turn, { code: "unreachable", message: "", hint: "" });
    } catch (cause) {
      if (!abort.signal.aborted) this.fail(turn, this.failureOf(cause));
    } finally {
      if (this.abort === abort) {
        this.abort = null;
        this.listener.changed(turn);
      }
    }
  }

  /** Ends the answer that is being given; what was said until then stays. */
  stop(): void {
    const { abort } = this;
    if (abort === null) return;
    this.abort = null;
    abort.abort();
    const turn = this.turns.at(-1);
    if (turn === undefined || !isOpen(turn)) return;
    turn.phase = "stopped";
    this.listener.changed(turn);
  }

  /** Asks a turn's question again, read as it was unless `shape` says otherwise; one that came to nothing gives way. */
  async retry(turn: Turn, shape: Shape = {}): Promise<void> {
    this.stop();
    if (turn.phase !== "answered") {
      this.turns = this.turns.filter((one) => one !== turn);
      this.listener.removed(turn);
    }
    await this.ask(turn.message, { ...turn.readings, ...shape });
  }

  /** Begins anew, with nothing on show. */
  begin(): void {
    this.stop();
    this.turns = [];
    this.sessionId = null;
    this.listener.replaced();
  }

  /** Shows an earlier session, to go on with it. */
  async resume(id: string): Promise<void> {
    const { turns } = await this.backend.session(id);
    this.stop();
    this.turns = turns.map(earlierTurn);
    this.sessionId = id;
    this.listener.replaced();
  }

  private take(turn: Turn, event: ChatEvent): void {
    switch (event.event) {
      case "sources":
        turn.found = event;
        turn.queryId = event.query_id;
        turn.phase = "writing";
        this.sessionId = event.session_id;
        break;
      case "thinking":
        turn.thinking += event.text;
        break;
      case "token":
        turn.answer += event.text;
        break;
      case "done":
        turn.done = event;
        turn.answer = event.answer;
        turn.citations = event.citations;
        turn.phase = "answered";
        break;
      case "failed":
        this.fail(turn, event);
        return;
    }
    this.listener.changed(turn);
  }

  private fail(turn: Turn, { code, message, hint }: Failure): void {
    turn.phase = "failed";
    turn.failure = { code, message, hint };
    this.listener.changed(turn);
  }

  private failureOf(cause: unknown): Failure {
    if (!(cause instanceof SidecarError)) return { code: "internal", message: String(cause), hint: "" };
    // The session has been deleted elsewhere: the next question begins a new one.
    if (cause.code === "not_found") this.sessionId = null;
    return { code: cause.kind === "failed" ? cause.code : cause.kind, message: cause.message, hint: cause.hint };
  }
}

/** Whether more may come. */
export function isOpen(turn: Turn): boolean {
  return turn.phase === "asking" || turn.phase === "writing";
}

function emptyTurn(message: string, readings: Readings = {}): Turn {
  return { message, readings, queryId: null, phase: "asking", found: null, thinking: "", answer: "", citations: [], done: null, failure: null };
}

/** A turn of the history; one that nobody finished was stopped with the sidecar. */
function earlierTurn(told: TurnOut): Turn {
  const phase = told.state === "asked" ? "stopped" : told.state;
  return { ...emptyTurn(told.message), queryId: told.query_id, phase, answer: told.answer, citations: told.citations };
}
