import { App, Events, WorkspaceLeaf } from "obsidian";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { translator } from "../../../obsidian-plugin/src/i18n";
import type { Connection, ConnectionState } from "../../../obsidian-plugin/src/sidecar/connection";
import { SidecarError } from "../../../obsidian-plugin/src/sidecar/transport";
import type { QueryAnswer, QueryRequest } from "../../../obsidian-plugin/src/sidecar/wire";
import { DEFAULTS, type Settings } from "../../../obsidian-plugin/src/settings/settings";
import { SearchView } from "../../../obsidian-plugin/src/views/search";
import { Thumbs } from "../../../obsidian-plugin/src/feedback/thumbs";
import { FakeFeedback } from "../feedback/fake";
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
let previewed: [string, number][];
let choice: string;
let offered: string[];
let judge: FakeFeedback;
let logs: boolean;
let complained: string[];

beforeEach(async () => {
  connection = new Asked();
  settings = { ...DEFAULTS };
  opened = [];
  previewed = [];
  choice = "";
  offered = [];
  judge = new FakeFeedback();
  logs = true;
  complained = [];
  const language = () => (settings.language === "de" ? "de" : "en");
  const app = (App as unknown as { createConfigured__(): App }).createConfigured__();
  const leaf = (WorkspaceLeaf as unknown as { create2__(app: App): WorkspaceLeaf }).create2__(app);
  view = new SearchView(leaf, {
    connection: connection as unknown as Connection,
    settings,
    t: translator(language),
    language,
    reach: { open: (...where) => opened.push(where), preview: (_event, _target, path, line) => previewed.push([path, line]), openLink: () => undefined },
    // As far as the tests look: a paragraph, in which what could be loaded or run would show.
    render: (markdown, into) => {
      into.createEl("p").append(document.createRange().createContextualFragment(markdown));
      return Promise.resolve();
    },
    pick: (_placeholder, choices, onPick) => {
      offered = choices.map(({ name }) => name);
      const chosen = choices.find(({ name }) => name === choice);
      if (chosen) onPick(chosen.value);
    },
    values: (kind) => Promise.resolve({ type: ["concept", "project"], tag: ["bread"], path: ["Journal/"] }[kind]),
    notes: () => [{ name: "Start.md", value: "Start.md" }],
    feedback: { t: translator(language), thumbs: new Thumbs(judge), enabled: () => logs, complain: (cause) => complained.push(String(cause)) },
    openSettings: () => undefined,
    openDoctor: () => undefined,
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
    expect(connection.asked[0]!.request).toEqual({ query: "Brot", mode: "hybrid", top_k: 10, explain: true, language: "en", include_private: false });
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

  test("renders the passage as its note would, marks its words there, and leads only to the passage itself", async () => {
    ask("keepers");
    await respond(0, answer([hit({ text: "The <b>keepers</b> called [[it]]." })]));
    await says(".mindnet-passage p", "The");
    expect(one(".mindnet-passage mark").textContent).toBe("keepers");
    expect(view.contentEl.querySelector(".mindnet-passage a")).toBeNull();
    one(".mindnet-passage").click();
    expect(opened).toEqual([["Coast/Lighthouse.md", 7, false]]);
    one(".mindnet-hit-open").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
    expect(previewed).toEqual([["Coast/Lighthouse.md", 7]]);
  });

  test("filters by what the vault has, and takes a filter away again", async () => {
    ask("keepers");
    await respond(0, answer([hit()]));
    choice = "project";
    one('[data-kind="type"]').click();
    await respond(1, answer([]));
    expect(offered).toEqual(["concept", "project"]);
    expect(connection.asked[1]!.request.filters).toEqual({ type: ["project"] });
    choice = "Changed in the last 7 days";
    one('[data-kind="date"]').click();
    await respond(2, answer([]));
    expect(connection.asked[2]!.request.filters).toMatchObject({ type: ["project"], updated: { from: expect.any(String) as string } });
    expect(all(".mindnet-chip.is-active").map((chip) => chip.getAttribute("aria-label"))).toEqual(["Remove filter Type: project", "Remove filter Date: Changed in the last 7 days"]);
    one(".mindnet-chip.is-active").click();
    await respond(3, answer([hit()]));
    expect(Object.keys(connection.asked[3]!.request.filters!)).toEqual(["updated"]);
  });

  test("says when meaning had no part, since the embedding model gives no vectors", async () => {
    ask("rye bread");
    await respond(0, { ...answer([hit()]), left_out: "Ollama at http://127.0.0.1:11434 does not answer." });
    await says(".mindnet-readings", "Searched by words and links alone: Ollama at http://127.0.0.1:11434 does not answer.");
  });

  test("shows phrases and times that were read in the question, and takes one off with a press", async () => {
    ask('"rye bread" last week');
    const phrase = { text: "rye bread", notes: 2, said: "Only notes that hold *rye bread* word for word: 2." };
    const date = { text: "last week", field: "either" as const, from: "2024-06-03", to: "2024-06-09", outcome: "applied" as const, said: "*last week* is read as a time." };
    await respond(0, { ...answer([hit()]), phrases: [phrase], dates: [date] });
    const chips = () => all(".mindnet-readings button");
    await vi.waitFor(() => expect(chips().map((chip) => chip.textContent)).toEqual(["“rye bread”", "last week: 2024-06-03 – 2024-06-09"]));
    expect(chips().every((chip) => chip.hasClass("is-active"))).toBe(true);
    expect(chips()[1]!.getAttribute("aria-label")).toContain("last week is read as a time.");
    chips()[1]!.click();
    await respond(1, { ...answer([hit()]), phrases: [phrase] });
    expect(connection.asked[1]!.request.dates).toBe("ignore");
    await vi.waitFor(() => expect(chips().map((chip) => chip.textContent)).toEqual(["“rye bread”", "Time in the question"]));
    chips()[1]!.click();
    expect(connection.asked[2]!.request.dates).toBe("auto");
    ask("another question");
    expect(connection.asked[3]!.request).not.toHaveProperty("dates");
  });

  test("offers a time that may be a word, and says why one is not applied", async () => {
    ask("taxes 2023");
    const offered = { text: "2023", field: "either" as const, from: "2023-01-01", to: "2023-12-31", outcome: "offered" as const, said: "*2023* is taken as a word." };
    await respond(0, { ...answer([hit()]), dates: [offered, { ...offered, outcome: "empty", said: "*last week* is not applied." }] });
    await says(".mindnet-readings", "last week is not applied.");
    const [chip] = all(".mindnet-readings button");
    expect(chip!.hasClass("is-active")).toBe(false);
    chip!.click();
    expect(connection.asked[1]!.request.dates).toBe("apply");
  });

  test("names the passages with nearly the same text, and leads to them", async () => {
    ask("keepers");
    await respond(0, answer([hit({ also_in: [{ note_id: "n2", chunk_id: "n2#c01", title: "Beacon", path: "Coast/Beacon.md", heading_path: [], start_line: 4, end_line: 6, resemblance: 0.9 }] })]));
    await says(".mindnet-copies", /Nearly the same in Beacon/);
    one(".mindnet-copies button").click();
    expect(opened).toEqual([["Coast/Beacon.md", 4, false]]);
  });

  test("judges a hit with one click, takes a reason, and takes the judgement back", async () => {
    ask("keepers");
    await respond(0, answer([hit()]));
    await says(".mindnet-count", "1 result");
    const [up, down] = all(".mindnet-hit .mindnet-thumbs button");
    down!.click();
    await vi.waitFor(() => expect(down!.getAttribute("aria-pressed")).toBe("true"));
    expect(judge.given).toEqual([{ query_id: "q", node_id: "n1#c01", target: "hit", score: 1 }]);
    const reason = one<HTMLInputElement>(".mindnet-reason input");
    reason.value = "off the point";
    reason.form!.requestSubmit();
    await vi.waitFor(() => expect(judge.given.at(-1)).toMatchObject({ score: 1, comment: "off the point" }));
    down!.click();
    await vi.waitFor(() => expect(down!.getAttribute("aria-pressed")).toBe("false"));
    expect(judge.taken).toEqual(["f2"]);
    judge.broken = true;
    up!.click();
    await vi.waitFor(() => expect(complained).toHaveLength(1));
    expect(up!.getAttribute("aria-pressed")).toBe("false");
  });

  test("has no thumbs where the logs are off", async () => {
    logs = false;
    ask("keepers");
    await respond(0, answer([hit()]));
    await says(".mindnet-count", "1 result");
    expect(all(".mindnet-thumbs")).toEqual([]);
  });

  test("says why a note is not among the hits", async () => {
    ask("keepers");
    await respond(0, answer([hit()]));
    await says(".mindnet-count", "1 result");
    choice = "Start.md";
    one(".mindnet-why-not button").click();
    expect(connection.asked[1]!.request.why_not).toEqual(["Start.md"]);
    await respond(1, { ...answer([]), why_not: [{ note: "Start.md", found: true, title: "Start", ranks: { semantic: 14, lexical: null }, cut_by: null, text: "It is on place 14." }] });
    await says(".mindnet-why-not-answer", /Start.*It is on place 14.*Meaning.*place 14.*Words.*not found/);
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
    await says(".mindnet-passage p", /script>keepers/);
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

  test("asks for private notes where the settings say so", async () => {
    settings.includePrivate = true;
    view.contentEl.querySelector("input")!.value = "Brot";
    view.contentEl.querySelector("form")!.requestSubmit();
    expect(connection.asked[0]!.request.include_private).toBe(true);
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
