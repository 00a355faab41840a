import { describe, expect, test } from "vitest";
import type { Readings, Turn } from "../../../obsidian-plugin/src/chat/conversation";
import { Thumbs } from "../../../obsidian-plugin/src/feedback/thumbs";
import { translator } from "../../../obsidian-plugin/src/i18n";
import { TurnView } from "../../../obsidian-plugin/src/ui/turn";
import { source, sourcesEvent, turn } from "../chat/samples";
import { FakeFeedback } from "../feedback/fake";

const PHRASE = { text: "copper kettle", notes: 2, said: "Only notes that hold *copper kettle* word for word: 2." };
const DATE = { text: "last week", field: "either", from: "2026-11-23", to: "2026-11-29", outcome: "applied", said: "*last week* is read as a time." } as const;
const COPY = { note_id: "n9", chunk_id: "n9#c01", title: "Copy of salt", path: "Copy.md", heading_path: [], start_line: 7, end_line: 9, resemblance: 0.9 };

interface Seen {
  el: HTMLElement;
  retried: Readings[];
  opened: [string, number][];
}

function draw(shown: Turn): Seen {
  const retried: Readings[] = [];
  const opened: [string, number][] = [];
  const view = new TurnView(createDiv(), shown, {
    t: translator(() => "en"),
    reach: { open: (path, line) => opened.push([path, line]), preview: () => undefined, openLink: () => undefined },
    render: () => Promise.resolve(),
    hover: { hoverPopover: null },
    feedback: { t: translator(() => "en"), thumbs: new Thumbs(new FakeFeedback()), enabled: () => true, complain: () => undefined },
    copy: () => undefined,
    copyAnswer: () => undefined,
    insert: () => undefined,
    save: () => undefined,
    retry: (_turn, readings = {}) => retried.push(readings),
    onGrown: () => undefined,
  });
  view.load();
  return { el: view.el, retried, opened };
}

function chips(el: HTMLElement): string[] {
  return el.findAll(".mindnet-readings .mindnet-chip").map((chip) => `${chip.hasClass("is-active") ? "on" : "off"} ${chip.textContent}`);
}

describe("what was read in the question", () => {
  test("shows above the sources, and a press asks again without it", () => {
    const { el, retried } = draw(turn({ found: sourcesEvent({ phrases: [PHRASE], dates: [DATE] }) }));
    expect(chips(el)).toEqual(["on “copper kettle”", "on last week: 2026-11-23 – 2026-11-29"]);
    el.findAll(".mindnet-readings .mindnet-chip")[1]?.click();
    expect(retried).toEqual([{ dates: "ignore" }]);
  });

  test("shows where nothing was found, too, since it may be why", () => {
    const { el } = draw(turn({ found: sourcesEvent({ sources: [], phrases: [{ ...PHRASE, notes: 0 }] }) }));
    expect(chips(el)).toEqual(["on “copper kettle”"]);
    expect(el.querySelector(".mindnet-sources")).toBeNull();
  });

  test("can be put back where it was taken off", () => {
    const { el, retried } = draw(turn({ readings: { dates: "ignore" }, found: sourcesEvent() }));
    expect(chips(el)).toHaveLength(1);
    el.find(".mindnet-readings .mindnet-chip").click();
    expect(retried).toEqual([{ dates: "auto" }]);
  });

  test("takes no room where nothing was read", () => {
    expect(draw(turn({ found: sourcesEvent() })).el.find(".mindnet-readings")?.isShown()).toBeFalsy();
  });
});

test("a source names the passages with nearly the same text, and they open", () => {
  const { el, opened } = draw(turn({ found: sourcesEvent({ sources: [source(1, { also_in: [COPY] })] }) }));
  const link = el.find(".mindnet-copies button");
  expect(link.textContent).toBe("Copy of salt");
  link.click();
  expect(opened).toEqual([["Copy.md", 7]]);
});
