import { Modal, type App } from "obsidian";
import { originOf, ORIGIN_NAMES, type Mark } from "../editor/marks";
import type { Translate } from "../i18n";
import type { EdgeOut } from "../sidecar/wire";
import type { OpenPassage } from "../ui/reasons";

/** What explaining edges needs of the plugin. */
export interface EdgesHost {
  t: Translate;
  open: OpenPassage;
  /** Confirms or rejects an edge, or takes that back; resolves when the index is so. */
  decide(edge: EdgeOut, decision: "confirm" | "reject" | "undo"): Promise<void>;
}

/** Explains the edges of a link: where each comes from, and what can be decided about it. */
export class EdgesModal extends Modal {
  constructor(
    app: App,
    private readonly mark: Mark,
    private readonly host: EdgesHost,
  ) {
    super(app);
    this.modalEl.addClass("mindnet-edges-modal");
    this.setTitle(host.t("explainLinks"));
  }

  override onOpen(): void {
    const list = this.contentEl.createEl("ul", { cls: "mindnet-edges" });
    for (const edge of this.mark.edges) this.drawEdge(list, edge);
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  private drawEdge(list: HTMLElement, edge: EdgeOut): void {
    const { t } = this.host;
    const origin = originOf(edge);
    const item = list.createEl("li", { attr: { "data-provenance": origin ?? "", "data-resolved": String(edge.resolved) } });
    item.createSpan({ cls: "mindnet-direction", text: "→", attr: { "aria-hidden": "true" } });
    item.createEl("code", { text: edge.kind });
    const title = edge.target.title || edge.target.note_id;
    const { path } = edge.target;
    if (path === "") item.createSpan({ text: title });
    else {
      const link = item.createEl("button", { cls: "mindnet-link", text: title, attr: { type: "button" } });
      link.addEventListener("click", (event) => {
        this.close();
        this.host.open(path, 1, event.ctrlKey || event.metaKey);
      });
    }
    item.createSpan({ cls: "mindnet-badge", text: edge.resolved ? (origin === null ? edge.provenance : t(ORIGIN_NAMES[origin])) : t("unresolved") });
    const facts = [edge.rule_id, t("confidence", { value: t.decimal(edge.confidence, 2) }), edge.line > 0 ? t("line", { line: edge.line }) : ""];
    item.createSpan({ cls: "mindnet-muted", text: facts.filter(Boolean).join(" · ") });
    if (origin !== "rule" && origin !== "smart") return;
    const act = (label: string, decision: "confirm" | "reject" | "undo") => {
      const button = item.createEl("button", { text: label, attr: { type: "button" } });
      button.addEventListener("click", () => void this.host.decide(edge, decision).then(() => this.close()));
    };
    if (edge.confirmed) act(t("undoDecision"), "undo");
    else {
      act(t("confirmEdge"), "confirm");
      act(t("rejectEdge"), "reject");
    }
  }
}
