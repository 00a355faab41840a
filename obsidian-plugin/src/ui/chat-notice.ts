import { faultText } from "../chat/faults";
import type { TextKey, Translate } from "../i18n";
import type { ConnectionState } from "../sidecar/connection";
import type { ModelCondition, ModelsReport } from "../sidecar/wire";
import { drawFault } from "./fault";
import { drawWayOut, isOnItsWay, stateSentence, type WayOut } from "./state";

/** What the notice needs of the plugin. */
export interface NoticeHost extends WayOut {
  t: Translate;
  connection: { readonly state: ConnectionState; models(): Promise<ModelsReport> };
  copy(text: string): void;
}

/** Says what stands in the way of an answer, from the sidecar to the language model, and which model answers. */
export class ChatNotice {
  private readonly el: HTMLElement;
  private model: ModelCondition | null = null;
  private lookedFor = "";
  private shown = "";
  private told: string | null = null;

  constructor(
    parent: HTMLElement,
    private readonly footer: HTMLElement,
    private readonly host: NoticeHost,
  ) {
    this.el = parent.createDiv({ cls: "mindnet-notice", attr: { role: "status" } });
  }

  /** Looks at the connection's state; at the model when the sidecar has come or tells of another model. */
  update(): void {
    const { state } = this.host.connection;
    if (state.kind !== "ready") {
      this.model = null;
      this.lookedFor = "";
    } else {
      const { llm } = state.status;
      const told = `${llm.model} ${llm.fault}`;
      if (told !== this.lookedFor) {
        this.lookedFor = told;
        void this.look();
      }
    }
    this.draw();
  }

  /** The kind of fault that stands at the last question already: what to do about it is not said twice. */
  isTold(code: string | null): void {
    this.told = code;
    this.draw();
  }

  private async look(): Promise<void> {
    try {
      const { models } = await this.host.connection.models();
      this.model = models.find((one) => one.profile === "chat") ?? null;
    } catch {
      // Whatever is wrong shows in the connection's own state.
      this.model = null;
    }
    this.draw();
  }

  private draw(): void {
    const { t, connection } = this.host;
    const { state } = connection;
    const { model } = this;
    const sentence = stateSentence(state, t);
    const fault = state.kind === "ready" && model !== null && !model.ok ? model : null;
    this.drawModel(model?.ok ? model : null);
    const isTold = fault !== null && fault.code === this.told;
    const shown = JSON.stringify([sentence, state.kind, fault, isTold]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.el.empty();
    this.el.toggle(sentence !== null || fault !== null);
    this.el.toggleClass("mindnet-warning", fault !== null || (sentence !== null && state.kind !== "ready" && !isOnItsWay(state)));
    if (sentence !== null) this.el.createSpan({ text: sentence });
    if (fault !== null) {
      const text = faultText(fault, t);
      const short = { title: text.title, hint: "", command: null, detail: "" };
      drawFault(this.el, isTold ? short : text, t, (command) => this.host.copy(command)).createDiv({ text: t("chatStillSources") });
      this.button("lookAgain", () => void this.look());
    }
    drawWayOut(this.el, state.kind, this.host);
  }

  private drawModel(model: ModelCondition | null): void {
    const { t } = this.host;
    const text = model === null ? "" : t(model.leaves_machine ? "modelElsewhere" : "modelHere", { model: model.model ?? "", place: model.place });
    if (this.footer.textContent !== text) this.footer.setText(text);
    this.footer.toggleClass("mindnet-leaves", model?.leaves_machine === true);
  }

  private button(label: TextKey, act: () => void): void {
    const button = this.el.createEl("button", { text: this.host.t(label), attr: { type: "button" } });
    button.addEventListener("click", act);
  }
}
