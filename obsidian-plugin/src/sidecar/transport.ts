import { Platform, requestUrl } from "obsidian";
import { readEvents, type ServerSentEvent } from "./sse";
import type { Problem } from "./wire";

/** Where a sidecar listens, and the token that it asks for. */
export interface Endpoint {
  url: string;
  token: string;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Why a call failed: nobody answered, the token was refused, or the sidecar said what is wrong, with its `code`. */
export class SidecarError extends Error {
  constructor(
    readonly kind: "unreachable" | "refused" | "failed",
    message: string,
    readonly hint = "",
    readonly code = "",
  ) {
    super(message);
  }
}

/** A stream that has been opened: its status, and its bytes as they come. */
interface Opened {
  status: number;
  body: AsyncIterable<Uint8Array>;
}

interface StreamRequest {
  method: Method;
  path: string;
  body?: unknown;
}

/** Calls the sidecar and gives its JSON. Nothing outside this file sends anything. */
export async function callSidecar<Answer>(endpoint: Endpoint, method: Method, path: string, body?: unknown): Promise<Answer> {
  let response: { status: number; text: string };
  try {
    response = await requestUrl({
      url: endpoint.url + path,
      method,
      headers: authorization(endpoint),
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

/**
 * The sidecar's events until the stream ends. `signal` ends the request; whoever stops reading ends it too.
 * Throws a `SidecarError` when the stream cannot be opened or breaks, and the signal's reason when it was ended.
 */
export async function* streamSidecar(endpoint: Endpoint, request: StreamRequest, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  const { status, body } = await openStream(endpoint, request, signal);
  if (status >= 400) throw problemOf(status, await textOf(body));
  try {
    yield* readEvents(body);
  } catch (cause) {
    signal.throwIfAborted();
    throw new SidecarError("unreachable", String(cause));
  }
}

/** By the browser's fetch; where that fails before anything has come, on the desktop by Node's http. */
async function openStream(endpoint: Endpoint, request: StreamRequest, signal: AbortSignal): Promise<Opened> {
  const url = endpoint.url + request.path;
  const headers = { ...authorization(endpoint), Accept: "text/event-stream", ...(request.body === undefined ? {} : { "Content-Type": "application/json" }) };
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  try {
    const response = await window.fetch(url, { method: request.method, headers, signal, ...(body === undefined ? {} : { body }) });
    return { status: response.status, body: piecesOf(response.body) };
  } catch (cause) {
    signal.throwIfAborted();
    const opened = await openByNode(url, request.method, headers, body, signal);
    if (opened === null) throw new SidecarError("unreachable", String(cause));
    return opened;
  }
}

/** Null where there is no Node, or it reaches nobody either. */
async function openByNode(url: string, method: Method, headers: Record<string, string>, body: string | undefined, signal: AbortSignal): Promise<Opened | null> {
  if (Platform.isDesktop && Platform.isDesktopApp && url.startsWith("http:")) {
    const { request } = await import("node:http");
    return new Promise((resolve, reject) => {
      const asked = request(url, { method, headers, signal }, (response) => resolve({ status: response.statusCode ?? 0, body: response }));
      asked.on("error", () => {
        if (signal.aborted) reject(signal.reason as Error);
        else resolve(null);
      });
      asked.end(body);
    });
  }
  return null;
}

async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Ends the request too when the reader stops early; of a stream that broke there is nothing left to end.
    await reader.cancel().catch(() => undefined);
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body) text += decoder.decode(bytes, { stream: true });
  return text;
}

function authorization({ token }: Endpoint): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

function problemOf(status: number, text: string): SidecarError {
  let problem: Partial<Problem> = {};
  try {
    problem = JSON.parse(text) as Partial<Problem>;
  } catch {
    problem = { detail: text.slice(0, 200) };
  }
  return new SidecarError(status === 401 ? "refused" : "failed", problem.detail ?? `HTTP ${status}`, problem.hint ?? "", problem.code ?? "");
}
