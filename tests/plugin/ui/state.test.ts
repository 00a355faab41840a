import { describe, expect, test } from "vitest";
import { translator, type Language } from "../../../obsidian-plugin/src/i18n";
import type { ConnectionState } from "../../../obsidian-plugin/src/sidecar/connection";
import { stateFacts, stateLabel, stateSentence } from "../../../obsidian-plugin/src/ui/state";
import { status } from "../samples";

const t = translator(() => "en");
const indexing: ConnectionState = { kind: "ready", status: status({ state: "indexing", indexed: 4, total: 9 }) };

describe("what the state is called", () => {
  test.each<[ConnectionState, string]>([
    [{ kind: "connecting" }, "mindnet: connecting"],
    [{ kind: "absent" }, "mindnet: off"],
    [{ kind: "starting" }, "mindnet: starting"],
    [{ kind: "mobile" }, "mindnet: off"],
    [{ kind: "refused" }, "mindnet: error"],
    [{ kind: "failed", message: "x" }, "mindnet: error"],
    [{ kind: "ready", status: status() }, "mindnet: up to date"],
    [{ kind: "ready", status: status({ state: "scanning" }) }, "mindnet: looking for changes"],
    [{ kind: "ready", status: status({ state: "error" }) }, "mindnet: error"],
    [indexing, "mindnet: indexing 4/9"],
  ])("%j: %s", (state, label) => {
    expect(stateLabel(state, t)).toBe(label);
  });
});

describe("what the status bar says to the pointer", () => {
  test("is how much there is, and how far a model is with proposed links", () => {
    const { llm } = status();
    const judged = status({ llm: { ...llm, validation: { ...llm.validation, confirmed: 6, waiting: 2 } } });
    expect(stateFacts({ kind: "ready", status: status() }, t)).toBe("3 notes, 11 links");
    expect(stateFacts({ kind: "ready", status: judged }, t)).toBe("3 notes, 11 links; Proposed links: 6 confirmed, 2 to be judged");
    expect(stateFacts({ kind: "ready", status: judged }, translator(() => "de"))).toContain("Vorgeschlagene Links: 6 bestätigt, 2 noch zu beurteilen");
  });

  test.each<[Language, string, string]>([
    ["en", "mindnet: up to date (better index: 44 %)", "will get better: a more thorough index is built meanwhile (4 of 9 notes)"],
    ["de", "mindnet: aktuell (besserer Index: 44 %)", "werden noch besser: Ein gründlicherer Index entsteht nebenher (4 von 9 Notizen)"],
  ])("is in %s that answers get better, which nothing waits for and no pane speaks of", (language, label, facts) => {
    const rebuild = { reason: "A better model.", notes: 4, total: 9, beside: true, better: true };
    const state: ConnectionState = { kind: "ready", status: status({ state: "indexing", indexed: 1, total: 6, rebuild }) };
    const spoken = translator(() => language);
    expect(stateLabel(state, spoken)).toBe(label);
    expect(stateFacts(state, spoken)).toContain(facts);
    expect(stateSentence(state, spoken)).toBeNull();
  });

  test("is what a click does where nobody answers", () => {
    expect(stateFacts({ kind: "absent" }, t)).toBe("Check connection and index");
  });
});

describe("the sentence above the results", () => {
  test("is not there when all is well", () => {
    expect(stateSentence({ kind: "ready", status: status() }, t)).toBeNull();
    expect(stateSentence({ kind: "ready", status: status({ state: "indexing", indexed: 0, total: 1 }) }, t)).toBeNull();
  });

  test.each<[Language, string]>([
    ["en", "Indexing: 4 of 9 notes."],
    ["de", "Index entsteht: 4 von 9 Notizen."],
  ])("says in %s how far the index is", (language, expected) => {
    expect(stateSentence(indexing, translator(() => language))).toContain(expected);
  });

  test.each<[Language, boolean, string]>([
    ["en", true, "(4 of 9 notes). Until then the old one"],
    ["en", false, "4 of 9 notes can be found so far."],
    ["de", true, "(4 von 9 Notizen). Bis dahin antwortet der alte"],
    ["de", false, "4 von 9 Notizen sind schon zu finden."],
  ])("says in %s which index answers while another is built", (language, beside, expected) => {
    const rebuild = { reason: "The model is another.", notes: 4, total: 9, beside, better: false };
    const state: ConnectionState = { kind: "ready", status: status({ state: "indexing", indexed: 1, total: 6, rebuild }) };
    expect(stateSentence(state, translator(() => language))).toContain(expected);
  });

  test.each<[Language, string, string]>([
    ["en", "disk_full", "no room left for the index in /data/store"],
    ["de", "disk_full", "kein Platz mehr für den Index in /data/store"],
    ["en", "read_only", "may not be written"],
    ["de", "read_only", "darf nicht geschrieben werden"],
    ["en", "vault", "The vault /vault is not there"],
    ["de", "vault", "Der Vault /vault ist nicht da"],
    ["de", "internal", "words of the sidecar"],
  ])("says in %s what %s is", (language, code, expected) => {
    const failed = status({ state: "error", error: "words of the sidecar", error_code: code, vault: "/vault" });
    const { store } = failed;
    const sentence = stateSentence({ kind: "ready", status: { ...failed, store: { ...store, folder: "/data/store" } } }, translator(() => language));
    expect(sentence).toContain(expected);
  });

  test("passes on what the sidecar says", () => {
    expect(stateSentence({ kind: "ready", status: status({ state: "error", error: "The disk is full." }) }, t)).toContain("The disk is full.");
    expect(stateSentence({ kind: "failed", message: "Add it to api.allowed_origins." }, t)).toContain("api.allowed_origins");
  });

  test.each<ConnectionState["kind"]>(["absent", "starting", "refused", "mobile", "connecting"])("is there for %s", (kind) => {
    expect(stateSentence({ kind } as ConnectionState, t)).toMatch(/\w.*[.…]$/);
  });
});
