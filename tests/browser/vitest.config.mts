import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: { environment: "node", include: ["*.test.ts"], testTimeout: 40_000, hookTimeout: 180_000, fileParallelism: false },
});
