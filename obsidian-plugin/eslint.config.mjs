import obsidianmd from "eslint-plugin-obsidianmd";
import { defineConfig } from "eslint/config";

export default defineConfig([
  { ignores: ["**/*.mjs", "main.js", "src/sidecar/wire.d.ts"] },
  ...obsidianmd.configs.recommended,
  { files: ["**/*.ts"], languageOptions: { parserOptions: { project: "./tsconfig.json" } } },
]);
