import { Component } from "obsidian";
import { blockEnd } from "../chat/blocks";

/** Renders Markdown into an element; what it starts lives as long as the component. */
export type RenderMarkdown = (markdown: string, into: HTMLElement, owner: Component) => Promise<void>;

/**
 * An answer that grows. Blocks that are complete are rendered once and stay; the last one is rendered anew on each
 * animation frame in which something came, out of sight, and changes places with the old one in one step.
 */
export class GrowingAnswer extends Component {
  readonly el: HTMLElement;
  private readonly settled: HTMLElement;
  private readonly tail: HTMLElement;
  private text = "";
  private drawn = "";
  private settledTo = 0;
  private ended = false;
  private drawing = false;
  private frame = 0;
  private tailOwner: Component | null = null;

  constructor(
    parent: HTMLElement,
    private readonly render: RenderMarkdown,
    private readonly afterRender: (el: HTMLElement) => void,
    private readonly onGrown: () => void,
  ) {
    super();
    this.el = parent.createDiv({ cls: "mindnet-answer markdown-rendered" });
    // A screen reader reads each block when it is complete, not every word as it comes.
    this.settled = this.el.createDiv({ attr: { "aria-live": "polite" } });
    this.tail = this.el.createDiv({ cls: "mindnet-answer-tail", attr: { "aria-live": "off" } });
  }

  override onunload(): void {
    this.el.win.cancelAnimationFrame(this.frame);
  }

  /** The whole text so far, and whether it is all. */
  grow(text: string, ended: boolean): void {
    if (ended && !text.startsWith(this.text)) this.restart();
    this.text = text;
    this.ended = ended;
    this.el.toggleClass("is-growing", !ended);
    this.schedule();
  }

  private restart(): void {
    this.settled.empty();
    this.settledTo = 0;
    this.drawn = "";
  }

  private schedule(): void {
    const { win } = this.el;
    win.cancelAnimationFrame(this.frame);
    // A window that is not on show draws no frames: the end does not wait for one.
    if (this.ended) void this.draw();
    else this.frame = win.requestAnimationFrame(() => void this.draw());
  }

  private async draw(): Promise<void> {
    if (this.drawing || (this.drawn === this.text && !this.ended)) return;
    this.drawing = true;
    const { text, ended } = this;
    const blocks: HTMLElement[] = [];
    for (let end = blockEnd(text, this.settledTo); end !== null; end = blockEnd(text, this.settledTo)) {
      blocks.push(await this.renderBlock(text.slice(this.settledTo, end), this));
      this.settledTo = end;
    }
    const rest = text.slice(this.settledTo);
    const owner = this.addChild(new Component());
    const last = rest.trim() === "" ? [] : [await this.renderBlock(rest, ended ? this : owner)];
    if (ended) this.settledTo = text.length;
    this.settled.append(...blocks, ...(ended ? last : []));
    this.tail.replaceChildren(...(ended ? [] : last));
    if (this.tailOwner !== null) this.removeChild(this.tailOwner);
    this.tailOwner = owner;
    this.drawn = text;
    this.drawing = false;
    this.onGrown();
    if (this.text !== text || this.ended !== ended) this.schedule();
  }

  private async renderBlock(markdown: string, owner: Component): Promise<HTMLElement> {
    const block = createDiv({ cls: "mindnet-block" });
    await this.render(markdown, block, owner);
    this.afterRender(block);
    return block;
  }
}
