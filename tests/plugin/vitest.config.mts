import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // The package `obsidian` has types only: the mocks stand in for the app.
  resolve: { alias: { obsidian: "obsidian-test-mocks/obsidian" } },
  test: { environment: "jsdom", include: ["**/*.test.ts"], setupFiles: ["obsidian-test-mocks/vitest-setup"] },
});
