import { Modal, type App, type EventRef } from "obsidian";
import type { Pick } from "../app/pick";
import { originOf, ORIGIN_NAMES, type Mark } from "../editor/marks";
import type { EdgesOnShow } from "../editor/note-edges";
import type { Translate } from "../i18n";
import type { EdgeDecision, EdgeOut } from "../sidecar/wire";
import { opensBy } from "../ui/opens";
import type { OpenPassage } from "../ui/reasons";

export type Decision = "confirm" | "reject" | "undo";

/** What explaining edges needs of the plugin. */
export interface EdgesHost {
  t: Translate;
  open: OpenPassage;
  edges: EdgesOnShow;
  pick: Pick;
  /** The kinds that may be written. */
  kinds: () => readonly string[];
  /** Confirms or rejects an edge of this note, or takes that back; resolves when the index is so. */
  decide: (edgeId: string, note: string, decision: Decision) => Promise<void>;
  /** Writes into the note that the edge is of this kind. */
  write: (edge: EdgeOut, kind: string) => Promise<void>;
}

/** What is explained: the edges of one link, or of a whole note. */
export interface Explained {
  path: string;
  title: string;
  shows: (edge: EdgeOut) => boolean;
}

/** The edges of the link that a badge stands at: those of its lines that lead where it does. */
export function ofLink({ edges }: Mark, t: Translate): Explained {
  const first = edges[0];
  const lines = new Set(edges.flatMap(({ evidence }) => evidence.map(({ line }) => line)));
  return {
    path: first?.written_in ?? "",
    title: t("explainLinks"),
    shows: (edge) => edge.target.note_id === first?.target.note_id && edge.written_in === first.written_in && edge.mirror_of === null && edge.evidence.some(({ line }) => lines.has(line)),
  };
}

export function ofNote(path: string, title: string, t: Translate): Explained {
  return { path, title: t("explainNote", { title }), shows: ({ mirror_of: mirror }) => mirror === null };
}

/** Explains edges: where each comes from, what can be decided about it and written; and what was rejected. */
export class EdgesModal extends Modal {
  private reference: EventRef | null = null;
  private release: () => void = () => undefined;
  private known = false;
  /** What was in focus is switched off until it is decided. */
  private deciding = false;

  constructor(
    app: App,
    private readonly explained: Explained,
    private readonly host: EdgesHost,
  ) {
    super(app);
    this.modalEl.addClass("mindnet-edges-modal");
    this.setTitle(explained.title);
  }

  override onOpen(): void {
    const { edges } = this.host;
    const { path } = this.explained;
    this.known = edges.of(path).length > 0;
    this.reference = edges.events.on("changed", (changed) => {
      if (changed !== path) return;
      this.known = true;
      this.draw();
    });
    this.release = edges.want(path);
    this.draw();
    this.contentEl.querySelector("button")?.focus();
  }

  override onClose(): void {
    if (this.reference !== null) this.host.edges.events.offref(this.reference);
    this.release();
    this.contentEl.empty();
  }

  private draw(): void {
    const { t, edges } = this.host;
    const { path, shows } = this.explained;
    const held = this.deciding || this.contentEl.contains(this.contentEl.doc.activeElement);
    this.deciding = false;
    this.contentEl.empty();
    const shown = edges.of(path).filter(shows);
    if (shown.length === 0) this.contentEl.createEl("p", { cls: "mindnet-muted", text: t(this.known ? "noEdges" : "searching"), attr: { role: "status" } });
    else {
      const list = this.contentEl.createEl("ul", { cls: "mindnet-edges" });
      for (const edge of shown) this.drawEdge(list, edge);
    }
    const rejected = edges.rejectedOf(path);
    if (rejected.length > 0) {
      this.contentEl.createEl("h4", { text: t("rejectedEdges") });
      const list = this.contentEl.createEl("ul", { cls: "mindnet-edges mindnet-rejected" });
      for (const one of rejected) this.drawRejected(list, one);
    }
    if (held) this.contentEl.querySelector("button")?.focus();
  }

