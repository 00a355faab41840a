import { beforeEach, describe, expect, test, vi } from "vitest";
import { Conversation, type Turn } from "../../../obsidian-plugin/src/chat/conversation";
import { SidecarError } from "../../../obsidian-plugin/src/sidecar/transport";
import { doneEvent, sourcesEvent } from "./samples";
import { ScriptedBackend } from "./scripted";

let backend: ScriptedBackend;
let told: string[];
let conversation: Conversation;

beforeEach(() => {
  backend = new ScriptedBackend();
  told = [];
  conversation = new Conversation(backend, {
    begun: (turn) => told.push(`begun ${turn.message}`),
    changed: (turn) => told.push(turn.phase),
    removed: (turn) => told.push(`removed ${turn.message}`),
    replaced: () => told.push("replaced"),
  });
});

const last = () => conversation.turns.at(-1)!;
const becomes = (phase: Turn["phase"]) => vi.waitFor(() => expect(last().phase).toBe(phase));

/** Asks, and gives the answer's other end and what is settled when it has ended. */
function ask(message = "Which salt?"): { end: ScriptedBackend["asked"][number]; asked: Promise<void> } {
  const asked = conversation.ask(message);
  return { end: backend.asked.at(-1)!, asked };
}

describe("a question", () => {
  test("gets its sources, then its answer word by word, then what stands behind it", async () => {
    const { end, asked } = ask();
    expect([last().phase, conversation.busy]).toEqual(["asking", true]);
    end.send(sourcesEvent());
    await becomes("writing");
    end.send({ event: "thinking", text: "Hm." }, { event: "token", text: "Two " }, { event: "token", text: "per" });
    await vi.waitFor(() => expect(last().answer).toBe("Two per"));
    expect(last().thinking).toBe("Hm.");
    end.send(doneEvent());
    end.end();
    await asked;
    expect(last()).toMatchObject({ phase: "answered", answer: "Two percent [1].", citations: [{ number: 1 }] });
    expect(conversation.busy).toBe(false);
  });

  test("goes on with the session that the first one began", async () => {
    const first = ask();
    expect(first.end.request).toEqual({ message: "Which salt?" });
    first.end.send(sourcesEvent(), doneEvent());
    first.end.end();
    await first.asked;
    expect(ask("And water?").end.request).toEqual({ message: "And water?", session_id: "s1" });
  });

  test("that is stopped ends the request at once, and keeps what was said", async () => {
    const { end, asked } = ask();
    end.send(sourcesEvent(), { event: "token", text: "Two" });
    await vi.waitFor(() => expect(last().answer).toBe("Two"));
    conversation.stop();
    expect(end.signal.aborted).toBe(true);
    expect(last()).toMatchObject({ phase: "stopped", answer: "Two", failure: null });
    await asked;
    expect(last().phase).toBe("stopped");
    expect(told.filter((one) => one === "stopped")).toHaveLength(1);
  });

  test("asked while another is answered stops that one", async () => {
    const first = ask("First");
    ask("Second");
    expect(first.end.signal.aborted).toBe(true);
    await first.asked;
    expect(conversation.turns.map(({ message, phase }) => [message, phase])).toEqual([
      ["First", "stopped"],
      ["Second", "asking"],
    ]);
    expect(conversation.busy).toBe(true);
  });

  test("keeps its sources when the model fails, with what to do", async () => {
    const { end, asked } = ask();
    end.send(sourcesEvent(), { event: "failed", code: "model_down", message: "Nobody.", hint: "Run `ollama serve`." });
    end.end();
    await asked;
    expect(last()).toMatchObject({ phase: "failed", failure: { code: "model_down", hint: "Run `ollama serve`." } });
    expect(last().found?.sources).toHaveLength(2);
  });

  test("says so when the stream ends in the middle, or breaks", async () => {
    const first = ask();
    first.end.send(sourcesEvent());
    first.end.end();
    await first.asked;
    expect(last().failure?.code).toBe("unreachable");
    const second = ask();
    second.end.break(new SidecarError("unreachable", "reset"));
    await second.asked;
    expect(last()).toMatchObject({ phase: "failed", failure: { code: "unreachable" } });
  });

  test("begins a new session when its own has been deleted elsewhere", async () => {
    conversation.sessionId = "gone";
    const { end, asked } = ask();
    end.break(new SidecarError("failed", "No such session.", "", "not_found"));
    await asked;
    expect(last().failure?.code).toBe("not_found");
    expect(ask().end.request.session_id).toBeUndefined();
  });
});

describe("asking again", () => {
  test("replaces a turn that came to nothing", async () => {
    const { end, asked } = ask();
    end.break(new SidecarError("unreachable", "reset"));
    await asked;
    void conversation.retry(last());
    expect(conversation.turns).toHaveLength(1);
    expect(told).toContain("removed Which salt?");
    expect(last().phase).toBe("asking");
  });

  test("keeps one that was answered", async () => {
    const { end, asked } = ask();
    end.send(sourcesEvent(), doneEvent());
    end.end();
    await asked;
    void conversation.retry(last());
    expect(conversation.turns.map((turn) => turn.phase)).toEqual(["answered", "asking"]);
  });

  test("reads times and quotation marks as the turn did, unless told otherwise", async () => {
    void conversation.ask("Which salt?", { dates: "ignore", top_k: 3 });
    expect(last().readings).toEqual({ dates: "ignore" });
    void conversation.retry(last());
    expect(last().readings).toEqual({ dates: "ignore" });
    void conversation.retry(last(), { dates: "auto", phrases: "require" });
    expect(last().readings).toEqual({ dates: "auto", phrases: "require" });
    await Promise.resolve();
    expect(backend.asked.at(-1)?.request).toMatchObject({ message: "Which salt?", dates: "auto", phrases: "require" });
  });
});

describe("a session", () => {
  test("is gone on with where it was left", async () => {
    backend.detail.turns = [
      { query_id: "q", asked_at: 1, message: "Old?", question: "Old?", language: "en", state: "answered", answer: "Yes.", model: "small", citations: [] },
      { query_id: "r", asked_at: 2, message: "And?", question: "And?", language: "en", state: "asked", answer: "", model: null, citations: [] },
    ];
    await conversation.resume("s9");
    expect(conversation.turns.map(({ message, phase }) => [message, phase])).toEqual([
      ["Old?", "answered"],
      ["And?", "stopped"],
    ]);
    expect(ask("More").end.request.session_id).toBe("s9");
  });

  test("that is left for a new one is stopped", () => {
    const { end } = ask();
    conversation.begin();
    expect(end.signal.aborted).toBe(true);
    expect([conversation.turns, conversation.sessionId]).toEqual([[], null]);
  });
});
