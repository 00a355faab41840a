import type { Translate } from "../i18n";
import { callSidecar, SidecarError, type Endpoint } from "../sidecar/transport";
import type { Health, Status } from "../sidecar/wire";

/** What a button can do about a line that is not well. */
export type Mend = { does: "start" } | { does: "look" } | { does: "settings" } | { does: "import" } | { does: "copy"; command: string } | { does: "open"; path: string; line: number };

/** One line of the check: what was looked at, and, when it is not well, what to do. */
export interface CheckLine {
  ok: boolean;
  text: string;
  fix?: string;
  mend?: Mend;
}

/** What is to be checked. `vault` is its real path, null where the app does not tell it. */
export interface CheckTarget {
  find: () => Promise<Endpoint | null | "mobile">;
  vault: string | null;
  bySelf: boolean;
  /** Whether the plugin can start a sidecar: on the desktop, with the program that the user chose. */
  canStart: boolean;
}

/** Looks at each step from finding the sidecar to its index; stops at the first that fails. */
export async function checkConnection({ find, vault, bySelf, canStart }: CheckTarget, t: Translate): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const note = (ok: boolean, text: string, fix: string, mend?: Mend) => {
    lines.push(ok ? { ok, text } : { ok, text, fix, ...(mend === undefined ? {} : { mend }) });
    return ok;
  };
  const command = `make run VAULT="${vault ?? ""}"`;
  const start: Mend = canStart ? { does: "start" } : { does: "copy", command };
  const endpoint = await find();
  const started = canStart ? t("checkRunFileStart") : [t("checkRunFileFix", { command }), t("checkRunFileOr")].join("\n");
  const absent = endpoint === "mobile" ? t("checkMobile") : bySelf ? started : t("checkManualFix");
  note(endpoint !== null && endpoint !== "mobile", t(bySelf ? "checkRunFile" : "checkManual"), absent, bySelf && endpoint !== "mobile" ? start : SETTINGS);
  if (endpoint === null || endpoint === "mobile") return lines;

  const health = await attempt(callSidecar<Health>(endpoint, "GET", "/health"));
  if (!note(!(health instanceof SidecarError), t("checkAnswers"), t("checkAnswersFix"), bySelf ? start : SETTINGS)) return lines;

  const status = await attempt(callSidecar<Status>(endpoint, "GET", "/status"));
  if (status instanceof SidecarError) {
    const failed = status.kind === "failed";
    note(false, t("checkToken"), failed ? said(status) : t("checkTokenFix"), failed ? undefined : SETTINGS);
    return lines;
  }
  note(true, t("checkToken"), "");
  note(vault === null || status.vault === vault, t("checkVault"), t("checkVaultFix", { vault: status.vault }), bySelf ? start : SETTINGS);
  note(status.notes > 0, t("checkNotes", { notes: status.notes }), t("checkNotesFix"), { does: "import" });
  return lines;
}

const SETTINGS: Mend = { does: "settings" };

function said({ message, hint }: SidecarError): string {
  return [message, hint].filter(Boolean).join(" ");
}

async function attempt<Answer>(call: Promise<Answer>): Promise<Answer | SidecarError> {
  try {
    return await call;
  } catch (cause) {
    if (cause instanceof SidecarError) return cause;
    throw cause;
  }
}
