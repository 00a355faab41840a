/** The app's module for tests: the mocks, and a `requestUrl` that reaches a real server. */
import type { RequestUrlParam } from "obsidian";

export async function requestUrl(given: RequestUrlParam): Promise<{ status: number; text: string }> {
  const response = await fetch(given.url, {
    method: given.method ?? "GET",
    headers: { ...given.headers, ...(given.contentType ? { "Content-Type": given.contentType } : {}) },
    ...(given.body === undefined ? {} : { body: given.body }),
  });
  return { status: response.status, text: await response.text() };
}
