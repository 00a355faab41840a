import type { TextKey, Translate } from "../i18n";
import type { Failure } from "./conversation";

/** A fault as it is shown: what is wrong, what to do, the command that does it, and the sidecar's own words. */
export interface FaultText {
  title: string;
  hint: string;
  command: string | null;
  detail: string;
}

/** What the user's language says about each kind of fault; `{command}` is taken from the sidecar's hint. */
const KNOWN: Readonly<Partial<Record<string, { title: TextKey; hint?: TextKey; command?: TextKey }>>> = {
  unreachable: { title: "faultUnreachable", hint: "faultUnreachableHint" },
  refused: { title: "stateRefused" },
  model_down: { title: "faultModelDown", command: "faultModelDownCommand" },
  model_missing: { title: "faultModelMissing", command: "faultRunCommand" },
  model_loading: { title: "faultModelLoading", hint: "faultModelLoadingHint" },
  model_timeout: { title: "faultModelTimeout", hint: "faultModelTimeoutHint" },
  model_stream: { title: "faultModelStream", hint: "faultAskAgain" },
  model_refused: { title: "faultModelRefused" },
  model_answer: { title: "faultModelAnswer", hint: "faultModelAnswerHint" },
  context_overflow: { title: "faultOverflow", hint: "faultOverflowHint" },
  not_found: { title: "faultSessionGone", hint: "faultAskAgain" },
};

/** The fault in the user's language as far as its kind is known, else in the sidecar's words. */
export function faultText({ code, message, hint }: Failure, t: Translate): FaultText {
  const command = /`([^`]+)`/.exec(hint)?.[1] ?? null;
  const known = KNOWN[code];
  if (known === undefined) return { title: message || t("faultUnknown"), hint, command, detail: "" };
  const own = command !== null && known.command !== undefined ? t(known.command, { command }) : known.hint === undefined ? hint : t(known.hint);
  // Nobody wrote a sentence for a user where nobody answered.
  return { title: t(known.title), hint: own, command, detail: code === "unreachable" || code === "refused" ? "" : message };
}

/** Faults after which the sources are all there is: no model looked at them. */
export function isWithoutModel(code: string): boolean {
  return code === "model_down" || code === "model_missing" || code === "model_loading" || code === "model_refused";
}
