import { expect, test } from "vitest";
import { readEvents, type ServerSentEvent } from "../../obsidian-plugin/src/sidecar/sse";

const STREAM = 'event: status\r\ndata: {"text":"Größe 🍞"}\r\n\r\n: a comment\n\nevent: note_removed\ndata: {"a":1}\ndata: {"b":2}\n\ndata: rest without an end';

async function read(pieces: Uint8Array[]): Promise<ServerSentEvent[]> {
  async function* arrive(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) yield await Promise.resolve(piece);
  }
  const found: ServerSentEvent[] = [];
  for await (const event of readEvents(arrive())) found.push(event);
  return found;
}

test.each([1, 2, 3, 5, 7, 1000])("events are read however the bytes are split (%i at a time)", async (size) => {
  const bytes = new TextEncoder().encode(STREAM);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size));
  expect(await read(pieces)).toEqual([
    { event: "status", data: '{"text":"Größe 🍞"}' },
    { event: "note_removed", data: '{"a":1}\n{"b":2}' },
  ]);
});