  private drawEdge(list: HTMLElement, edge: EdgeOut): void {
    const { t } = this.host;
    const origin = originOf(edge);
    const item = list.createEl("li", { attr: { "data-provenance": origin ?? "", "data-resolved": String(edge.resolved) } });
    item.createSpan({ cls: "mindnet-direction", text: edge.direction === "out" ? "→" : "←", attr: { "aria-hidden": "true" } });
    item.createEl("code", { text: edge.kind });
    const end = edge.direction === "out" ? edge.target : edge.source;
    if (edge.direction === "in") item.createSpan({ cls: "mindnet-muted", text: t("edgeIn") });
    const title = end.title || end.note_id;
    if (end.path === "") item.createSpan({ text: title });
    else this.drawLink(item, title, end.path, edge.direction === "in" && edge.written_in === end.path ? Math.max(1, edge.line) : 1);
    item.createSpan({ cls: "mindnet-badge", text: edge.resolved ? (origin === null ? edge.provenance : t(ORIGIN_NAMES[origin])) : t("unresolved") });
    const facts = [edge.rule_id, t("confidence", { value: t.decimal(edge.confidence, 2) }), edge.line > 0 ? t("line", { line: edge.line }) : ""];
    item.createSpan({ cls: "mindnet-muted", text: facts.filter(Boolean).join(" · ") });
    this.drawActions(item.createDiv({ cls: "mindnet-edge-actions" }), edge, title);
  }

  private drawLink(item: HTMLElement, title: string, path: string, line: number): void {
    const link = item.createEl("button", { cls: "mindnet-link", text: title, attr: { type: "button", "aria-label": this.host.t("openNote", { title }) } });
    opensBy(link, (newTab) => {
      this.close();
      this.host.open(path, line, newTab);
    });
  }

  private drawActions(item: HTMLElement, edge: EdgeOut, title: string): void {
    const { t, pick, kinds, write } = this.host;
    const origin = originOf(edge);
    const relation = `${edge.kind} → ${title}`;
    if (origin === "rule" || origin === "smart" || origin === "candidate") {
      if (edge.confirmed) this.drawAction(item, t("undoDecision"), relation, () => this.decide(edge.edge_id, "undo"));
      else {
        this.drawAction(item, t("confirmEdge"), relation, () => this.decide(edge.edge_id, "confirm"));
        this.drawAction(item, t("rejectEdge"), relation, () => this.decide(edge.edge_id, "reject"));
      }
    }
    // What another note says is changed there, and what a canvas says in the canvas.
    if (edge.written_in !== this.explained.path || !edge.written_in.endsWith(".md") || edge.direction !== "out") return;
    const put = (kind: string) => {
      this.close();
      void write(edge, kind);
    };
    if (origin !== "explicit") this.drawAction(item, t("writeEdge"), relation, () => put(edge.kind));
    const others = kinds().filter((kind) => kind !== edge.kind);
    this.drawAction(item, t("changeKind"), relation, () => pick(t("pickKind"), others.map((kind) => ({ name: kind, value: kind })), put));
  }

  private drawAction(item: HTMLElement, label: string, relation: string, act: () => void): void {
    const button = item.createEl("button", { text: label, attr: { type: "button", "aria-label": `${label}: ${relation}` } });
    button.addEventListener("click", act);
  }

  private drawRejected(list: HTMLElement, one: EdgeDecision): void {
    const { t } = this.host;
    const item = list.createEl("li", { attr: { "data-provenance": one.provenance.split(":")[0] ?? "" } });
    const title = one.target.title || one.target.note_id;
    item.createSpan({ text: one.source.path === this.explained.path ? "" : one.source.title });
    item.createSpan({ cls: "mindnet-direction", text: "→", attr: { "aria-hidden": "true" } });
    item.createEl("code", { text: one.kind });
    item.createSpan({ text: title });
    item.createSpan({ cls: "mindnet-muted", text: one.rule_id });
    const [id] = one.edge_ids;
    if (id !== undefined) this.drawAction(item, t("undoReject"), `${one.kind} → ${title}`, () => this.decide(id, "undo"));
  }

  private decide(edgeId: string, decision: Decision): void {
    this.deciding = true;
    for (const button of this.contentEl.findAll("button")) button.toggleAttribute("disabled", true);
    void this.host.decide(edgeId, this.explained.path, decision);
  }
}
