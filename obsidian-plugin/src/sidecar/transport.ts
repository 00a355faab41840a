import { requestUrl } from "obsidian";
import { readEvents } from "./sse";
import type { Problem, SidecarEvent } from "./wire";

/** Where a sidecar listens, and the token that it asks for. */
export interface Endpoint {
  url: string;
  token: string;
}

/** Why a call failed: nobody answered, the token was refused, or the sidecar said what is wrong. */
export class SidecarError extends Error {
  constructor(
    readonly kind: "unreachable" | "refused" | "failed",
    message: string,
    readonly hint = "",
  ) {
    super(message);
  }
}

/** Calls the sidecar and gives its JSON; the only way in which this plugin sends anything. */
export async function callSidecar<Answer>(endpoint: Endpoint, method: "GET" | "POST", path: string, body?: unknown): Promise<Answer> {
  let response: { status: number; text: string };
  try {
    response = await requestUrl({
      url: endpoint.url + path,
      method,
      headers: { Authorization: `Bearer ${endpoint.token}` },
      throw: false,
      ...(body === undefined ? {} : { contentType: "application/json", body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new SidecarError("unreachable", String(cause));
  }
  if (response.status >= 400) throw problemOf(response.status, response.text);
  try {
    return JSON.parse(response.text) as Answer;
  } catch {
    throw new SidecarError("failed", `${endpoint.url}${path}: ${response.text.slice(0, 200)}`);
  }
}

/** Hands on the sidecar's events until the stream ends; throws when it cannot be opened. */
export async function followEvents(endpoint: Endpoint, signal: AbortSignal, onEvent: (event: SidecarEvent) => void): Promise<void> {
  let response: Response;
  try {
    response = await window.fetch(`${endpoint.url}/events`, { headers: { Authorization: `Bearer ${endpoint.token}` }, signal });
  } catch (cause) {
    throw new SidecarError("unreachable", String(cause));
  }
  if (!response.ok || response.body === null) throw problemOf(response.status, await response.text());
  for await (const event of readEvents(chunksOf(response.body))) onEvent(JSON.parse(event.data) as SidecarEvent);
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Ends the request too when the reader stops early; of a stream that broke there is nothing left to end.
    await reader.cancel().catch(() => undefined);
  }
}

function problemOf(status: number, text: string): SidecarError {
  let problem: Partial<Problem> = {};
  try {
    problem = JSON.parse(text) as Partial<Problem>;
  } catch {
    problem = { detail: text.slice(0, 200) };
  }
  return new SidecarError(status === 401 ? "refused" : "failed", problem.detail ?? `HTTP ${status}`, problem.hint ?? "");
}
