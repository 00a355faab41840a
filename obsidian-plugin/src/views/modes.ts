import type { TextKey } from "../i18n";

export type Mode = "hybrid" | "semantic" | "lexical";

/** The modes in the order they are shown, with their texts. */
export const MODES: readonly { mode: Mode; label: TextKey; hint: TextKey }[] = [
  { mode: "hybrid", label: "modeHybrid", hint: "modeHybridHint" },
  { mode: "semantic", label: "modeSemantic", hint: "modeSemanticHint" },
  { mode: "lexical", label: "modeLexical", hint: "modeLexicalHint" },
];
