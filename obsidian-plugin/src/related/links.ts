/** Kinds of relations that can be written by hand, as `config/edges.yaml` ships them. */
export const KINDS: readonly string[] = [
  "related_to",
  "similar_to",
  "depends_on",
  "enforced_by",
  "derived_from",
  "resulted_in",
  "based_on",
  "foundation_of",
  "caused_by",
  "causes",
  "solves",
  "solved_by",
  "part_of",
  "has_part",
  "uses",
  "used_by",
  "blocks",
  "blocked_by",
  "impacts",
  "impacted_by",
  "supports",
  "supported_by",
  "contradicts",
  "example_of",
  "has_example",
];

/** A relation that can stand anywhere in a line: a field in brackets, whose link Obsidian follows as any other. */
export function relation(kind: string, link: string): string {
  return `(${kind}:: ${link})`;
}
