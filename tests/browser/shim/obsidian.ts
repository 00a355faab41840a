/** The `obsidian` module of the harness page: obsidian-test-mocks, with what must be seen or reached made real. */
import { createElement, icons, type IconNode } from "lucide";
import { Events as MockEvents } from "obsidian-test-mocks/obsidian";
import { drawMarkdown } from "./markdown";

export * from "obsidian-test-mocks/obsidian";
export { editorInfoField } from "./editor";
export { FuzzySuggestModal, Modal } from "./modals";

export const Platform = { isDesktop: true, isDesktopApp: true, isMobile: false, isMobileApp: false };
export const Events = MockEvents;

export function getLanguage(): string {
  return document.documentElement.lang || "en";
}

export function setIcon(parent: HTMLElement, id: string): void {
  const name = id.replace(/(^|-)(\w)/g, (_match, _dash, letter: string) => letter.toUpperCase());
  const node = (icons as Record<string, IconNode | undefined>)[name];
  if (!node) throw new Error(`harness: there is no icon named '${id}'`);
  const svg = createElement(node);
  svg.classList.add("svg-icon", `lucide-${id}`);
  parent.replaceChildren(svg);
}

export const MarkdownRenderer = {
  /** Asynchronous, as the app's: what is drawn is there only later. */
  render: async (_app: unknown, markdown: string, into: HTMLElement): Promise<void> => {
    await Promise.resolve();
    drawMarkdown(markdown, into);
  },
};

export class Notice {
  constructor(message: string) {
    const notice = document.createElement("div");
    notice.className = "notice";
    notice.textContent = message;
    document.querySelector(".notice-container")?.append(notice);
  }
}

interface RequestParameters {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  contentType?: string;
}

/** As in the app: no CORS, the whole answer at once. Here by way of the page's own server. */
export async function requestUrl({ url, method, headers, body, contentType }: RequestParameters): Promise<{ status: number; text: string }> {
  const response = await fetch(`/__request?url=${encodeURIComponent(url)}`, {
    method: method ?? "GET",
    headers: { ...headers, ...(contentType ? { "Content-Type": contentType } : {}) },
    ...(body === undefined ? {} : { body }),
  });
  if (response.status === 599) throw new Error("net::ERR_CONNECTION_REFUSED");
  return { status: response.status, text: await response.text() };
}
