import { faultText } from "../chat/faults";
import type { Language, Translate } from "../i18n";
import { SidecarError } from "../sidecar/transport";
import type { Deleted, SessionList } from "../sidecar/wire";
import { drawFault } from "../ui/fault";
import { drawHistory } from "../ui/history";

/** What the panel needs: the sessions, and the conversation that is on show. */
export interface PastHost {
  connection: { sessions(): Promise<SessionList>; deleteSessions(id?: string): Promise<Deleted> };
  t: Translate;
  language(): Language;
  current(): string | null;
  resume(id: string): Promise<void>;
  /** The session on show has been deleted. */
  gone(): void;
  copy(text: string): void;
}

/** The panel of earlier sessions: reads them each time it is opened. */
export class PastSessions {
  readonly el: HTMLElement;

  constructor(
    parent: HTMLElement,
    private readonly host: PastHost,
  ) {
    this.el = parent.createDiv({ cls: "mindnet-past" });
    this.el.hide();
  }

  get isOpen(): boolean {
    return this.el.hasClass("is-open");
  }

  toggle(open: boolean): void {
    this.el.toggle(open);
    this.el.toggleClass("is-open", open);
    if (open) void this.attempt(() => this.draw());
    else this.el.empty();
  }

  private async draw(): Promise<void> {
    const { host } = this;
    const { sessions } = await host.connection.sessions();
    this.el.empty();
    drawHistory(this.el, sessions, host.current(), {
      t: host.t,
      date: (milliseconds) => new Date(milliseconds).toLocaleString(host.language(), { dateStyle: "medium", timeStyle: "short" }),
      open: (id) => void this.attempt(() => host.resume(id)),
      remove: (id) => void this.attempt(() => this.remove(id)),
    });
    this.el.querySelector<HTMLElement>("button")?.focus();
  }

  private async remove(id?: string): Promise<void> {
    await this.host.connection.deleteSessions(id);
    if (id === undefined || id === this.host.current()) this.host.gone();
    await this.draw();
  }

  private async attempt(act: () => Promise<void>): Promise<void> {
    const { t } = this.host;
    try {
      await act();
    } catch (cause) {
      const failure =
        cause instanceof SidecarError ? { code: cause.code || cause.kind, message: cause.message, hint: cause.hint } : { code: "", message: String(cause), hint: "" };
      this.el.querySelector(".mindnet-fault")?.remove();
      drawFault(this.el, faultText(failure, t), t, (text) => this.host.copy(text)).setAttribute("role", "alert");
    }
  }
}
