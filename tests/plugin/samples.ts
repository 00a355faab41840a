/** Answers as a sidecar gives them, to be varied in a test. */
import type { ContributionOut, HitOut, QueryAnswer, Status } from "../../obsidian-plugin/src/sidecar/wire";

export function status(changed: Partial<Status> = {}): Status {
  return {
    state: "idle",
    indexed: 3,
    total: 3,
    queued: 0,
    current: null,
    rate: 0,
    eta_s: null,
    notes: 3,
    chunks: 7,
    edges: 11,
    faults: [],
    store: { engine: "qdrant-edge", folder: "/data/store", url: null, answers: true, fault: null },
    embedding: { model: "m", dimension: 8 },
    llm: {
      configured: false,
      model: null,
      fault: null,
      validation: {
        enabled: true,
        waiting: 0,
        decided: 0,
        confirmed: 0,
        rejected: 0,
        pending: 0,
        refused: 0,
        fault: null,
        fault_code: null,
      },
    },
    logs: { enabled: true, folder: "/data/logs", fault: null, skipped: 0 },
    vault: "/vaults/Notes",
    version: "0.1.0",
    error: null,
    rebuild: null,
    error_code: null,
    fault_counts: {},
    ...changed,
  };
}

export function part(name: ContributionOut["part"], points: number, changed: Partial<ContributionOut> = {}): ContributionOut {
  return { part: name, weight: 1, raw: points, factors: { type: 1, status: 1 }, points, evidence: [], ...changed };
}

export function hit(changed: Partial<HitOut> = {}): HitOut {
  const contributions = [part("semantic", 0.4), part("lexical", 0.2, { evidence: ["keepers"] })];
  return {
    rank: 1,
    note_id: "n1",
    chunk_id: "n1#c01",
    title: "Lighthouse",
    path: "Coast/Lighthouse.md",
    heading_path: ["Lighthouse", "Keepers"],
    start_line: 7,
    end_line: 9,
    text: "The keepers called it hell.",
    type: "concept",
    status: "draft",
    tags: [],
    total_score: contributions.reduce((sum, one) => sum + one.points, 0),
    explanation: {
      contributions,
      reasons: [{ part: "lexical", text: "contains your word *keepers*", edge_id: null, path: "Coast/Lighthouse.md", line: 8, way: [] }],
      related_edges: [
        {
          direction: "in",
          edge_id: "e1",
          kind: "depends_on",
          provenance: "explicit",
          rule_id: "inline:rel",
          confidence: 0.95,
          line: 5,
          note_id: "n2",
          title: "Harbour log",
          path: "Harbour log.md",
          resolved: true,
          written_in: "Harbour log.md",
        },
      ],
    },
    also_in: [],
    ...changed,
  };
}

export function answer(hits: HitOut[]): QueryAnswer {
  return { query_id: "q", mode: "hybrid", intent: { name: "DEFAULT", boosts: {} }, language: "en", took_ms: 1, hits, why_not: [], phrases: [], dates: [], rebuild: null, left_out: null };
}
