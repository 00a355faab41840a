import { describe, expect, test } from "vitest";
import { translator } from "../../../obsidian-plugin/src/i18n";
import { drawScoreBar, drawScoreRows, formula, roundedPoints, shares } from "../../../obsidian-plugin/src/ui/score-bar";
import { part } from "../samples";

const t = translator(() => "en");
const texts = (parent: HTMLElement, selector: string) => Array.from(parent.querySelectorAll(selector), (one) => one.textContent);

describe("the shares of the bar", () => {
  test("are those of the points", () => {
    expect(shares([part("semantic", 0.6), part("lexical", 0.2)])).toEqual([
      { part: "semantic", percent: expect.closeTo(75, 9) as number },
      { part: "lexical", percent: expect.closeTo(25, 9) as number },
    ]);
  });

  test("leave out parts with no points or less, and fill the bar all the same", () => {
    const found = shares([part("semantic", 0.3), part("edge", 0), part("recency", -0.1), part("lexical", 0.3)]);
    expect(found.map((one) => one.part)).toEqual(["semantic", "lexical"]);
    expect(found.reduce((sum, one) => sum + one.percent, 0)).toBeCloseTo(100, 9);
  });

  test("of nothing are none", () => {
    expect(shares([part("semantic", 0)])).toEqual([]);
  });
});

describe("the rounded points", () => {
  test.each([
    [[0.3334, 0.3334, 0.3334]],
    [[0.1996, 0.1996, 0.0004, 0.0004]],
    [[0.5, -0.1004, 0.0009]],
    [[0, 0]],
  ])("of %j add up to the rounded total", (points) => {
    const total = points.reduce((sum, one) => sum + one, 0);
    const rounded = roundedPoints(points, total, 3);
    expect(rounded.reduce((sum, one) => sum + one, 0)).toBeCloseTo(Number(total.toFixed(3)), 9);
    for (const [index, one] of rounded.entries()) expect(Math.abs(one - (points[index] ?? 0))).toBeLessThan(0.001);
  });
});

describe("the drawn breakdown", () => {
  const parts = [part("semantic", 0.36, { raw: 0.6, factors: { type: 0.6, status: 1 } }), part("lexical", 0.1), part("edge", 0)];

  test("has a segment for each part with points, and says all in its label", () => {
    const parent = document.createElement("div");
    const bar = drawScoreBar(parent, parts, 3, t);
    expect(Array.from(bar.children, (one) => (one as HTMLElement).dataset.part)).toEqual(["semantic", "lexical"]);
    expect(bar.getAttribute("aria-label")).toBe("Meaning 0.360; Words 0.100; Relations 0.000");
  });

  test("has a row for each part and the total below", () => {
    const parent = document.createElement("div");
    drawScoreRows(parent, parts, 0.46, 3, t);
    expect(texts(parent, "th")).toEqual(["Meaning", "Words", "Relations", "Total"]);
    expect(texts(parent, ".mindnet-points")).toEqual(["0.360", "0.100", "0.000", "0.460"]);
  });

  test("shows the factors that change something, and numbers as the language writes them", () => {
    expect(formula(parts[0]!, t)).toBe("1.00 × 0.600 × 0.60 (type) =");
    expect(formula(parts[1]!, translator(() => "de"))).toBe("1,00 × 0,100 =");
  });
});
