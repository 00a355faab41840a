import { describe, expect, test } from "vitest";
import { DEFAULTS, readSettings } from "../../../obsidian-plugin/src/settings/settings";

describe("stored settings", () => {
  test.each([[null], [undefined], ["text"], [{}]])("that are %j give the defaults", (stored) => {
    expect(readSettings(stored)).toEqual(DEFAULTS);
  });

  test("are read", () => {
    const stored = { findBySelf: false, url: "http://127.0.0.1:1", program: "/opt/mindnet", startWithApp: true, language: "de", mode: "lexical", topK: 20, includePrivate: true, badgesExplicit: false, badgesSmart: false, badgesRule: false };
    expect(readSettings(stored)).toEqual(stored);
  });

  test("that cannot be so give way to the defaults, one by one", () => {
    expect(readSettings({ findBySelf: "no", url: 5, language: "fr", mode: "magic", topK: 10_000, stranger: 1 })).toEqual(DEFAULTS);
    expect(readSettings({ mode: "magic", topK: 20, includePrivate: true })).toEqual({ ...DEFAULTS, topK: 20, includePrivate: true });
  });

  test("do not change the defaults when they are changed", () => {
    readSettings({}).topK = 1;
    expect(DEFAULTS.topK).toBe(10);
  });
});
