import { Component, Events } from "obsidian";
import type { Language } from "../i18n";
import { callSidecar, SidecarError, streamSidecar, type Endpoint, type Method } from "./transport";
import type {
  ChatEvent,
  ChatRequest,
  ConfigOut,
  DecisionOut,
  Deleted,
  FeedbackGiven,
  FeedbackList,
  FeedbackRequest,
  ImportReport,
  ModelsReport,
  NoteEdges,
  QueryAnswer,
  QueryRequest,
  RelatedNotes,
  SessionDetail,
  SessionList,
  SettingChange,
  SidecarEvent,
  Statistics,
  Status,
} from "./wire";

/** What the connection is doing. `starting`: the plugin has started a sidecar that does not answer yet. `ready` carries the sidecar's last status. */
export type ConnectionState =
  | { kind: "mobile" }
  | { kind: "connecting" }
  | { kind: "absent" }
  | { kind: "starting" }
  | { kind: "refused" }
  | { kind: "failed"; message: string }
  | { kind: "ready"; status: Status };

/** Finds where the sidecar is; null when none runs, `mobile` where none can. */
export type FindEndpoint = () => Promise<Endpoint | null | "mobile">;

const FIRST_DELAY = 500;
const LONGEST_DELAY = 5_000;
const RESTART_DELAY = 300;

/** Keeps in touch with the sidecar: finds it, follows its events, finds it again when it is gone. */
export class Connection extends Component {
  readonly events = new Events();
  state: ConnectionState = { kind: "connecting" };
  private endpoint: Endpoint | null = null;
  private abort: AbortController | null = null;
  private timer = 0;
  private delay = FIRST_DELAY;
  private running = false;

  constructor(
    private readonly find: FindEndpoint,
    private readonly isStarting: () => boolean = () => false,
  ) {
    super();
  }

  override onload(): void {
    this.running = true;
    void this.connect();
  }

  override onunload(): void {
    this.running = false;
    window.clearTimeout(this.timer);
    this.abort?.abort();
  }

  /** Starts anew, after the settings have changed; an address that is being typed is waited for. */
  restart(): void {
    if (!this.running) return;
    window.clearTimeout(this.timer);
    this.delay = FIRST_DELAY;
    this.abort?.abort();
    this.become({ kind: "connecting" });
    this.timer = window.setTimeout(() => void this.connect(), RESTART_DELAY);
  }

  /** Tells the listeners the state again, in whatever language is in force by now. */
  announce(): void {
    this.events.trigger("state", this.state);
  }

  query(request: Partial<QueryRequest> & { query: string }): Promise<QueryAnswer> {
    return this.call<QueryAnswer>("POST", "/query", request);
  }

  noteEdges(path: string): Promise<NoteEdges> {
    return this.call<NoteEdges>("GET", `/notes/edges?path=${encodeURIComponent(path)}`);
  }

  decide(edgeId: string, decision: DecisionOut["decision"]): Promise<DecisionOut> {
    return this.call<DecisionOut>("POST", `/edges/${encodeURIComponent(edgeId)}/decision`, { decision });
  }

  related(path: string, { topK, language, includePrivate }: { topK: number; language: Language; includePrivate: boolean }): Promise<RelatedNotes> {
    const asked = new URLSearchParams({ path, top_k: String(topK), language, include_private: String(includePrivate) });
    return this.call<RelatedNotes>("GET", `/notes/related?${asked}`);
  }

  giveFeedback(request: FeedbackRequest): Promise<FeedbackGiven> {
    return this.call<FeedbackGiven>("POST", "/feedback", request);
  }

  takeBackFeedback(id: string): Promise<Deleted> {
    return this.call<Deleted>("DELETE", `/feedback/${encodeURIComponent(id)}`);
  }

  /** What feedback holds for a question. */
  feedback(queryId: string): Promise<FeedbackList> {
    return this.call<FeedbackList>("GET", `/feedback?query_id=${encodeURIComponent(queryId)}`);
  }

