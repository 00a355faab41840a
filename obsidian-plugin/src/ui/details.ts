import type { Turn } from "../chat/conversation";
import type { Translate } from "../i18n";

/** What stands behind an answer: how the question was taken, the model, its figures, and all that it saw. */
export function drawDetails(parent: HTMLElement, turn: Turn, t: Translate): void {
  const { found, done } = turn;
  const list = parent.createEl("dl", { cls: "mindnet-facts" });
  const fact = (name: string, value: string) => {
    if (!value) return;
    list.createEl("dt", { text: name });
    list.createEl("dd", { text: value });
  };
  if (found !== null) {
    fact(t("factIntent"), intentText(found.intent, t));
    if (found.question !== turn.message) fact(t("factSearched"), found.question);
  }
  if (done === null) return;
  fact(t("factModel"), done.model ?? "");
  if (done.sent_tokens !== null && done.num_ctx !== null) {
    fact(t("factPrompt"), t(done.counted_exactly ? "promptCounted" : "promptEstimated", { sent: done.sent_tokens, window: done.num_ctx }));
  }
  const { total, first_token: first } = done.timings;
  if (total !== undefined) fact(t("factTime"), first === undefined ? seconds(total, t) : t("timeWithFirst", { total: seconds(total, t), first: seconds(first, t) }));
  const left = done.left_out.map((one) => t("leftOutOne", { number: one.number, title: one.title, tokens: one.tokens }));
  fact(t("factLeftOut"), left.join("; "));
  if (!done.context) return;
  parent.createDiv({ cls: "mindnet-facts-title", text: t("modelSaw") });
  parent.createEl("pre", { cls: "mindnet-context", text: done.context, attr: { tabindex: "0", role: "region", "aria-label": t("modelSaw") } });
}

function intentText({ name, boosts }: { name: string; boosts: Record<string, number> }, t: Translate): string {
  const changed = Object.entries(boosts).filter(([, value]) => value !== 1);
  if (changed.length === 0) return name;
  return `${name}: ${changed.map(([kind, value]) => `${kind} × ${t.decimal(value, 1)}`).join(", ")}`;
}

function seconds(milliseconds: number, t: Translate): string {
  return t("seconds", { value: t.decimal(milliseconds / 1000, 1) });
}
