import { ItemView, type WorkspaceLeaf } from "obsidian";
import type { Translate } from "../i18n";
import type { CheckLine, Mend } from "../settings/check";
import type { Connection } from "../sidecar/connection";
import type { SidecarProcess } from "../sidecar/process";
import { drawCheckLine } from "../ui/check-line";

export const DOCTOR_VIEW = "mindnet-doctor";

/** What the view needs of the plugin. */
export interface DoctorHost {
  t: Translate;
  connection: Connection;
  process: SidecarProcess;
  examine(): Promise<CheckLine[]>;
  mend(mend: Mend): void;
  start(): void;
  stop(): void;
  canStart: () => boolean;
}

/** What is well and what is not, each with the button that mends it; looks again by itself when something changes. */
export class DoctorView extends ItemView {
  private seen = "";
  private turn = 0;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly host: DoctorHost,
  ) {
    super(leaf);
  }

  override getViewType(): string {
    return DOCTOR_VIEW;
  }

  override getDisplayText(): string {
    return this.host.t("doctorTitle");
  }

  override getIcon(): string {
    return "stethoscope";
  }

  override async onOpen(): Promise<void> {
    const { connection, process } = this.host;
    this.contentEl.addClass("mindnet-search", "mindnet-doctor");
    this.registerEvent(connection.events.on("state", () => this.onChange()));
    this.registerEvent(process.events.on("state", () => this.onChange()));
    await this.look();
  }

  focus(): void {
    this.contentEl.querySelector("button")?.focus();
  }

  redraw(): void {
    void this.look();
  }

  /** An index that grows tells of itself many times a second: what matters is whether somebody is there. */
  private onChange(): void {
    const { connection, process } = this.host;
    if (connection.state.kind === "connecting") return;
    const now = `${connection.state.kind} ${connection.state.kind === "ready" ? connection.state.status.state === "error" : ""} ${process.state.kind}`;
    if (now !== this.seen) void this.look(now);
  }

  private async look(now = this.seen): Promise<void> {
    this.seen = now;
    const turn = ++this.turn;
    const lines = await this.host.examine();
    if (turn === this.turn) this.draw(lines);
  }

  private draw(lines: readonly CheckLine[]): void {
    const { t, process, canStart } = this.host;
    const held = this.contentEl.contains(this.contentEl.doc.activeElement);
    this.contentEl.empty();
    const bad = lines.filter(({ ok }) => !ok).length;
    const said = this.contentEl.createDiv({ attr: { role: "status" } });
    said.createEl("h4", { text: bad === 0 ? t("doctorWell") : bad === 1 ? t("doctorOne") : t("doctorMany", { count: bad }) });
    const list = this.contentEl.createEl("ul", { cls: "mindnet-check-lines" });
    for (const line of lines) drawCheckLine(list, line, t, (mend) => (mend.does === "look" ? void this.look() : this.host.mend(mend)));
    const tools = this.contentEl.createDiv({ cls: "mindnet-doctor-tools" });
    this.button(tools, t("lookAgain"), () => void this.look());
    if (process.isOurs) this.button(tools, t("commandStop"), () => this.host.stop());
    else if (canStart() && !lines.some(({ mend }) => mend?.does === "start") && this.host.connection.state.kind !== "ready") this.button(tools, t("commandStart"), () => this.host.start());
    this.button(tools, t("openSettings"), () => this.host.mend({ does: "settings" }));
    if (held) this.focus();
  }

  private button(parent: HTMLElement, text: string, act: () => void): void {
    parent.createEl("button", { text, attr: { type: "button" } }).addEventListener("click", act);
  }
}
