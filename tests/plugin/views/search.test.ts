import { App, Events, WorkspaceLeaf } from "obsidian";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { translator } from "../../../obsidian-plugin/src/i18n";
import type { Connection, ConnectionState } from "../../../obsidian-plugin/src/sidecar/connection";
import { SidecarError } from "../../../obsidian-plugin/src/sidecar/transport";
import type { QueryAnswer, QueryRequest } from "../../../obsidian-plugin/src/sidecar/wire";
import { DEFAULTS, type Settings } from "../../../obsidian-plugin/src/settings/settings";
import { SearchView } from "../../../obsidian-plugin/src/views/search";
import { answer, hit, status } from "../samples";

/** The part of a connection that the view uses: each question waits until the test answers it. */
class Asked {
  readonly events = new Events();
  state: ConnectionState = { kind: "ready", status: status() };
  readonly asked: { request: Partial<QueryRequest>; resolve: (answer: QueryAnswer) => void; reject: (cause: unknown) => void }[] = [];

  query(request: Partial<QueryRequest>): Promise<QueryAnswer> {
    return new Promise((resolve, reject) => this.asked.push({ request, resolve, reject }));
  }

  become(state: ConnectionState): void {
    this.state = state;
    this.events.trigger("state", state);
  }
}

let connection: Asked;
let settings: Settings;
let view: SearchView;
let opened: [string, number, boolean][];

beforeEach(async () => {
  connection = new Asked();
  settings = { ...DEFAULTS };
  opened = [];
  const language = () => (settings.language === "de" ? "de" : "en");
  const app = (App as unknown as { createConfigured__(): App }).createConfigured__();
  const leaf = (WorkspaceLeaf as unknown as { create2__(app: App): WorkspaceLeaf }).create2__(app);
  view = new SearchView(leaf, {
    connection: connection as unknown as Connection,
    settings,
    t: translator(language),
    language,
    openPassage: (...where) => opened.push(where),
    openSettings: () => undefined,
  });
  document.body.append(view.contentEl);
  view.load();
  await view.onOpen();
});
afterEach(() => {
  view.unload();
  view.contentEl.remove();
});

const one = <Kind extends HTMLElement>(selector: string) => view.contentEl.querySelector<Kind>(selector)!;
const all = (selector: string) => Array.from(view.contentEl.querySelectorAll<HTMLElement>(selector));

function ask(question: string): void {
  one<HTMLInputElement>("input[type=search]").value = question;
  one<HTMLFormElement>("form").requestSubmit();
}

async function respond(index: number, given: QueryAnswer): Promise<void> {
  await vi.waitFor(() => expect(connection.asked.length).toBeGreaterThan(index));
  connection.asked[index]!.resolve(given);
  await Promise.resolve();
}

const says = (selector: string, text: string | RegExp) => vi.waitFor(() => expect(one(selector).textContent).toMatch(text));
const press = (target: Element, key: string, more: KeyboardEventInit = {}) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));

