import type { Translate } from "../i18n";
import { callSidecar, SidecarError, type Endpoint } from "../sidecar/transport";
import type { Health, Status } from "../sidecar/wire";

/** One line of the check: what was looked at, and, when it is not well, what to do. */
export interface CheckLine {
  ok: boolean;
  text: string;
  fix?: string;
}

/** Looks at each step from finding the sidecar to its index; stops at the first that fails. */
export async function checkConnection(find: () => Promise<Endpoint | null>, vault: string | null, bySelf: boolean, t: Translate): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const endpoint = await find();
  if (endpoint === null) {
    lines.push(bySelf ? { ok: false, text: t("checkRunFile"), fix: t("checkRunFileFix") } : { ok: false, text: t("checkManual"), fix: t("checkManualFix") });
    return lines;
  }
  lines.push({ ok: true, text: bySelf ? t("checkRunFile") : t("checkManual") });
  try {
    await callSidecar<Health>(endpoint, "GET", "/health");
    lines.push({ ok: true, text: t("checkAnswers") });
  } catch {
    lines.push({ ok: false, text: t("checkAnswers"), fix: t("checkAnswersFix") });
    return lines;
  }
  let status: Status;
  try {
    status = await callSidecar<Status>(endpoint, "GET", "/status");
    lines.push({ ok: true, text: t("checkToken") });
  } catch (cause) {
    const fix = cause instanceof SidecarError && cause.kind === "failed" ? cause.message : t("checkTokenFix");
    lines.push({ ok: false, text: t("checkToken"), fix });
    return lines;
  }
  const same = vault === null || status.vault === vault;
  lines.push(same ? { ok: true, text: t("checkVault") } : { ok: false, text: t("checkVault"), fix: t("checkVaultFix", { vault: status.vault }) });
  const text = t("checkNotes", { notes: status.notes });
  lines.push(status.notes > 0 ? { ok: true, text } : { ok: false, text, fix: t("checkNotesFix") });
  return lines;
}
