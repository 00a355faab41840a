import type { TextKey, Translate } from "../i18n";
import type { WhyNot } from "../sidecar/wire";

const LEGS: Readonly<Record<string, TextKey>> = {
  semantic: "partSemantic",
  lexical: "partLexical",
  links: "partLinks",
  edge: "partEdge",
  centrality: "partCentrality",
  total: "allTogether",
};

/** Why a note is not among the hits: the sentence, and its place in each search. */
export function drawWhyNot(parent: HTMLElement, found: WhyNot, t: Translate): void {
  const box = parent.createDiv({ cls: "mindnet-why-not-answer", attr: { role: "status" } });
  box.createDiv({ cls: "mindnet-hit-title", text: found.title ?? found.note });
  box.createDiv({ text: found.text });
  const ranks = Object.entries(found.ranks);
  if (ranks.length === 0) return;
  const list = box.createEl("dl", { cls: "mindnet-facts" });
  for (const [leg, rank] of ranks) {
    const key = LEGS[leg];
    list.createEl("dt", { text: key === undefined ? leg : t(key) });
    list.createEl("dd", { text: rank === null ? t("rankNone") : t("rank", { rank }) });
  }
}
