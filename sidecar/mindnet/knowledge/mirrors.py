"""The last phase of the graph: mirrors, and which file an edge belongs to that several could give.

Every explicit relation between two notes can be read from its other end: where A says that it
``depends_on`` B, B has a mirror ``enforced_by`` to A, in note scope, unless B says so explicitly.
The mirror starts in B and is owned by the file that A's relation stands in, so that it goes when
its original goes.

An edge in note scope whose owner is not the note it starts in (a mirror, an arrow on a canvas) can
have the identity of an edge that another file gives too. One point is stored for an identity, so
one file must own it: the one with the strongest claim, whatever the order in which files were read.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from mindnet.knowledge.edges import CANDIDATE, EXPLICIT, NO_VERDICTS, RANK, RULE, edge_id
from mindnet.knowledge.kinds import KindRegistry
from mindnet.records import Edge, Evidence, Verdicts

log = logging.getLogger(__name__)
Identity = tuple[str, str, str]
"""Source, target and kind of an edge between whole notes."""

MIRROR = "mirror:"
MIRROR_SHARE = 0.9
"""A mirror's confidence beside its original's."""


class Claim(NamedTuple):
    """How strongly a file claims an identity; the greater has it. ``own``: the edge starts in the file's own note."""

    sure: bool
    confidence: float
    rank: int
    own: bool
    mirror: bool


@dataclass(frozen=True, slots=True)
class Stake:
    """What one file says of identities that are more than its own affair; keys are edge ids.

    ``says`` are the note-to-note identities, without section, that it states explicitly: no mirror
    of such an identity is made. ``claims`` are the edges in note scope that it would give, mirrors included.
    """

    says: frozenset[str] = frozenset()
    claims: Mapping[str, Claim] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {"says": sorted(self.says), "claims": {key: list(claim) for key, claim in sorted(self.claims.items())}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Stake:
        return cls(frozenset(data["says"]), {key: Claim(*values) for key, values in data["claims"].items()})


NOTHING = Stake()


def stake_of(edges: Sequence[Edge], kinds: KindRegistry) -> Stake:
    """The stake of a file that would give these edges."""
    says: set[str] = set()
    claims: dict[str, Claim] = {}
    for edge in edges:
        if edge.scope == "note":
            sure = not edge.provenance.startswith(CANDIDATE)
            own = edge.source_id == edge.note_id
            claims[edge.edge_id] = Claim(sure, edge.confidence, RANK.get(edge.provenance, 0), own, mirror=False)
        if edge.kind in kinds.inverses and _between_notes(edge):
            says.add(edge_id(edge.source_note, edge.target_id, edge.kind, ""))
    for identity, originals in _originals(edges, kinds).items():
        confidence = MIRROR_SHARE * max(edge.confidence for edge in originals)
        claims.setdefault(edge_id(*identity, ""), Claim(True, confidence, RANK[RULE], own=False, mirror=True))
    return Stake(frozenset(says), claims) if says or claims else NOTHING


class Stakes:
    """The stakes of all files of a vault, by path. Not for several threads at once."""

    def __init__(self, kinds: KindRegistry, verdicts: Verdicts = NO_VERDICTS) -> None:
        """``verdicts`` are what the user has decided, as it is whenever it is asked for."""
        self._kinds = kinds
        self._verdicts = verdicts
        self._of: dict[str, Stake] = {}
        self._saying: dict[str, int] = {}
        self._claiming: dict[str, list[tuple[str, Claim]]] = {}

    def get(self, path: str) -> Stake:
        return self._of.get(path, NOTHING)

    def put(self, path: str, stake: Stake) -> frozenset[str]:
        """Takes in what a file says now; gives the other files whose edges this may change."""
        old = self._of.pop(path, NOTHING)
        if stake.says or stake.claims:
            self._of[path] = stake
        claiming, saying = self._claiming, self._saying
        turned = old.says ^ stake.says
        changed = {key for key, _ in old.claims.items() ^ stake.claims.items()}
        for key in changed:
            if key in old.claims:
                claiming[key].remove((path, old.claims[key]))
                if not claiming[key]:
                    del claiming[key]
        others = {other for key in changed | turned if key in claiming for other, _ in claiming[key]}
        for key in changed:
            if key in stake.claims:
                claiming.setdefault(key, []).append((path, stake.claims[key]))
        for key in turned:
            saying[key] = saying.get(key, 0) + (1 if key in stake.says else -1)
            if not saying[key]:
                del saying[key]
        others.discard(path)
        return frozenset(others)

    def remove(self, path: str) -> frozenset[str]:
        """Forgets a file; gives the other files whose edges this may change."""
        return self.put(path, NOTHING)

    def claimants(self, key: str) -> frozenset[str]:
        """The files that would give an edge of this id in note scope."""
        return frozenset(path for path, _ in self._claiming.get(key, ()))

    def settle(self, path: str, edges: Sequence[Edge]) -> tuple[Edge, ...]:
        """The edges that the file owns: its own but for those that another has by a stronger claim, and mirrors.

        ``edges`` are those that ``put`` got for this path.
        """
        claims = self.get(path).claims
        lost = {key for key in claims if self._owner(key) != path}
        kept = [edge for edge in edges if edge.edge_id not in lost]
        if any(claim.mirror and key not in lost for key, claim in claims.items()):
            for identity, originals in _originals(edges, self._kinds).items():
                key = edge_id(*identity, "")
                if self._verdicts.get((*identity, "")) == "reject":
                    continue
                if claims[key].mirror and key not in lost:
                    log.debug("mirror %s -> %s: %s", *identity)
                    kept.append(_mirror(key, identity, originals))
        return tuple(kept)

    def _owner(self, key: str) -> str | None:
        """The path whose claim is the strongest; of equal ones that of the first path. None if nobody claims it."""
        said = key in self._saying
        best: tuple[str, Claim] | None = None
        for path, claim in self._claiming.get(key, ()):
            if said and claim.mirror:
                continue
            if best is None or claim > best[1] or (claim == best[1] and path < best[0]):
                best = path, claim
        return best[0] if best else None


def _between_notes(edge: Edge) -> bool:
    """Whether the edge is a relation, written by the author, between two notes that exist."""
    return edge.provenance == EXPLICIT and edge.resolved and edge.source_note != edge.target_id


def _originals(edges: Sequence[Edge], kinds: KindRegistry) -> Mapping[Identity, list[Edge]]:
    """The edges that a mirror could be made of, by what the mirror would be, whoever says that already."""
    found: dict[Identity, list[Edge]] = defaultdict(list)
    for edge in edges:
        if _between_notes(edge) and (inverse := kinds.inverse(edge.kind)) is not None:
            found[edge.target_id, edge.source_note, inverse].append(edge)
    return found


def _mirror(key: str, identity: Identity, originals: Sequence[Edge]) -> Edge:
    source, target, kind = identity
    best = min(originals, key=lambda edge: (-edge.confidence, edge.line, edge.edge_id))
    return replace(
        best,
        edge_id=key,
        source_id=source,
        target_id=target,
        target_section="",
        kind=kind,
        scope="note",
        rule_id=MIRROR + best.rule_id,
        provenance=RULE,
        confidence=MIRROR_SHARE * best.confidence,
        evidence=tuple(
            Evidence(MIRROR + item.rule_id, item.line, item.label, original.edge_id)
            for original in sorted(originals, key=lambda edge: (edge.line, edge.edge_id))
            for item in original.evidence
        ),
        mirror_of=best.edge_id,
    )
