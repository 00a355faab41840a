import { Component } from "obsidian";
import { KINDS } from "../related/links";
import type { Connection } from "../sidecar/connection";
import type { ConfigOut, KindOut } from "../sidecar/wire";

/** A way to write a kind: one of its names, and what it is called in the index. */
export interface KindName {
  written: string;
  kind: string;
}

const FEWEST_LETTERS_WITHIN = 2;

/** The kinds that may be written, as the sidecar has them; asked for once each time that it comes. */
export class Kinds extends Component {
  candidateHeadings: readonly string[] = [];
  private kinds: readonly KindOut[] = KINDS.map((name) => ({ name, aliases: [], inverse: null, symmetric: false }));
  private canonical = new Map<string, string>();
  private asked = false;

  constructor(private readonly connection: Pick<Connection, "events" | "state" | "config">) {
    super();
    this.fold();
  }

  override onload(): void {
    this.registerEvent(this.connection.events.on("state", () => this.follow()));
    this.follow();
  }

  get names(): string[] {
    return this.kinds.map(({ name }) => name);
  }

  /** What a kind that somebody has written is called in the index. */
  nameOf(written: string): string {
    return this.canonical.get(folded(written)) ?? folded(written);
  }

  isKnown(written: string): boolean {
    return this.canonical.has(folded(written));
  }

  /** The names that begin with what has been typed, then those that have it within; each kind once, by its nearest name. */
  matching(typed: string): KindName[] {
    const wanted = folded(typed);
    if (wanted === "") return this.names.map((kind) => ({ written: kind, kind }));
    const found = this.kinds.flatMap(({ name, aliases }) => {
      const ranked = [name, ...aliases].map((written) => ({ written, kind: name, rank: rankOf(folded(written), wanted) }));
      const best = ranked.reduce((one, other) => (other.rank < one.rank ? other : one));
      return Number.isFinite(best.rank) ? [best] : [];
    });
    return found.sort((one, other) => one.rank - other.rank).map(({ written, kind }) => ({ written, kind }));
  }

  private follow(): void {
    const ready = this.connection.state.kind === "ready";
    if (ready && !this.asked) void this.ask();
    this.asked = ready;
  }

  private async ask(): Promise<void> {
    let told: ConfigOut;
    try {
      told = await this.connection.config();
    } catch {
      // An older sidecar has no such answer: the kinds that come with the plugin serve.
      return;
    }
    this.kinds = told.kinds;
    this.candidateHeadings = told.candidate_headings;
    this.fold();
  }

  private fold(): void {
    const names = this.kinds.flatMap(({ name, aliases }) => aliases.map((alias) => [folded(alias), name] as const));
    this.canonical = new Map([...names, ...this.kinds.map(({ name }) => [folded(name), name] as const)]);
  }
}

function rankOf(name: string, wanted: string): number {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  return wanted.length >= FEWEST_LETTERS_WITHIN && name.includes(wanted) ? 2 : Infinity;
}

/** Case, blanks, `-` and `_` alike, umlauts in either spelling, as the sidecar reads kinds. */
function folded(written: string): string {
  const plain = written.normalize("NFC").trim().toLowerCase().replace(/ä/g, "ae").replace(/ö/g, "oe").replace(/ü/g, "ue").replace(/ß/g, "ss");
  return plain.replace(/[\s\-_]+/g, "_").replace(/^_+|_+$/g, "");
}
