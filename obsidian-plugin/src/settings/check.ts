import type { Translate } from "../i18n";
import { callSidecar, SidecarError, type Endpoint } from "../sidecar/transport";
import type { Health, Status } from "../sidecar/wire";

/** One line of the check: what was looked at, and, when it is not well, what to do. */
export interface CheckLine {
  ok: boolean;
  text: string;
  fix?: string;
}

/** What is to be checked. `vault` is its real path, null where the app does not tell it. */
export interface CheckTarget {
  find: () => Promise<Endpoint | null | "mobile">;
  vault: string | null;
  bySelf: boolean;
}

/** Looks at each step from finding the sidecar to its index; stops at the first that fails. */
export async function checkConnection({ find, vault, bySelf }: CheckTarget, t: Translate): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const note = (ok: boolean, text: string, fix: string) => {
    lines.push(ok ? { ok, text } : { ok, text, fix });
    return ok;
  };
  const endpoint = await find();
  const absent = endpoint === "mobile" ? t("checkMobile") : bySelf ? t("checkRunFileFix", { vault: vault ?? "" }) : t("checkManualFix");
  note(endpoint !== null && endpoint !== "mobile", t(bySelf ? "checkRunFile" : "checkManual"), absent);
  if (endpoint === null || endpoint === "mobile") return lines;

  const health = await attempt(callSidecar<Health>(endpoint, "GET", "/health"));
  if (!note(!(health instanceof SidecarError), t("checkAnswers"), t("checkAnswersFix"))) return lines;

  const status = await attempt(callSidecar<Status>(endpoint, "GET", "/status"));
  if (status instanceof SidecarError) {
    note(false, t("checkToken"), status.kind === "failed" ? [status.message, status.hint].filter(Boolean).join(" ") : t("checkTokenFix"));
    return lines;
  }
  note(true, t("checkToken"), "");
  note(vault === null || status.vault === vault, t("checkVault"), t("checkVaultFix", { vault: status.vault }));
  note(status.notes > 0, t("checkNotes", { notes: status.notes }), t("checkNotesFix"));
  return lines;
}

async function attempt<Answer>(call: Promise<Answer>): Promise<Answer | SidecarError> {
  try {
    return await call;
  } catch (cause) {
    if (cause instanceof SidecarError) return cause;
    throw cause;
  }
}
