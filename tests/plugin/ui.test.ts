import { expect, test } from "vitest";
import { chooseLanguage, TABLES, translator } from "../../obsidian-plugin/src/i18n";
import { DEFAULTS, readSettings } from "../../obsidian-plugin/src/settings/settings";
import type { ContributionOut } from "../../obsidian-plugin/src/sidecar/wire";
import { drawPassage } from "../../obsidian-plugin/src/ui/hit";
import { drawMarked } from "../../obsidian-plugin/src/ui/reasons";
import { drawScoreBar, drawScoreRows, shares } from "../../obsidian-plugin/src/ui/score-bar";

const t = translator(() => "en");
const part = (name: ContributionOut["part"], points: number): ContributionOut => ({ part: name, weight: 1, raw: points, points, factors: { type: 0.6, status: 1 }, evidence: [] });

test("both languages have the same texts, with the same places to fill in", () => {
  const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
  expect(Object.keys(TABLES.de).sort()).toEqual(Object.keys(TABLES.en).sort());
  for (const key of Object.keys(TABLES.en) as (keyof typeof TABLES.en)[]) {
    expect(places(TABLES.de[key]), key).toEqual(places(TABLES.en[key]));
    expect(TABLES.de[key].trim(), key).not.toBe("");
  }
});

test("the language follows the setting, then the app", () => {
  expect(chooseLanguage("auto", "de-AT")).toBe("de");
  expect(chooseLanguage("auto", "fr")).toBe("en");
  expect(chooseLanguage("de", "en")).toBe("de");
  expect(translator(() => "de")("hits", { count: 3 })).toBe("3 Ergebnisse");
});

test("segments share the bar by points; parts without any have none", () => {
  const found = shares([part("semantic", 0.3), part("lexical", 0.1), part("edge", 0), part("centrality", -0.2)]);
  expect(found.map(({ part: name }) => name)).toEqual(["semantic", "lexical"]);
  expect(found.reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100);
  expect(shares([])).toEqual([]);
});

test("the rows name each part and end with the total; the bar says it in words", () => {
  const parent = document.createElement("div");
  const bar = drawScoreBar(parent, [part("semantic", 0.25), part("edge", 0.05)], t);
  expect(bar.getAttribute("aria-label")).toBe("Meaning 0.250, Relations 0.050");
  const rows = drawScoreRows(parent, [part("semantic", 0.25), part("edge", 0.05)], 0.3, t);
  expect(rows.querySelectorAll("tr").length).toBe(3);
  expect(rows.textContent).toContain("type × 0.6");
  expect(rows.textContent).not.toContain("status");
  expect(rows.querySelector(".mindnet-total")?.textContent).toContain("0.300");
});

test("note text is never markup", () => {
  const parent = document.createElement("div");
  drawPassage(parent, "<img src=x onerror=alert(1)> bread", ["bread"]);
  drawMarked(parent, "linked from *<b>x</b>* by `uses`");
  expect(parent.querySelector("img, b")).toBeNull();
  expect(parent.querySelector("em")?.textContent).toBe("<b>x</b>");
  expect(parent.querySelector("code")?.textContent).toBe("uses");
});

test("words that start like a matched one are marked, others not", () => {
  const parent = document.createElement("div");
  drawPassage(parent, "Sauerteige säuern, der Teig nicht: a+b", ["Sauerteig", "a+b"]);
  expect([...parent.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["Sauerteige", "a+b"]);
});

test("stored settings of a wrong type fall back, unknown ones are left out", () => {
  expect(readSettings({ topK: "many", mode: "lexical", extra: 1 })).toEqual({ ...DEFAULTS, mode: "lexical" });
  expect(readSettings(null)).toEqual(DEFAULTS);
});
