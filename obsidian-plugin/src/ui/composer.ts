import type { Translate } from "../i18n";
import { changeIcon } from "./icon-button";

const TALLEST = 200;

/** Where questions are written. Enter sends, Shift+Enter begins a line, and one button sends or stops. */
export class Composer {
  readonly el: HTMLElement;
  private readonly input: HTMLTextAreaElement;
  private readonly button: HTMLButtonElement;
  private busy = false;

  constructor(
    parent: HTMLElement,
    private readonly t: Translate,
    private readonly on: { send(message: string): void; stop(): void },
  ) {
    this.el = parent.createEl("form", { cls: "mindnet-composer" });
    this.input = this.el.createEl("textarea", { placeholder: t("chatPlaceholder"), attr: { rows: "1", "aria-label": t("chatLabel"), enterkeyhint: "send" } });
    this.button = this.el.createEl("button", { cls: "mod-cta mindnet-send", attr: { type: "submit" } });
    this.input.addEventListener("keydown", (event) => this.onKey(event));
    this.input.addEventListener("input", () => this.grow());
    this.el.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.busy) this.on.stop();
      else this.send();
    });
    this.setBusy(false);
  }

  get text(): string {
    return this.input.value;
  }

  set text(value: string) {
    this.input.value = value;
    this.grow();
  }

  focus(): void {
    this.input.focus();
  }

  /** While an answer is given the button stops it. */
  setBusy(busy: boolean): void {
    if (this.busy === busy && this.button.hasChildNodes()) return;
    this.busy = busy;
    changeIcon(this.button, busy ? "square" : "arrow-up", this.t(busy ? "stop" : "send"));
  }

  private onKey(event: KeyboardEvent): void {
    // Enter that ends the composing of a character is not meant for us.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.send();
  }

  private send(): void {
    const message = this.input.value.trim();
    if (message === "") return;
    this.text = "";
    this.on.send(message);
  }

  private grow(): void {
    this.input.setCssProps({ "--mindnet-height": "auto" });
    this.input.setCssProps({ "--mindnet-height": `${Math.min(this.input.scrollHeight, TALLEST)}px` });
  }
}
