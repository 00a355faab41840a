import { Component, Events, type EventRef } from "obsidian";
import type { Connection } from "../sidecar/connection";
import { SidecarError } from "../sidecar/transport";
import type { EdgeDecision, EdgeOut } from "../sidecar/wire";

/** The edges of the notes that are on show; tells `changed` with the path when those of one are others now. */
export class EdgesOnShow extends Component {
  readonly events = new Events();
  private readonly known = new Map<string, readonly EdgeOut[]>();
  private readonly rejected = new Map<string, readonly EdgeDecision[]>();
  private readonly wanted = new Map<string, number>();
  /** Of several looks at a note on their way only the last one's answer counts. */
  private readonly looks = new Map<string, number>();

  constructor(private readonly connection: Connection) {
    super();
  }

  override onload(): void {
    const { events } = this.connection;
    this.registerEvent(events.on("note_indexed", (path) => this.look(String(path))));
    this.registerEvent(events.on("index_switched", () => this.lookAtAll()));
    let ready = false;
    this.registerEvent(
      events.on("state", () => {
        const now = this.connection.state.kind === "ready";
        if (now && !ready) this.lookAtAll();
        ready = now;
      }),
    );
  }

  /** What is known of a note by now. */
  of(path: string): readonly EdgeOut[] {
    return this.known.get(path) ?? [];
  }

  /** What the user has rejected of a note, that starts in it or leads to it. */
  rejectedOf(path: string): readonly EdgeDecision[] {
    return this.rejected.get(path) ?? [];
  }

  /** Somebody shows this note, until the function given is called. */
  want(path: string): () => void {
    this.wanted.set(path, (this.wanted.get(path) ?? 0) + 1);
    if (!this.known.has(path)) this.look(path);
    return () => {
      const others = (this.wanted.get(path) ?? 1) - 1;
      if (others > 0) this.wanted.set(path, others);
      else {
        this.wanted.delete(path);
        this.known.delete(path);
        this.rejected.delete(path);
        this.looks.delete(path);
      }
    };
  }

  /** Looks at a note's edges again, after a decision for example. */
  look(path: string): void {
    if (!this.wanted.has(path) || this.connection.state.kind !== "ready") return;
    const turn = (this.looks.get(path) ?? 0) + 1;
    this.looks.set(path, turn);
    const isLast = () => this.wanted.has(path) && this.looks.get(path) === turn;
    void this.connection.noteEdges(path).then(
      ({ edges, rejected }) => {
        if (!isLast()) return;
        this.known.set(path, edges);
        this.rejected.set(path, rejected);
        this.events.trigger("changed", path);
      },
      (cause: unknown) => {
        // A note that is not indexed has no badges. Whatever else is wrong the status bar says: what is known stays.
        if (!isLast() || !(cause instanceof SidecarError) || cause.code !== "not_found") return;
        this.known.delete(path);
        this.rejected.delete(path);
        this.events.trigger("changed", path);
      },
    );
  }

  /** Tells those who show a note that it has another path now. */
  renamed(from: string, to: string): void {
    if (this.wanted.has(from)) this.events.trigger("renamed", from, to);
  }

  /** Has everything drawn anew, with other settings. */
  announce(): void {
    for (const path of this.wanted.keys()) this.events.trigger("changed", path);
  }

  private lookAtAll(): void {
    for (const path of this.wanted.keys()) this.look(path);
  }
}

/** A note on show: tells when its edges are others now, under whatever path it has. */
export class ShownNote {
  private release: () => void;
  private readonly references: EventRef[];

  constructor(
    private readonly edges: EdgesOnShow,
    public path: string,
    onChange: () => void,
  ) {
    this.references = [
      edges.events.on("changed", (changed) => {
        if (changed === this.path) onChange();
      }),
      edges.events.on("renamed", (from, to) => {
        if (from !== this.path) return;
        this.release();
        this.path = String(to);
        this.release = edges.want(this.path);
      }),
    ];
    this.release = edges.want(path);
  }

  end(): void {
    for (const reference of this.references) this.edges.events.offref(reference);
    this.release();
  }
}
