import { describe, expect, test } from "vitest";
import { readEvents, type ServerSentEvent } from "../../../obsidian-plugin/src/sidecar/sse";

async function* feed(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(part);
}

async function read(...parts: Uint8Array[]): Promise<ServerSentEvent[]> {
  const found: ServerSentEvent[] = [];
  for await (const event of readEvents(feed(parts))) found.push(event);
  return found;
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("server-sent events", () => {
  test.each(["\n", "\r\n", "\r"])("are the same wherever the bytes are split, with line ends %j", async (end) => {
    const stream = bytes(["event: note_indexed", 'data: {"path":"Grüße 🍞.md"}', "", ": still here", "data: a", "data: b", "", "", "data:c", "", ""].join(end) + "x");
    const whole = await read(stream);
    expect(whole).toEqual([
      { event: "note_indexed", data: '{"path":"Grüße 🍞.md"}' },
      { event: "message", data: "a\nb" },
      { event: "message", data: "c" },
    ]);
    for (let cut = 1; cut < stream.length; cut++) expect(await read(stream.slice(0, cut), stream.slice(cut)), `cut at ${cut}`).toEqual(whole);
    expect(await read(...Array.from(stream, (byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  test("without an empty line at the end are not complete, and not given", async () => {
    expect(await read(bytes("data: whole\n\ndata: half\n"))).toEqual([{ event: "message", data: "whole" }]);
  });

  test("without data are nothing, and their name is not kept for the next", async () => {
    expect(await read(bytes("event: ping\n\ndata: x\n\n"))).toEqual([{ event: "message", data: "x" }]);
  });

  test("lose one space after the colon, no more", async () => {
    expect(await read(bytes("data:  two\ndata\n\n"))).toEqual([{ event: "message", data: " two\n" }]);
  });
});
