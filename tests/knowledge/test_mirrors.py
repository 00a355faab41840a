"""A relation can be read from its other end, without being said twice."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

import pytest

from knowledge.conftest import Vault
from mindnet.knowledge.kinds import KindRegistry
from mindnet.knowledge.mirrors import NOTHING, Stake, Stakes, stake_of
from mindnet.records import Edge


def settled(vault: Vault, kinds: KindRegistry, files: Mapping[str, str]) -> dict[str, tuple[Edge, ...]]:
    """The edges of each file, after every order of taking the files in gave the same."""
    graphs = vault(files)
    results = []
    for order in permutations(graphs):
        stakes = Stakes(kinds)
        for path in order:
            stakes.put(path, stake_of(graphs[path].edges, kinds))
        results.append({path: stakes.settle(path, graphs[path].edges) for path in graphs})
    assert all(result == results[0] for result in results)
    return results[0]


def mirrors(edges: Mapping[str, tuple[Edge, ...]]) -> list[tuple[str, str, str, str]]:
    """(owner, source, target, kind) of every mirror, in the names of files."""
    names = {edge.note_id: path.removesuffix(".md") for path, group in edges.items() for edge in group}
    return sorted(
        (path.removesuffix(".md"), names[edge.source_id], names[edge.target_id], edge.kind)
        for path, group in edges.items()
        for edge in group
        if edge.mirror_of is not None
    )


def test_a_relation_gets_its_inverse_from_the_other_note(vault: Vault, kinds: KindRegistry) -> None:
    edges = settled(vault, kinds, {"A.md": "# A\n\nrel: depends_on [[B#Teil]]\n", "B.md": "# B\n\n## Teil\n"})
    assert mirrors(edges) == [("A", "B", "A", "enforced_by")]
    (mirror,) = (edge for edge in edges["A.md"] if edge.mirror_of)
    (original,) = (edge for edge in edges["A.md"] if edge.kind == "depends_on" and edge.provenance == "explicit")
    assert (mirror.scope, mirror.provenance, mirror.rule_id) == ("note", "rule", "mirror:inline:rel")
    assert mirror.confidence == pytest.approx(0.9 * 0.95)
    assert (mirror.mirror_of, mirror.target_section, mirror.resolved) == (original.edge_id, "", True)
    assert [(item.rule_id, item.line, item.original) for item in mirror.evidence] == [
        ("mirror:inline:rel", 3, original.edge_id)
    ]


def test_originals_in_several_places_have_one_mirror_that_names_them_all(vault: Vault, kinds: KindRegistry) -> None:
    text = "---\nlinks:\n  uses: B\n---\n# A\n\nrel: uses [[B#Eins]]\n\n> [!edge] uses: [[B#Zwei]]\n"
    edges = settled(vault, kinds, {"A.md": text, "B.md": "# B\n\n## Eins\n\n## Zwei\n"})
    (mirror,) = (edge for edge in edges["A.md"] if edge.mirror_of)
    assert (mirror.rule_id, mirror.confidence) == ("mirror:explicit:frontmatter", 0.9)
    assert [(item.rule_id, item.line) for item in mirror.evidence] == [
        ("mirror:explicit:frontmatter", 3),
        ("mirror:inline:rel", 7),
        ("mirror:callout:edge", 9),
    ]
    assert len({item.original for item in mirror.evidence}) == 3


@pytest.mark.parametrize(
    "other",
    ["rel: enforced_by [[A]]\n", "rel: enforced_by [[A#A]]\n", "> [!edge] erzwungen durch: [[A]]\n"],
)
def test_what_the_other_note_says_itself_is_not_mirrored(vault: Vault, kinds: KindRegistry, other: str) -> None:
    edges = settled(vault, kinds, {"A.md": "# A\n\nrel: depends_on [[B]]\n", "B.md": f"# B\n\n{other}"})
    assert mirrors(edges) == []


@pytest.mark.parametrize(
    "text",
    [
        "[[B]]",  # a reference
        "rel: related_to [[B]]",  # symmetric
        "rel: frobnicates [[B]]",  # nobody knows its inverse
        "rel: depends_on [[Nirgends]]",  # no note at the other end
        "rel: depends_on [[#A]]",  # the note itself
        "rel: candidate:depends_on [[B]]",  # not confirmed
    ],
)
def test_what_has_no_mirror(vault: Vault, kinds: KindRegistry, text: str) -> None:
    assert mirrors(settled(vault, kinds, {"A.md": f"# A\n\n{text}\n", "B.md": "# B\n"})) == []


def test_a_mirror_is_stronger_than_a_default_of_the_same_identity(vault: Vault, kinds: KindRegistry) -> None:
    """B's default and A's mirror are both ``B depends_on A`` in note scope: there is one edge, the mirror."""
    files = {
        "A.md": "# A\n\nrel: enforced_by [[B]]\n",
        "B.md": "---\nedge_defaults: [depends_on]\n---\n# B\n\n## Smart Edges\n\n[[A]]\n",
    }
    edges = settled(vault, kinds, files)
    assert mirrors(edges) == [("A", "B", "A", "depends_on")]
    assert [edge.kind for edge in edges["B.md"] if edge.provenance != "structure"] == ["references"]
    alone = settled(vault, kinds, files | {"A.md": "# A\n"})
    assert sorted(edge.kind for edge in alone["B.md"] if edge.provenance != "structure") == ["depends_on", "references"]


def test_changes_name_the_files_that_have_to_follow(vault: Vault, kinds: KindRegistry) -> None:
    says, mute = "# B\n\nrel: enforced_by [[A]]\n", "# B\n\n[[A]]\n"
    graphs = {text: vault({"A.md": "# A\n\nrel: depends_on [[B]]\n", "B.md": text}) for text in (says, mute)}
    stakes = Stakes(kinds)
    a = stake_of(graphs[mute]["A.md"].edges, kinds)
    assert stakes.put("B.md", stake_of(graphs[mute]["B.md"].edges, kinds)) == frozenset()
    assert stakes.put("A.md", a) == frozenset()
    assert stakes.put("B.md", stake_of(graphs[says]["B.md"].edges, kinds)) == {"A.md"}
    assert stakes.put("B.md", stake_of(graphs[says]["B.md"].edges, kinds)) == frozenset()
    assert stakes.remove("B.md") == {"A.md"}
    assert stakes.remove("B.md") == frozenset()
    assert Stake.from_json(a.as_json()) == a
    assert Stake.from_json(NOTHING.as_json()) == NOTHING
