import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chooseLanguage, TABLES, translator, type TextKey } from "../../../obsidian-plugin/src/i18n";

const SOURCE = join(import.meta.dirname, "../../../obsidian-plugin/src");
const keys = Object.keys(TABLES.en) as TextKey[];
const names = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe("the texts", () => {
  test("have the same keys in both languages", () => {
    expect(Object.keys(TABLES.de).sort()).toEqual(keys.slice().sort());
  });

  test.each(keys)("%s has text, and the same values, in both", (key) => {
    expect(TABLES.de[key].trim()).not.toBe("");
    expect(names(TABLES.de[key])).toEqual(names(TABLES.en[key]));
  });

  test("are all in use", () => {
    const code = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !path.startsWith("i18n"))
      .map((path) => readFileSync(join(SOURCE, path), "utf8"))
      .join("\n");
    expect(keys.filter((key) => !code.includes(`"${key}"`))).toEqual([]);
  });

  test("are in sentence case", () => {
    const titled = keys.filter((key) => /^[A-Z][a-z]+( [A-Z][a-z]+)+$/.test(TABLES.en[key].replace("Obsidian", "app")));
    expect(titled).toEqual([]);
  });
});

describe("a translation", () => {
  test("fills in its values and leaves unknown ones", () => {
    expect(translator(() => "en")("statusIndexing", { done: 1 })).toBe("mindnet: indexing 1/{total}");
  });

  test("follows the language in force", () => {
    let language: "de" | "en" = "en";
    const t = translator(() => language);
    expect([t("search"), t.decimal(0.5, 2)]).toEqual(["Search", "0.50"]);
    language = "de";
    expect([t("search"), t.decimal(0.5, 2)]).toEqual(["Suchen", "0,50"]);
  });

  test.each([
    ["auto", "de", "de"],
    ["auto", "de-AT", "de"],
    ["auto", "fr", "en"],
    ["en", "de", "en"],
    ["de", "en", "de"],
  ])("set to %s in an app in %s is %s", (setting, app, expected) => {
    expect(chooseLanguage(setting, app)).toBe(expected);
  });
});
