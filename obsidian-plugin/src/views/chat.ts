import { ItemView, type HoverPopover, type WorkspaceLeaf } from "obsidian";
import { Conversation, type Shape, type Turn } from "../chat/conversation";
import type { Language, Translate } from "../i18n";
import { asRequest } from "../search/filters";
import type { Connection } from "../sidecar/connection";
import type { Settings } from "../settings/settings";
import type { RenderMarkdown } from "../ui/answer";
import { ChatNotice } from "../ui/chat-notice";
import { Composer } from "../ui/composer";
import { iconButton } from "../ui/icon-button";
import type { Reach } from "../ui/places";
import type { ThumbsHost } from "../ui/thumbs";
import { TurnView, type TurnHost } from "../ui/turn";
import { PastSessions } from "./past-sessions";

export const CHAT_VIEW = "mindnet-chat";

/** So near to the end (px) that somebody who reads there wants to see what comes. */
const NEAR_END = 48;

/** What the view needs of the plugin. */
export interface ChatHost {
  connection: Connection;
  settings: Settings;
  t: Translate;
  language(): Language;
  reach: Reach;
  render: RenderMarkdown;
  feedback: ThumbsHost;
  openSettings(): void;
  openDoctor(): void;
  copy(text: string): void;
  copyAnswer(turn: Turn): void;
  insert(turn: Turn): void;
  save(turns: readonly Turn[]): void;
}

