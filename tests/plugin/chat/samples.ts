/** Pieces of a chat, to be varied in a test. */
import type { Turn } from "../../../obsidian-plugin/src/chat/conversation";
import type { CitationOut, DoneEvent, SourceOut, SourcesEvent } from "../../../obsidian-plugin/src/sidecar/wire";

export function source(number: number, changed: Partial<SourceOut> = {}): SourceOut {
  const salt = number === 1;
  return {
    number,
    note_id: `n${number}`,
    chunk_id: `n${number}#c01`,
    title: salt ? "Salt" : "Kimchi",
    path: salt ? "Salt.md" : "Kimchi.md",
    heading_path: salt ? ["Salt", "Levels"] : ["Kimchi"],
    start_line: salt ? 5 : 1,
    end_line: 9,
    text: "## Levels\n\nTwo percent of salt.",
    type: salt ? "concept" : "default",
    status: null,
    tags: [],
    total_score: 0.5,
    explanation: null,
    also_in: [],
    ...changed,
  };
}

export function sourcesEvent(changed: Partial<SourcesEvent> = {}): SourcesEvent {
  return {
    event: "sources",
    query_id: "q1",
    session_id: "s1",
    question: "Which salt?",
    language: "en",
    intent: { name: "FACT", boosts: {} },
    sources: [source(1), source(2)],
    phrases: [],
    dates: [],
    ...changed,
  };
}

export function citation(number: number): CitationOut {
  const { note_id, chunk_id, path, title, heading_path, start_line, end_line } = source(number);
  return { number, note_id, chunk_id, path, title, heading_path, start_line, end_line };
}

export function doneEvent(changed: Partial<DoneEvent> = {}): DoneEvent {
  return {
    event: "done",
    query_id: "q1",
    session_id: "s1",
    answer: "Two percent [1].",
    ended: "stop",
    citations: [citation(1)],
    model: "small",
    context: "### [1] Salt\nTwo percent of salt.",
    num_ctx: 8192,
    sent_tokens: 700,
    counted_exactly: false,
    prompt_tokens: 690,
    answer_tokens: 5,
    left_out: [],
    notices: [],
    timings: { searched: 12, first_token: 900, total: 2100 },
    ...changed,
  };
}

export function turn(changed: Partial<Turn> = {}): Turn {
  return { message: "Which salt?", readings: {}, queryId: null, phase: "answered", found: null, thinking: "", answer: "", citations: [], done: null, failure: null, ...changed };
}
