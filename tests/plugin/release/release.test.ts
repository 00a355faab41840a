import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error: a script without types
import { faultsOf } from "../../../scripts/release/manifest.mjs";

const ROOT = join(import.meta.dirname, "../../..");
const read = (name: string) => JSON.parse(readFileSync(join(ROOT, "obsidian-plugin", name), "utf8")) as Record<string, unknown>;
const faults = faultsOf as (manifest: Record<string, unknown>, versions: Record<string, unknown>) => string[];

test("a release has its three files, and a manifest that its versions agree with", () => {
  const folder = mkdtempSync(join(tmpdir(), "mindnet-release-"));
  try {
    execFileSync(process.execPath, [join(ROOT, "scripts/release_plugin.mjs"), folder], { stdio: "pipe" });
    expect(readdirSync(folder).sort()).toEqual(["main.js", "manifest.json", "styles.css"]);
    expect(readFileSync(join(folder, "main.js")).length).toBeLessThanOrEqual(250_000);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["a version that is not listed", { version: "9.9.9" }, {}],
  ["a version that needs another app", {}, { "0.1.0": "1.0.0" }],
  ["a version of two numbers", { version: "1.0" }, { "1.0": "1.13.0" }],
  ["the app's name", { name: "Obsidian mindnet" }, {}],
  ["no author", { author: undefined }, {}],
  ["a description that does not end", { description: "Searches" }, {}],
])("%s is not released", (_name, manifest, versions) => {
  expect(faults(read("manifest.json"), read("versions.json"))).toEqual([]);
  expect(faults({ ...read("manifest.json"), ...manifest }, { ...read("versions.json"), ...versions })).not.toEqual([]);
});
