import type { Translate } from "../i18n";
import type { SessionOut } from "../sidecar/wire";
import { iconButton } from "./icon-button";

/** What the list of sessions can do. */
export interface HistoryHost {
  t: Translate;
  /** A point in time (ms since 1970) as the user's language writes it. */
  date(milliseconds: number): string;
  open(id: string): void;
  /** Deletes a session for good; all of them where none is named. */
  remove(id?: string): void;
}

/** Earlier sessions, the last used first. */
export function drawHistory(parent: HTMLElement, sessions: readonly SessionOut[], current: string | null, host: HistoryHost): void {
  const { t } = host;
  parent.createEl("h3", { cls: "mindnet-history-title", text: t("history") });
  if (sessions.length === 0) {
    parent.createEl("p", { cls: "mindnet-muted", text: t("historyEmpty") });
    return;
  }
  const list = parent.createEl("ul", { cls: "mindnet-history" });
  for (const session of sessions) {
    const item = list.createEl("li");
    const button = item.createEl("button", { cls: "mindnet-session", attr: { type: "button" } });
    if (session.session_id === current) button.setAttribute("aria-current", "true");
    button.createSpan({ cls: "mindnet-session-title", text: session.title });
    const turns = t(session.turns === 1 ? "oneTurn" : "turns", { count: session.turns });
    button.createSpan({ cls: "mindnet-muted", text: `${host.date(session.updated)} · ${turns}` });
    button.addEventListener("click", () => host.open(session.session_id));
    const remove = iconButton(item, "trash-2", t("deleteSession", { title: session.title }), () => undefined);
    onSecondClick(remove, t("deleteForGood"), () => host.remove(session.session_id));
  }
  const all = parent.createEl("button", { cls: "mindnet-delete-all", text: t("deleteAll"), attr: { type: "button" } });
  onSecondClick(all, t("deleteForGood"), () => host.remove());
}

/** What cannot be undone takes a second click, on a button that then says so. */
function onSecondClick(button: HTMLElement, warning: string, act: () => void): void {
  button.addEventListener("click", () => {
    if (button.hasClass("mod-warning")) return act();
    const before = Array.from(button.childNodes);
    const label = button.getAttribute("aria-label");
    button.addClass("mod-warning");
    button.removeAttribute("aria-label");
    button.setText(warning);
    button.addEventListener(
      "blur",
      () => {
        button.removeClass("mod-warning");
        button.replaceChildren(...before);
        if (label !== null) button.setAttribute("aria-label", label);
      },
      { once: true },
    );
  });
}
