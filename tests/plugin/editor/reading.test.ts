import { Events, type Component, type MarkdownPostProcessorContext } from "obsidian";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EdgesOnShow } from "../../../obsidian-plugin/src/editor/note-edges";
import { badgesInReading } from "../../../obsidian-plugin/src/editor/reading";
import type { Mark } from "../../../obsidian-plugin/src/editor/marks";
import { translator } from "../../../obsidian-plugin/src/i18n";
import type { Connection, ConnectionState } from "../../../obsidian-plugin/src/sidecar/connection";
import { SidecarError } from "../../../obsidian-plugin/src/sidecar/transport";
import type { EdgeOut } from "../../../obsidian-plugin/src/sidecar/wire";
import { status } from "../samples";
import { edge } from "./samples";

/** The part of a connection that the edges need; counts how often each note is asked about. */
class Sidecar {
  readonly events = new Events();
  readonly asked: string[] = [];
  state: ConnectionState = { kind: "ready", status: status() };
  edges: EdgeOut[] = [edge({ kind: "depends_on", line: 3 })];

  noteEdges(path: string) {
    this.asked.push(path);
    return Promise.resolve({ note_id: path, path, title: path, edges: this.edges, rejected: [] });
  }
}

let sidecar: Sidecar;
let edges: EdgesOnShow;
let explained: Mark[];
let section: HTMLElement;
let children: Component[];

beforeEach(() => {
  sidecar = new Sidecar();
  edges = new EdgesOnShow(sidecar as unknown as Connection);
  edges.load();
  explained = [];
  children = [];
  section = createDiv();
  section.append(document.createRange().createContextualFragment('<p>See <a class="internal-link" data-href="Salt">Salt</a>.</p>'));
});
afterEach(() => {
  for (const child of children) child.unload();
  edges.unload();
});

/** Has the section rendered as the app would, from these lines of the note, counted from nought. */
function render(lineStart: number, lineEnd: number): void {
  const context = {
    sourcePath: "A.md",
    getSectionInfo: () => ({ text: "", lineStart, lineEnd }),
    addChild: (child: Component) => {
      children.push(child);
      child.load();
    },
  };
  const draw = badgesInReading({
    t: translator(() => "en"),
    edges,
    shows: () => true,
    resolve: () => null,
    explain: (mark) => explained.push(mark),
  });
  draw(section, context as unknown as MarkdownPostProcessorContext);
}

const badge = () => section.querySelector<HTMLElement>(".mindnet-edge-badge");

test("a link in the reading view has its badge, which explains it", async () => {
  render(2, 2);
  await vi.waitFor(() => expect(badge()?.textContent).toBe("depends_on"));
  badge()!.dispatchEvent(new MouseEvent("mousedown"));
  expect(explained[0]!.kind).toBe("depends_on");
});

test("edges of other lines are none of its", async () => {
  render(7, 9);
  await vi.waitFor(() => expect(sidecar.asked).toEqual(["A.md"]));
  await Promise.resolve();
  expect(badge()).toBeNull();
});

test("a badge follows the index, and nothing is asked about notes that nobody shows", async () => {
  render(2, 2);
  await vi.waitFor(() => expect(badge()).not.toBeNull());
  sidecar.edges = [edge({ kind: "uses", line: 3 })];
  sidecar.events.trigger("note_indexed", "Other.md");
  sidecar.events.trigger("note_indexed", "A.md");
  await vi.waitFor(() => expect(badge()?.textContent).toBe("uses"));
  expect(section.querySelectorAll(".mindnet-edge-badge")).toHaveLength(1);
  for (const child of children.splice(0)) child.unload();
  sidecar.events.trigger("note_indexed", "A.md");
  expect(sidecar.asked).toEqual(["A.md", "A.md"]);
});

test("a note that is renamed while it is shown keeps its badges, and they follow it under its new name", async () => {
  render(2, 2);
  await vi.waitFor(() => expect(badge()).not.toBeNull());
  sidecar.edges = [edge({ kind: "uses", line: 3, written_in: "B.md" })];
  edges.renamed("A.md", "B.md");
  sidecar.events.trigger("note_indexed", "B.md");
  await vi.waitFor(() => expect(badge()?.textContent).toBe("uses"));
  for (const child of children.splice(0)) child.unload();
  sidecar.events.trigger("note_indexed", "B.md");
  sidecar.events.trigger("note_indexed", "A.md");
  expect(sidecar.asked.filter((path) => path === "A.md")).toHaveLength(1);
});

test("of two answers on their way the later question's counts, whichever comes first", async () => {
  render(2, 2);
  await vi.waitFor(() => expect(badge()).not.toBeNull());
  const answers: (() => void)[] = [];
  sidecar.noteEdges = (path: string) => {
    const found = { note_id: path, path, title: path, edges: [edge({ kind: answers.length === 0 ? "old" : "new", line: 3 })], rejected: [] };
    return new Promise((resolve) => answers.push(() => resolve(found)));
  };
  edges.look("A.md");
  edges.look("A.md");
  answers[1]!();
  answers[0]!();
  await vi.waitFor(() => expect(badge()?.textContent).toBe("new"));
  await Promise.resolve();
  expect(badge()?.textContent).toBe("new");
});

test("badges stay while the sidecar is away, and go with a note that is not indexed any more", async () => {
  render(2, 2);
  await vi.waitFor(() => expect(badge()).not.toBeNull());
  sidecar.noteEdges = () => Promise.reject(new SidecarError("unreachable", "gone"));
  edges.look("A.md");
  await new Promise(process.nextTick);
  expect(badge()).not.toBeNull();
  sidecar.noteEdges = () => Promise.reject(new SidecarError("failed", "none", "", "not_found"));
  edges.look("A.md");
  await vi.waitFor(() => expect(badge()).toBeNull());
});

test("a sidecar that comes later is asked then", async () => {
  sidecar.state = { kind: "absent" };
  render(2, 2);
  expect(sidecar.asked).toEqual([]);
  sidecar.state = { kind: "ready", status: status() };
  sidecar.events.trigger("state", sidecar.state);
  await vi.waitFor(() => expect(badge()).not.toBeNull());
});
