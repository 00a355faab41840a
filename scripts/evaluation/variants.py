"""What is compared: the legs one by one and together, each part of the score on and off, shuffled edges."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mindnet.records import Mode
from mindnet.retrieval.settings import RetrieverSettings

GRAPH_PARTS = ("links", "edge", "centrality")
NO_GRAPH = "semantic+lexical"
HYBRID = "hybrid"
SHUFFLED = "hybrid, edges shuffled"
SINGLE = ("semantic", "lexical")


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to search: its mode, the parts that the graph gives, and whether the edges are the real ones.

    ``names`` says whether the second round of the search by words follows names.
    """

    name: str
    mode: Mode = "hybrid"
    parts: frozenset[str] = frozenset()
    shuffled: bool = False
    names: bool = True

    @property
    def walks(self) -> bool:
        return bool(self.parts)

    def settings(self, full: RetrieverSettings) -> RetrieverSettings:
        """The settings with the weight of each missing part at 0."""
        off = {f"{part}_weight": 0.0 for part in GRAPH_PARTS if part not in self.parts}
        bridges = full.bridges if self.names else replace(full.bridges, share=0.0)
        return replace(full, scoring=replace(full.scoring, **off), bridges=bridges)


def variants() -> tuple[Variant, ...]:
    every = frozenset(GRAPH_PARTS)
    return (
        Variant("semantic", "semantic"),
        Variant("lexical", "lexical"),
        Variant(NO_GRAPH),
        *(Variant(f"{NO_GRAPH} and {part}", parts=frozenset({part})) for part in GRAPH_PARTS),
        *(Variant(f"{HYBRID} without {part}", parts=every - {part}) for part in GRAPH_PARTS),
        Variant(f"{HYBRID} without names", parts=every, names=False),
        Variant(HYBRID, parts=every),
        Variant(SHUFFLED, parts=every, shuffled=True),
    )
