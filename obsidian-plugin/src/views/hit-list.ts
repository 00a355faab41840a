import { Component } from "obsidian";
import type { QueryAnswer } from "../sidecar/wire";
import { drawHit, type HitHost } from "../ui/hit";

/** The hits of an answer. When the same question is answered anew, what was open and in focus stays so. */
export class HitList extends Component {
  private readonly list: HTMLElement;
  /** What the passages on show have started lives as long as they do. */
  private shown: Component | null = null;

  constructor(
    parent: HTMLElement,
    private readonly host: HitHost,
  ) {
    super();
    this.list = parent.createEl("ol", { cls: "mindnet-hits", attr: { "aria-label": host.t("viewTitle") } });
  }

  get length(): number {
    return this.list.children.length;
  }

  clear(): void {
    this.list.empty();
    if (this.shown !== null) this.removeChild(this.shown);
    this.shown = null;
  }

  show({ hits, query_id: queryId }: QueryAnswer, sameQuestion: boolean): void {
    const opened = sameQuestion ? this.openedChunks() : new Set<string>();
    const focused = sameQuestion ? this.focusedPlace() : null;
    this.clear();
    const owner = this.addChild(new Component());
    this.shown = owner;
    for (const hit of hits) {
      const item = drawHit(this.list, hit, queryId, this.host, owner);
      if (opened.has(hit.chunk_id)) item.querySelector<HTMLElement>(".mindnet-why")?.click();
      if (focused?.chunk === hit.chunk_id) item.findAll("button")[focused.button]?.focus({ preventScroll: true });
    }
  }

  /** Which hit an element is in; null when it is in none. */
  indexOf(element: Element | null): number | null {
    const index = Array.from(this.list.children).findIndex((item) => item.contains(element));
    return index < 0 ? null : index;
  }

  focus(index: number): void {
    this.list.children[index]?.querySelector<HTMLElement>(".mindnet-hit-open")?.focus();
  }

  private openedChunks(): Set<string> {
    const items = this.list.findAll(".mindnet-hit").filter((item) => item.querySelector(".mindnet-why[aria-expanded=true]"));
    return new Set(items.map((item) => item.dataset.chunk ?? ""));
  }

  private focusedPlace(): { chunk: string; button: number } | null {
    const active = this.list.doc.activeElement;
    const item = this.list.findAll(".mindnet-hit").find((one) => one.contains(active));
    if (!item) return null;
    return { chunk: item.dataset.chunk ?? "", button: item.findAll("button").findIndex((button) => button === active) };
  }
}
