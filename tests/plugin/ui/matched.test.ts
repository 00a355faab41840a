import { describe, expect, test } from "vitest";
import { fold, pieces } from "../../../obsidian-plugin/src/ui/matched";

const marked = (text: string, ...words: string[]) => pieces(text, words).filter((one) => one.marked).map((one) => one.text);

describe("matched words", () => {
  test.each([
    ["another ending", "Die Teige ruhen, der Teig geht.", ["Teig"], ["Teige", "Teig"]],
    ["another case", "GÄREN und gären", ["Gären"], ["GÄREN", "gären"]],
    ["umlauts in two letters", "Die Baeckerei", ["Bäckerei"], ["Baeckerei"]],
    ["sharp s", "Grosse Masse", ["große"], ["Grosse"]],
    ["accents", "a crème of the crop", ["creme"], ["crème"]],
    ["compounds that start with it", "Sauerteigbrot", ["Sauerteig"], ["Sauerteigbrot"]],
    ["another apostrophe", "It don’t rise; the keeper’s boat", ["don't", "keeper"], ["don’t", "keeper’s"]],
    ["letters of a decomposed file name", "Ga\u0308rung", ["Gärung"], ["Ga\u0308rung"]],
  ])("are marked with %s", (_, text, words, expected) => {
    expect(marked(text, ...words)).toEqual(expected);
  });

  test.each([
    ["inside other words", "The rye in ryegrass and curry", ["rye"], ["rye"]],
    ["that only share a start", "The oven overcooks", ["over"], []],
  ])("are not marked %s", (_, text, words, expected) => {
    expect(marked(text, ...words)).toEqual(expected);
  });

  test("never change the text", () => {
    const text = "  Ein *Brot* (am 3.7.) — <b>heiß</b> 🍞\n\nZeile 2 ";
    expect(pieces(text, ["Brot", "heiß", ".*"]).map((one) => one.text).join("")).toBe(text);
    expect(pieces("", ["x"])).toEqual([]);
  });

  test("fold like the sidecar's", () => {
    expect(["Müller", "Straße", "Ærø", "É"].map(fold)).toEqual(["mueller", "strasse", "aeroe", "e"]);
  });
});
