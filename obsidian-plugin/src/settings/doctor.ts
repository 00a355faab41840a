import { faultText } from "../chat/faults";
import type { Translate } from "../i18n";
import type { ConnectionState } from "../sidecar/connection";
import type { ProcessState } from "../sidecar/process";
import type { ModelsReport, ValidationStatus } from "../sidecar/wire";
import { judgedText, validationOf } from "../ui/judged";
import { betterText, stateSentence } from "../ui/state";
import type { CheckLine } from "./check";

/** What the doctor looks at. */
export interface Patient {
  /** Each step to the sidecar. */
  check(): Promise<CheckLine[]>;
  process: ProcessState;
  state: ConnectionState;
  models: () => Promise<ModelsReport>;
}

/** Everything that a user can put right: the steps to the sidecar, its process, store, files and language model. */
export async function examine(patient: Patient, t: Translate): Promise<CheckLine[]> {
  const lines = await lookAt(patient, t);
  // What passes by itself, or is put right elsewhere, is looked at again.
  return lines.map((line) => (line.ok || line.mend !== undefined ? line : { ...line, mend: { does: "look" } }));
}

async function lookAt(patient: Patient, t: Translate): Promise<CheckLine[]> {
  const { state, process } = patient;
  const lines = process.kind === "failed" ? [processLine(process, t)] : [];
  lines.push(...(await patient.check()));
  if (state.kind !== "ready" || lines.some(({ ok, mend }) => !ok && mend?.does !== "import")) return lines;
  const { status } = state;
  const waits = status.state === "error" ? stateSentence(state, t) : null;
  const { store } = status;
  lines.push(
    store.answers && waits === null
      ? { ok: true, text: t("doctorStore", { engine: store.engine }) }
      : { ok: false, text: t("doctorStore", { engine: store.engine }), fix: waits ?? store.fault ?? "" },
  );
  const embedding: CheckLine = { ok: true, text: t("doctorEmbedding", { model: status.embedding.model }) };
  const better = betterText(status, t);
  lines.push(better === null ? embedding : { ...embedding, fix: better });
  const [fault] = status.faults;
  if (fault === undefined) lines.push({ ok: true, text: t("doctorFilesWell") });
  else {
    const fix = `${fault.path}${fault.line > 0 ? `:${fault.line}` : ""}: ${fault.message}`;
    lines.push({ ok: false, text: t("doctorFiles", { count: status.faults.length }), fix, mend: { does: "open", path: fault.path, line: Math.max(1, fault.line) } });
  }
  const model = await modelLine(patient, t);
  lines.push(model, ...judgedLine(validationOf(status), model.ok, t));
  return lines;
}

/** What became of proposed links. Where no model answers at all they wait: that stands in the line of the model. */
function judgedLine(validation: ValidationStatus | null, hasModel: boolean, t: Translate): CheckLine[] {
  const text = judgedText(validation, t);
  if (validation === null || text === null) return [];
  const { enabled, waiting, refused, fault, fault_code: code } = validation;
  if (refused > 0) return [{ ok: false, text, fix: [t("judgedRefusedFix"), fault ?? ""].filter(Boolean).join(" "), mend: { does: "copy", command: "mindnet validate" } }];
  if (waiting === 0) return [{ ok: true, text }];
  if (!enabled) return [{ ok: true, text, fix: t("judgedOff") }];
  if (!hasModel) return [{ ok: true, text, fix: t("judgedNoModel") }];
  if (fault === null) return [{ ok: true, text }];
  return [{ ok: false, text, fix: faultText({ code: code ?? "", message: fault, hint: "" }, t).title }];
}

function processLine({ end, lines }: Extract<ProcessState, { kind: "failed" }>, t: Translate): CheckLine {
  const text = end === null ? t("doctorNotStarted") : t("doctorEnded", { end });
  const isNowhere = end === null && lines.some((line) => line.includes("ENOENT"));
  return { ok: false, text, fix: [isNowhere ? t("doctorNoProgram") : "", ...lines].filter(Boolean).join("\n"), mend: { does: "settings" } };
}

async function modelLine({ models }: Patient, t: Translate): Promise<CheckLine> {
  let report: ModelsReport;
  try {
    report = await models();
  } catch (cause) {
    return { ok: false, text: t("doctorModel"), fix: String(cause) };
  }
  const chat = report.models.find(({ profile }) => profile === "chat");
  if (chat === undefined) return { ok: false, text: t("doctorModel"), fix: t("faultModelDown") };
  if (chat.ok) return { ok: true, text: t(chat.leaves_machine ? "modelElsewhere" : "modelHere", { model: chat.model ?? "", place: chat.place }) };
  const { title, hint, command } = faultText(chat, t);
  const fix = [title, hint.replaceAll("`", "")].filter(Boolean).join(" ");
  return { ok: false, text: t("doctorModel"), fix, ...(command === null ? {} : { mend: { does: "copy", command } }) };
}
