import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // The package `obsidian` has types only: what runs in Node here names the little that it needs of the app.
  resolve: { alias: { obsidian: fileURLToPath(new URL("../plugin/app.ts", import.meta.url)) } },
  test: { environment: "node", include: ["*.test.ts"], testTimeout: 120_000, hookTimeout: 180_000, expect: { poll: { timeout: 30_000 } }, fileParallelism: false },
});
