import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // `obsidian` ships types only: the mocks stand in for it.
  resolve: { alias: { obsidian: "obsidian-test-mocks/obsidian" } },
  test: { environment: "jsdom", include: ["**/*.test.ts"], setupFiles: [fileURLToPath(new URL("setup.ts", import.meta.url))] },
});