/** The chat pane: what was asked and answered, the field for the next question, and what stands in the way. */
export class ChatView extends ItemView {
  hoverPopover: HoverPopover | null = null;
  private readonly conversation: Conversation;
  private readonly turns = new Map<Turn, TurnView>();
  private log!: HTMLElement;
  private past!: PastSessions;
  private notice!: ChatNotice;
  private said!: HTMLElement;
  private composer!: Composer;
  private historyButton!: HTMLElement;
  private saveButton!: HTMLElement;
  private atEnd = true;
  private judging = false;
  private aboutEl!: HTMLElement;
  /** The note that answers are to come from, where it is one alone. */
  private about: { path: string; title: string } | null = null;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly host: ChatHost,
  ) {
    super(leaf);
    this.conversation = new Conversation(host.connection, {
      begun: (turn) => this.drawTurn(turn),
      changed: (turn) => this.change(turn),
      removed: (turn) => this.dropTurn(turn),
      replaced: () => this.drawTurns(),
    });
  }

  override getViewType(): string {
    return CHAT_VIEW;
  }

  override getDisplayText(): string {
    return this.host.t("chatTitle");
  }

  override getIcon(): string {
    return "messages-square";
  }

  override async onOpen(): Promise<void> {
    this.draw();
    this.registerEvent(this.host.connection.events.on("state", () => this.onState()));
    this.registerDomEvent(this.contentEl, "keydown", (event) => {
      if (event.key !== "Escape") return;
      if (this.past.isOpen) this.showPast(false);
      else if (this.conversation.busy) this.conversation.stop();
      else return;
      event.preventDefault();
    });
    this.register(() => this.conversation.stop());
  }

  private onState(): void {
    const { connection, feedback } = this.host;
    this.notice.update();
    if (connection.state.kind !== "ready" || this.judging === feedback.enabled() || this.conversation.busy) return;
    // Where feedback is not taken any more, no thumb asks for it.
    this.judging = feedback.enabled();
    if (this.conversation.turns.length > 0) this.drawTurns();
  }

  /** Puts the cursor into the field. */
  focus(): void {
    this.composer.focus();
  }

  /** Draws all anew, in the language in force. */
  redraw(): void {
    const { text } = this.composer;
    this.draw();
    this.composer.text = text;
  }

  /** Begins a session whose answers come from this note alone, until that is taken back. */
  askAbout(path: string, title: string): void {
    this.begin();
    this.about = { path, title };
    this.drawAbout();
    this.focus();
  }

  /** Begins a new session. */
  begin(): void {
    this.about = null;
    this.drawAbout();
    this.showPast(false);
    this.conversation.begin();
    this.focus();
  }

  private draw(): void {
    const { t, connection } = this.host;
    this.contentEl.empty();
    this.contentEl.addClass("mindnet-chat");
    const header = this.contentEl.createDiv({ cls: "mindnet-chat-header" });
    iconButton(header, "square-pen", t("newChat"), () => this.begin());
    this.historyButton = iconButton(header, "history", t("history"), () => this.showPast(!this.past.isOpen));
    this.saveButton = iconButton(header, "file-plus", t("saveChat"), () => this.host.save(this.conversation.turns));
    this.past = new PastSessions(this.contentEl, {
      connection,
      t,
      language: () => this.host.language(),
      current: () => this.conversation.sessionId,
      resume: (id) => this.resume(id),
      gone: () => this.conversation.begin(),
      copy: (text) => this.host.copy(text),
    });
    this.log = this.contentEl.createDiv({ cls: "mindnet-log", attr: { role: "region", "aria-label": t("chatTitle"), tabindex: "0" } });
    this.log.addEventListener("scroll", () => (this.atEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < NEAR_END));
    const notice = this.contentEl.createDiv();
    this.said = this.contentEl.createDiv({ cls: "mindnet-only-read", attr: { "aria-live": "polite" } });
    this.aboutEl = this.contentEl.createDiv({ cls: "mindnet-about" });
    this.drawAbout();
    this.composer = new Composer(this.contentEl, t, { send: (message) => this.send(message), stop: () => this.conversation.stop() });
    this.notice = new ChatNotice(notice, this.contentEl.createDiv({ cls: "mindnet-chat-footer" }), this.host);
    this.showPast(false);
    this.drawTurns();
    this.notice.update();
  }

  private drawAbout(): void {
    const { t } = this.host;
    const { about, aboutEl } = this;
    aboutEl.empty();
    aboutEl.toggle(about !== null);
    if (about === null) return;
    aboutEl.createSpan({ text: t("chatAbout", { title: about.title }) });
    iconButton(aboutEl, "x", t("chatAboutAll"), () => {
      this.about = null;
      this.drawAbout();
      this.focus();
    });
  }

  // ------------------------------------------------------------ the turns
  private drawTurns(): void {
    for (const turn of [...this.turns.keys()]) this.dropTurn(turn);
    this.log.empty();
    for (const turn of this.conversation.turns) this.drawTurn(turn);
    if (this.conversation.turns.length === 0) this.drawEmpty();
    this.said.empty();
    this.showBusy();
  }

  private drawEmpty(): void {
    const { t } = this.host;
    const empty = this.log.createDiv({ cls: "mindnet-chat-empty" });
    empty.createEl("p", { text: t("chatEmpty") });
    empty.createEl("p", { cls: "mindnet-muted", text: t("chatKeys") });
  }

  private drawTurn(turn: Turn): void {
    this.log.querySelector(".mindnet-chat-empty")?.remove();
    this.turns.set(turn, this.addChild(new TurnView(this.log, turn, this.turnHost())));
    this.atEnd = true;
    this.toEnd();
    this.showBusy();
  }

  private dropTurn(turn: Turn): void {
    const view = this.turns.get(turn);
    if (view === undefined) return;
    this.turns.delete(turn);
    this.removeChild(view);
    view.el.remove();
  }

  private turnHost(): TurnHost {
    const { host } = this;
    return {
      ...host,
      hover: this,
      save: (turn) => host.save([turn]),
      retry: (turn, readings = {}) => {
        this.focus();
        void this.conversation.retry(turn, { ...this.shape(), ...readings });
      },
      onGrown: () => this.toEnd(),
    };
  }

  private change(turn: Turn): void {
    this.turns.get(turn)?.show();
    this.toEnd();
    this.showBusy();
    const { t } = this.host;
    const words = turn.phase === "asking" ? t("chatSearching") : turn.phase === "stopped" ? t("chatStopped") : "";
    if (this.said.textContent !== words) this.said.setText(words);
  }

  /** Follows what comes, unless the reader has scrolled away from the end. */
  private toEnd(): void {
    if (this.atEnd) this.log.scrollTop = this.log.scrollHeight;
  }

  private showBusy(): void {
    this.composer.setBusy(this.conversation.busy);
    this.saveButton.toggle(this.conversation.turns.some((turn) => turn.answer !== ""));
    this.notice.isTold(this.conversation.turns.at(-1)?.failure?.code ?? null);
  }

  private send(message: string): void {
    this.showPast(false);
    void this.conversation.ask(message, this.shape());
  }

  private shape(): Shape {
    const { about, host } = this;
    return {
      ...(host.settings.language === "auto" ? {} : { language: host.language() }),
      ...(about === null ? {} : { filters: asRequest([{ kind: "path", value: about.path }], new Date()) }),
    };
  }

  // ------------------------------------------------------------ earlier sessions
  private showPast(open: boolean): void {
    this.past.toggle(open);
    this.log.toggle(!open);
    this.historyButton.setAttribute("aria-expanded", String(open));
  }

  private async resume(id: string): Promise<void> {
    await this.conversation.resume(id);
    await this.readFeedback();
    this.showPast(false);
    this.focus();
  }

  /** What was judged of earlier answers shows there again. */
  private async readFeedback(): Promise<void> {
    const { feedback } = this.host;
    const ids = this.conversation.turns.flatMap(({ queryId }) => queryId ?? []);
    try {
      await Promise.all(ids.map((id) => feedback.thumbs.read(id)));
    } catch (cause) {
      feedback.complain(cause);
    }
    this.drawTurns();
  }
}
