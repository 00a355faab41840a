import type { TextKey, Translate } from "../i18n";
import type { ConnectionState } from "../sidecar/connection";
import type { Status } from "../sidecar/wire";
import { judgedText, validationOf } from "./judged";

/** Whether nothing is wrong and it is only to be waited for. */
export function isOnItsWay({ kind }: ConnectionState): boolean {
  return kind === "connecting" || kind === "starting";
}

/** The sentence that a view shows in place of, or above, results; null when all is well. */
export function stateSentence(state: ConnectionState, t: Translate): string | null {
  switch (state.kind) {
    case "mobile":
      return t("stateMobile");
    case "connecting":
      return t("stateConnecting");
    case "absent":
      return t("stateAbsent");
    case "starting":
      return t("stateStarting");
    case "refused":
      return t("stateRefused");
    case "failed":
      return t("stateFailed", { message: state.message });
    case "ready": {
      const { status } = state;
      if (status.state === "error") return waitingSentence(status, t);
      // What only gets better is said in the status bar: nothing is to be waited for.
      if (status.rebuild?.better) return null;
      if (status.rebuild) {
        const { beside, notes, total } = status.rebuild;
        return t(beside ? "stateRebuildBeside" : "stateRebuild", { done: notes, total });
      }
      if (status.state === "indexing" && status.total > 1) return t("stateIndexing", { done: status.indexed, total: status.total });
      if (status.state === "idle" && status.notes === 0) return t("stateEmpty");
      return null;
    }
  }
}

/** What keeps the sidecar from indexing, in the user's language where the kind of failure is known. */
function waitingSentence(status: Status, t: Translate): string {
  const known = status.error_code === null ? undefined : WAITING[status.error_code];
  return known === undefined ? t("stateFailed", { message: status.error ?? "" }) : t(known, { vault: status.vault, folder: status.store.folder ?? "" });
}

/** Kinds of failure that pass, by the sidecar's code. */
const WAITING: Readonly<Partial<Record<string, TextKey>>> = {
  disk_full: "waitsForRoom",
  read_only: "waitsForRights",
  vault: "waitsForVault",
};

/** Where a notice leads to that says that nobody answers. */
export interface WayOut {
  t: Translate;
  openSettings(): void;
  openDoctor(): void;
}

/** The button that leads to what can be done: the doctor goes through the steps, a setting is corrected in the settings. */
export function drawWayOut(parent: HTMLElement, kind: ConnectionState["kind"], host: WayOut): void {
  const ways: Partial<Record<typeof kind, { text: TextKey; open: () => void }>> = {
    absent: { text: "openDoctor", open: () => host.openDoctor() },
    failed: { text: "openDoctor", open: () => host.openDoctor() },
    refused: { text: "openSettings", open: () => host.openSettings() },
    mobile: { text: "openSettings", open: () => host.openSettings() },
  };
  const way = ways[kind];
  if (way === undefined) return;
  parent.createEl("button", { text: host.t(way.text), attr: { type: "button" } }).addEventListener("click", way.open);
}

/** What the status bar says to the pointer behind its text. */
export function stateFacts(state: ConnectionState, t: Translate): string {
  if (state.kind !== "ready") return t("commandDoctor");
  const { notes, edges } = state.status;
  return [t("statusNotes", { notes, edges }), judgedText(validationOf(state.status), t), betterText(state.status, t)].filter(Boolean).join("; ");
}

/** How far a better model's index is; null when none is built. */
export function betterText({ rebuild }: Status, t: Translate): string | null {
  return rebuild?.better ? t("stateBetter", { done: rebuild.notes, total: rebuild.total }) : null;
}

/** The status bar's text. */
export function stateLabel(state: ConnectionState, t: Translate): string {
  if (state.kind === "connecting") return t("statusConnecting");
  if (state.kind === "starting") return t("statusStarting");
  if (state.kind === "refused" || state.kind === "failed") return t("statusError");
  if (state.kind !== "ready") return t("statusAbsent");
  const { status } = state;
  if (status.rebuild?.better && status.state !== "error") return t("statusBetter", { percent: share(status.rebuild) });
  const keys: Record<typeof status.state, TextKey> = {
    idle: "statusReady",
    scanning: "statusScanning",
    indexing: "statusIndexing",
    error: "statusError",
  };
  return t(keys[status.state], { done: status.indexed, total: status.total });
}

function share({ notes, total }: NonNullable<Status["rebuild"]>): number {
  return Math.floor((100 * notes) / Math.max(total, 1));
}
