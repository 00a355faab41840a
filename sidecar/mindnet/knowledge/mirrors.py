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
from typing import Any, TypeVar

from mindnet.knowledge.edges import CANDIDATE, EXPLICIT, NO_VERDICTS, RANK, RULE, edge_id
from mindnet.knowledge.kinds import KindRegistry
from mindnet.records import Edge, Evidence, Verdicts

log = logging.getLogger(__name__)
V = TypeVar("V")
Identity = tuple[str, str, str]
"""Source, target and kind of an edge between whole notes."""

MIRROR = "mirror:"
MIRROR_SHARE = 0.9
"""A mirror's confidence beside its original's."""


@dataclass(frozen=True, slots=True, order=True)
class Claim:
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
        claims = {key: [c.sure, c.confidence, c.rank, c.own, c.mirror] for key, c in sorted(self.claims.items())}
        return {"says": sorted(self.says), "claims": claims}

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
        self._saying: dict[str, dict[str, None]] = defaultdict(dict)
        self._claiming: dict[str, dict[str, Claim]] = defaultdict(dict)

    def get(self, path: str) -> Stake:
        return self._of.get(path, NOTHING)

    def put(self, path: str, stake: Stake) -> frozenset[str]:
        """Takes in what a file says now; gives the other files whose edges this may change."""
        old = self.get(path)
        if old == stake:
            return frozenset()
        for key in old.says - stake.says:
            _drop(self._saying, key, path)
        for key in stake.says - old.says:
            self._saying[key][path] = None
        for key in old.claims.keys() - stake.claims.keys():
            _drop(self._claiming, key, path)
        for key, claim in stake.claims.items():
            self._claiming[key][path] = claim
        if stake == NOTHING:
            del self._of[path]
        else:
            self._of[path] = stake
        changed = {
            key for key in old.claims.keys() | stake.claims.keys() if old.claims.get(key) != stake.claims.get(key)
        }
        others = {other for key in changed | (old.says ^ stake.says) for other in self._claiming.get(key, ())}
        return frozenset(others - {path})

    def remove(self, path: str) -> frozenset[str]:
        """Forgets a file; gives the other files whose edges this may change."""
        return self.put(path, NOTHING)

    def claimants(self, key: str) -> frozenset[str]:
        """The files that would give an edge of this id in note scope."""
        return frozenset(self._claiming.get(key, ()))

    def settle(self, path: str, edges: Sequence[Edge]) -> tuple[Edge, ...]:
        """The edges that the file owns: its own but for those that another has by a stronger claim, and mirrors.

        ``edges`` are those that ``put`` got for this path.
        """
        if path not in self._of:
            return tuple(edges)
        kept = [edge for edge in edges if edge.scope != "note" or self._owner(edge.edge_id) in (path, None)]
        held = {edge.edge_id for edge in kept}
        for identity, originals in _originals(edges, self._kinds).items():
            key = edge_id(*identity, "")
            if self._verdicts.get((*identity, "")) == "reject":
                continue
            if key not in held and self._owner(key) == path:
                log.debug("mirror %s -> %s: %s", *identity)
                kept.append(_mirror(identity, originals))
        return tuple(kept)

    def _owner(self, key: str) -> str | None:
        """The path whose claim is the strongest; of equal ones that of the first path. None if nobody claims it."""
        said = key in self._saying
        best: tuple[Claim, str] | None = None
        for path, claim in self._claiming.get(key, {}).items():
            if said and claim.mirror:
                continue
            if best is None or claim > best[0] or (claim == best[0] and path < best[1]):
                best = claim, path
        return best[1] if best else None


def _drop(index: dict[str, dict[str, V]], key: str, path: str) -> None:
    del index[key][path]
    if not index[key]:
        del index[key]


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


def _mirror(identity: Identity, originals: Sequence[Edge]) -> Edge:
    source, target, kind = identity
    best = min(originals, key=lambda edge: (-edge.confidence, edge.line, edge.edge_id))
    return replace(
        best,
        edge_id=edge_id(source, target, kind, ""),
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
