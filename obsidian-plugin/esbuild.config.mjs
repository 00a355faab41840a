// Builds the plugin into main.js beside its manifest.
import esbuild from "esbuild";
import { builtinModules } from "node:module";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await esbuild.build({
  entryPoints: [here("src/main.ts")],
  outfile: here("main.js"),
  bundle: true,
  format: "cjs",
  target: "es2022",
  minify: true,
  logLevel: "warning",
  // The app offers modules by require alone: an import() of one at run time would go to the network.
  supported: { "dynamic-import": false },
  external: ["obsidian", "electron", "@codemirror/*", "@lezer/*", ...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
});
