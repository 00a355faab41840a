/** A backend whose events a test sends one by one, as a sidecar would. */
import type { ChatBackend } from "../../../obsidian-plugin/src/chat/conversation";
import type { ChatEvent, ChatRequest, SessionDetail } from "../../../obsidian-plugin/src/sidecar/wire";

interface Answering {
  request: Partial<ChatRequest>;
  signal: AbortSignal;
  send(...events: ChatEvent[]): void;
  end(): void;
  break(cause: unknown): void;
}

export class ScriptedBackend implements ChatBackend {
  readonly asked: Answering[] = [];
  detail: SessionDetail = { session: { session_id: "s9", title: "Old", created: 1, updated: 2, turns: 1 }, turns: [] };

  session(): Promise<SessionDetail> {
    return Promise.resolve(this.detail);
  }

  chat(request: Partial<ChatRequest>, signal: AbortSignal): AsyncIterable<ChatEvent> {
    const stream = new ReadableStream<ChatEvent>({
      start: (controller) => {
        let open = true;
        const once = (act: () => void) => {
          if (open) act();
          open = false;
        };
        signal.addEventListener("abort", () => once(() => controller.error(signal.reason)));
        this.asked.push({
          request,
          signal,
          send: (...events) => events.forEach((event) => controller.enqueue(event)),
          end: () => once(() => controller.close()),
          break: (cause) => once(() => controller.error(cause)),
        });
      },
    });
    return stream as unknown as AsyncIterable<ChatEvent>;
  }
}