  /** Has the whole vault looked through; resolves when that is done. */
  ingest(): Promise<ImportReport> {
    return this.call<ImportReport>("POST", "/ingest", {});
  }

  /** The kinds that may be written, and the types. */
  config(): Promise<ConfigOut> {
    return this.call<ConfigOut>("GET", "/config");
  }

  /** Has a setting written into the user's file. */
  change(change: SettingChange): Promise<ConfigOut> {
    return this.call<ConfigOut>("PATCH", "/config", change);
  }

  stats(): Promise<Statistics> {
    return this.call<Statistics>("GET", "/stats");
  }

  /** The language model of each profile, looked for now. */
  models(): Promise<ModelsReport> {
    return this.call<ModelsReport>("GET", "/models");
  }

  /** The events of an answer; ending the signal, or the reading, stops the model. */
  async *chat(request: Partial<ChatRequest> & { message: string }, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const endpoint = await this.reachable();
    const events = streamSidecar(endpoint, { method: "POST", path: "/chat", body: request }, signal);
    for await (const event of events) yield JSON.parse(event.data) as ChatEvent;
  }

  sessions(): Promise<SessionList> {
    return this.call<SessionList>("GET", "/chat/sessions");
  }

  session(id: string): Promise<SessionDetail> {
    return this.call<SessionDetail>("GET", `/chat/sessions/${encodeURIComponent(id)}`);
  }

  /** Deletes a session for good; all of them where none is named. */
  deleteSessions(id?: string): Promise<Deleted> {
    return this.call<Deleted>("DELETE", id === undefined ? "/chat/sessions" : `/chat/sessions/${encodeURIComponent(id)}`);
  }

  private async call<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
    return callSidecar<Answer>(await this.reachable(), method, path, body);
  }

  private async reachable(): Promise<Endpoint> {
    if (this.state.kind === "connecting") await this.settled();
    if (this.endpoint === null) throw new SidecarError("unreachable", "not connected");
    return this.endpoint;
  }

  /** Resolves when it is known whether there is a sidecar: a question asked at start waits for that. */
  private settled(): Promise<void> {
    return new Promise((resolve) => {
      const reference = this.events.on("state", () => {
        if (this.state.kind === "connecting") return;
        this.events.offref(reference);
        resolve();
      });
    });
  }

  private async connect(): Promise<void> {
    const abort = new AbortController();
    this.abort = abort;
    let found: Endpoint | null | "mobile";
    try {
      found = await this.find();
    } catch {
      found = null;
    }
    if (abort.signal.aborted || !this.running) return;
    this.endpoint = found === "mobile" ? null : found;
    if (found === "mobile") {
      this.become({ kind: "mobile" });
      return;
    }
    if (found === null) {
      this.become(this.nobody());
    } else {
      try {
        const events = streamSidecar(found, { method: "GET", path: "/events" }, abort.signal);
        for await (const event of events) this.take(JSON.parse(event.data) as SidecarEvent);
        if (!abort.signal.aborted) this.become({ kind: "connecting" });
      } catch (cause) {
        if (!abort.signal.aborted) this.become(this.stateAfter(cause));
      }
    }
    if (abort.signal.aborted || !this.running) return;
    this.timer = window.setTimeout(() => void this.connect(), this.delay);
    this.delay = Math.min(this.delay * 2, LONGEST_DELAY);
  }

  private take(event: SidecarEvent): void {
    this.delay = FIRST_DELAY;
    if (event.event === "status") this.become({ kind: "ready", status: event.status });
    else if (event.event === "index_switched") this.events.trigger(event.event);
    else this.events.trigger(event.event, event.path);
  }

  private become(state: ConnectionState): void {
    this.state = state;
    this.announce();
  }

  private nobody(): ConnectionState {
    return { kind: this.isStarting() ? "starting" : "absent" };
  }

  private stateAfter(cause: unknown): ConnectionState {
    if (!(cause instanceof SidecarError) || cause.kind === "unreachable") return this.nobody();
    return cause.kind === "refused" ? { kind: "refused" } : { kind: "failed", message: [cause.message, cause.hint].filter(Boolean).join(" ") };
  }
}
