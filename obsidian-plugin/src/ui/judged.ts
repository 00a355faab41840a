import type { TextKey, Translate } from "../i18n";
import type { Status, ValidationStatus } from "../sidecar/wire";

const COUNTS: readonly { field: "confirmed" | "rejected" | "waiting" | "refused"; text: TextKey }[] = [
  { field: "confirmed", text: "judgedConfirmed" },
  { field: "rejected", text: "judgedRejected" },
  { field: "waiting", text: "judgedWaiting" },
  { field: "refused", text: "judgedRefused" },
];

/** What a language model judges of proposed links; a sidecar that is older than the plugin tells nothing of it. */
export function validationOf({ llm }: Status): ValidationStatus | null {
  const told: ValidationStatus | undefined = llm.validation;
  return told ?? null;
}

/** How far the model is with the proposed links; null where there are none. */
export function judgedText(validation: ValidationStatus | null, t: Translate): string | null {
  if (validation === null) return null;
  const counts = COUNTS.filter(({ field }) => validation[field] > 0).map(({ field, text }) => t(text, { count: validation[field] }));
  return counts.length === 0 ? null : t("judged", { counts: counts.join(", ") });
}
