/** An edge as a sidecar tells it, to be varied in a test. */
import type { EdgeOut } from "../../../obsidian-plugin/src/sidecar/wire";

export function edge(changed: Partial<EdgeOut> = {}): EdgeOut {
  return {
    edge_id: "e",
    direction: "out",
    kind: "references",
    scope: "chunk",
    rule_id: "explicit:wikilink",
    provenance: "explicit",
    confidence: 1,
    target_section: "",
    resolved: true,
    candidate: false,
    pending: false,
    confirmed: false,
    line: 3,
    label: "",
    evidence: [{ rule_id: "explicit:wikilink", line: changed.line ?? 3, label: "" }],
    source: { note_id: "a", title: "A", path: "A.md" },
    target: { note_id: "s", title: "Table salt", path: "Kitchen/Salt.md" },
    written_in: "A.md",
    mirror_of: null,
    ...changed,
  };
}
