import type { TextKey, Translate } from "../i18n";
import type { EdgeOut } from "../sidecar/wire";

/** Where an edge comes from, as badges tell it apart. */
export type Origin = "explicit" | "rule" | "smart" | "candidate";

/** What stands at a link: the kind that says most, where it comes from, and all of the edges. */
export interface Mark {
  kind: string;
  origin: Origin;
  resolved: boolean;
  edges: readonly EdgeOut[];
}

export const ORIGIN_NAMES: Record<Origin, TextKey> = {
  explicit: "provenanceExplicit",
  rule: "provenanceRule",
  smart: "provenanceSmart",
  candidate: "provenanceCandidate",
};

const PLAIN = "references";
const STRENGTH: readonly Origin[] = ["explicit", "smart", "candidate", "rule"];

export function originOf({ provenance, candidate }: EdgeOut): Origin | null {
  if (candidate || provenance.startsWith("candidate")) return "candidate";
  return provenance === "explicit" || provenance === "rule" || provenance === "smart" ? provenance : null;
}

/** The edges that are written in this note, from the lines that write them. */
export function writtenEdges(edges: readonly EdgeOut[], path: string, shows: (origin: Origin) => boolean): EdgeOut[] {
  return edges.filter((edge) => {
    const origin = originOf(edge);
    return edge.direction === "out" && edge.written_in === path && edge.mirror_of === null && origin !== null && shows(origin);
  });
}

/** One mark for the edges of one link: a typed relation says more than a mention, what is written more than a rule. */
export function markOf(edges: readonly EdgeOut[]): Mark | null {
  const ranked = [...edges].sort((one, other) => rank(one) - rank(other));
  const first = ranked[0];
  const origin = first === undefined ? null : originOf(first);
  return first === undefined || origin === null ? null : { kind: first.kind, origin, resolved: first.resolved, edges: ranked };
}

function rank(edge: EdgeOut): number {
  const origin = originOf(edge);
  return (origin === null ? STRENGTH.length : STRENGTH.indexOf(origin)) * 2 + (edge.kind === PLAIN ? 1 : 0);
}

/** Whether the badge is a mark alone: a plain mention that leads somewhere needs no word. */
export function isQuiet({ kind, origin, resolved }: Mark): boolean {
  return kind === PLAIN && origin === "explicit" && resolved;
}

/** All of a mark in words, an edge a line: kind, origin, rule, confidence, line, other end. */
export function markText({ edges }: Mark, t: Translate): string {
  return edges.map((edge) => edgeText(edge, t)).join("\n");
}

export function edgeText(edge: EdgeOut, t: Translate): string {
  const origin = originOf(edge);
  return [
    `${edge.kind} → ${edge.target.title || edge.target.note_id}`,
    edge.resolved ? "" : t("unresolved"),
    origin === null ? edge.provenance : t(ORIGIN_NAMES[origin]),
    edge.rule_id,
    t("confidence", { value: t.decimal(edge.confidence, 2) }),
    edge.line > 0 ? t("line", { line: edge.line }) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}