describe("the search view", () => {
  test("says what to do before anything is asked", () => {
    expect(one(".mindnet-notice").textContent).toContain("Ask a question");
  });

  test("asks with the mode and the number that are set", () => {
    ask("Brot");
    expect(connection.asked[0]!.request).toEqual({ query: "Brot", mode: "hybrid", top_k: 10, explain: true, language: null });
    all("input[type=radio]")[2]!.click();
    expect(connection.asked[1]!.request.mode).toBe("lexical");
  });

  test("shows hits with place, score, chips and marked words", async () => {
    ask("keepers");
    await respond(0, answer([hit()]));
    await says(".mindnet-count", "1 result");
    expect(one(".mindnet-hit-title").textContent).toBe("Lighthouse");
    expect(one(".mindnet-hit-place").textContent).toBe("Coast/Lighthouse.md · Keepers");
    expect(one(".mindnet-score").textContent).toBe("0.600");
    expect(all(".mindnet-hit-foot .mindnet-badge").map((chip) => chip.textContent)).toEqual(["concept", "draft"]);
    expect(all("mark").map((mark) => mark.textContent)).toEqual(["Keepers", "keepers"]);
  });

  test("shows the answer to the last question only, in whatever order they come", async () => {
    ask("first");
    ask("second");
    await respond(1, answer([hit({ title: "Second" })]));
    await respond(0, answer([hit({ title: "First" })]));
    await says(".mindnet-hits", "Second");
    expect(one(".mindnet-hits").textContent).not.toContain("First");
  });

  test("says so when nothing matches, and what to try", async () => {
    ask("xyzzy");
    await respond(0, answer([]));
    await says(".mindnet-count", /Nothing in your notes.*Try/);
  });

  test("opens the passage by click, in a new tab with a modifier, and the very line of a reason and of an edge", async () => {
    ask("keepers");
    await respond(0, answer([hit()]));
    await says(".mindnet-count", "1 result");
    one(".mindnet-hit-open").click();
    one(".mindnet-hit-open").dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true }));
    press(one(".mindnet-hit-open"), "Enter", { metaKey: true });
    one(".mindnet-why").click();
    one(".mindnet-reasons .mindnet-place").click();
    one(".mindnet-edges .mindnet-link").click();
    expect(opened).toEqual([
      ["Coast/Lighthouse.md", 7, false],
      ["Coast/Lighthouse.md", 7, true],
      ["Coast/Lighthouse.md", 7, true],
      ["Coast/Lighthouse.md", 8, false],
      ["Harbour log.md", 5, false],
    ]);
  });

  test("shows note text as text", async () => {
    ask("keepers");
    await respond(0, answer([hit({ title: "<img src=x>", text: "<script>keepers</script>" })]));
    await says(".mindnet-passage", "<script>keepers</script>");
    expect(view.contentEl.querySelector("img, script")).toBeNull();
  });

  test("is walked through with the arrow keys; right opens the reasons, left closes them", async () => {
    ask("keepers");
    await respond(0, answer([hit(), hit({ chunk_id: "n2#c01" })]));
    await says(".mindnet-count", "2 results");
    const input = one("input[type=search]");
    input.focus();
    press(input, "ArrowDown");
    expect(document.activeElement).toBe(all(".mindnet-hit-open")[0]);
    press(document.activeElement!, "ArrowRight");
    expect(all(".mindnet-why")[0]!.getAttribute("aria-expanded")).toBe("true");
    one(".mindnet-reasons .mindnet-place").focus();
    press(document.activeElement!, "ArrowLeft");
    expect(all(".mindnet-why")[0]!.getAttribute("aria-expanded")).toBe("false");
    expect(document.activeElement).toBe(all(".mindnet-why")[0]);
    press(document.activeElement!, "ArrowDown");
    expect(document.activeElement).toBe(all(".mindnet-hit-open")[1]);
    press(document.activeElement!, "ArrowDown");
    expect(document.activeElement).toBe(all(".mindnet-hit-open")[1]);
    press(document.activeElement!, "ArrowUp");
    press(document.activeElement!, "ArrowUp");
    expect(document.activeElement).toBe(input);
  });

  test("asks once again after a burst of changes, and keeps what was open and in focus", async () => {
    ask("keepers");
    await respond(0, answer([hit(), hit({ chunk_id: "n2#c01" })]));
    await says(".mindnet-count", "2 results");
    all(".mindnet-why")[1]!.click();
    all(".mindnet-why")[1]!.focus();
    for (let index = 0; index < 50; index++) connection.events.trigger("note_indexed", `${index}.md`);
    await respond(1, answer([hit({ chunk_id: "n2#c01", text: "Changed." }), hit()]));
    await says(".mindnet-passage", "Changed.");
    expect(all(".mindnet-why").map((why) => why.getAttribute("aria-expanded"))).toEqual(["true", "false"]);
    expect(document.activeElement).toBe(all(".mindnet-why")[0]);
    expect(connection.asked).toHaveLength(2);
  });

  test("says once that nobody is there, and asks again when somebody is", async () => {
    connection.become({ kind: "absent" });
    ask("keepers");
    connection.asked[0]!.reject(new SidecarError("unreachable", "refused"));
    await says(".mindnet-count", /^$/);
    expect(one(".mindnet-notice").textContent).toContain("The sidecar is not running");
    connection.become({ kind: "ready", status: status() });
    await respond(1, answer([hit()]));
    await says(".mindnet-count", "1 result");
  });

  test("shows the sidecar's own words for a question that it cannot answer", async () => {
    ask("keepers");
    connection.asked[0]!.reject(new SidecarError("failed", "The index is damaged.", "Run mindnet reset."));
    await says(".mindnet-count", "The index is damaged. Run mindnet reset.");
  });

  test("speaks the other language as soon as it is set", async () => {
    ask("keepers");
    await respond(0, answer([hit()]));
    await says(".mindnet-count", "1 result");
    settings.language = "de";
    view.redraw();
    await respond(1, answer([hit()]));
    await says(".mindnet-count", "1 Ergebnis");
    expect(one(".mindnet-score").textContent).toBe("0,600");
    expect(connection.asked[1]!.request.language).toBe("de");
    expect(one<HTMLInputElement>("input[type=search]").value).toBe("keepers");
  });
});
