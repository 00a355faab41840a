// Builds the plugin and puts the three files of a release into a folder: node scripts/release_plugin.mjs FOLDER
import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { faultsOf } from "./release/manifest.mjs";

const FILES = ["main.js", "manifest.json", "styles.css"];
const plugin = fileURLToPath(new URL("../obsidian-plugin", import.meta.url));
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Usage: node scripts/release_plugin.mjs FOLDER");
  process.exit(2);
}

const read = async (name) => JSON.parse(await readFile(join(plugin, name), "utf8"));
const faults = faultsOf(await read("manifest.json"), await read("versions.json"));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);

execFileSync(process.execPath, [join(plugin, "esbuild.config.mjs")], { stdio: "inherit" });
await mkdir(folder, { recursive: true });
for (const name of FILES) {
  await cp(join(plugin, name), join(folder, name));
  console.log(`${join(folder, name)}  ${(await stat(join(folder, name))).size} bytes`);
}
