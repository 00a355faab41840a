"""What the user has decided of relations that a rule or a model found.

Decisions stand beside the index and are no part of it: whoever builds an index anew builds it by them.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from mindnet.errors import StoreError, folder_fault
from mindnet.records import Relation, Verdict, Verdicts
from mindnet.settings.folders import write_private

FILE = "decisions.json"


@dataclass(frozen=True, slots=True)
class Decision:
    """``edge_ids`` are all edges that the relation had when it was decided, ``owners`` the notes that had them.

    ``rule_id`` and ``provenance`` are what the edge had then, ``decided_at`` is in milliseconds since 1970.
    """

    source: str
    target: str
    kind: str
    section: str
    verdict: Verdict
    edge_ids: tuple[str, ...]
    owners: tuple[str, ...]
    rule_id: str
    provenance: str
    decided_at: int

    @property
    def relation(self) -> Relation:
        return self.source, self.target, self.kind, self.section


class Decisions:
    """The decisions in a file, which is written anew with each; may be used from several threads.

    Raises ``StoreError`` for a file that cannot be read: to go on without would bring back what was rejected.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._all = {one.relation: one for one in read(file)}
        self._verdicts: dict[Relation, Verdict] = {key: one.verdict for key, one in self._all.items()}

    @property
    def verdicts(self) -> Verdicts:
        """By relation what was decided; always as it is now."""
        return self._verdicts

    def all(self) -> list[Decision]:
        """The latest first."""
        return sorted(self._all.copy().values(), key=lambda one: (-one.decided_at, one.relation))

    def get(self, relation: Relation) -> Decision | None:
        return self._all.get(relation)

    def of_edge(self, edge_id: str) -> Decision | None:
        """The decision on an edge, which may be gone since."""
        return next((one for one in self.all() if edge_id in one.edge_ids), None)

    def put(self, decision: Decision) -> None:
        """Takes the place of an earlier decision on the same relation; raises what a full disk raises."""
        self._write({**self._all, decision.relation: decision})

    def remove(self, relation: Relation) -> None:
        self._write({key: one for key, one in self._all.items() if key != relation})

    def moved(self, note_ids: Mapping[str, str]) -> None:
        """Notes that have another id by now take their decisions along."""
        if not any({one.source, one.target} & note_ids.keys() for one in self._all.values()):
            return
        there = [_moved(one, note_ids) for one in self._all.values()]
        self._write({one.relation: one for one in there})

    def _write(self, decisions: dict[Relation, Decision]) -> None:
        with self._lock:
            write(self._file, decisions.values())
            self._all = decisions
            # The same object: those who build the index hold it.
            verdicts = {key: one.verdict for key, one in decisions.items()}
            for gone in self._verdicts.keys() - verdicts.keys():
                del self._verdicts[gone]
            self._verdicts.update(verdicts)

    def acceptance(self) -> Mapping[str, Counter[Verdict]]:
        """By rule how many relations were confirmed and rejected."""
        found: dict[str, Counter[Verdict]] = {}
        for one in self.all():
            found.setdefault(one.rule_id, Counter())[one.verdict] += 1
        return dict(sorted(found.items()))


def _moved(one: Decision, note_ids: Mapping[str, str]) -> Decision:
    return replace(
        one,
        source=note_ids.get(one.source, one.source),
        target=note_ids.get(one.target, one.target),
        owners=tuple(note_ids.get(owner, owner) for owner in one.owners),
    )


def read(file: Path) -> list[Decision]:
    """What stands in a file of decisions, nothing if there is none; raises ``StoreError``."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return [_decision(one) for one in data["decisions"]]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise folder_fault(file, error) or StoreError(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"{file} is damaged: {error}.",
            hint="Correct it, or move it away: then nothing counts as decided, and what was rejected comes back.",
        ) from error


def _decision(data: Mapping[str, Any]) -> Decision:
    found = Decision(**{**data, "edge_ids": tuple(data["edge_ids"]), "owners": tuple(data["owners"])})
    if found.verdict not in ("confirm", "reject"):
        raise ValueError(f"{found.verdict!r} is no verdict")
    return found


def write(file: Path, decisions: Iterable[Decision]) -> None:
    ordered = sorted(decisions, key=lambda one: one.relation)
    content = {"decisions": [asdict(one) for one in ordered]}
    write_private(file, json.dumps(content, ensure_ascii=False, indent=1))


def differing(one: Iterable[Decision], other: Iterable[Decision]) -> list[Decision]:
    """Those that stand in one of the two alone, or with another verdict."""
    left, right = ({decision.relation: decision for decision in some} for some in (one, other))
    changed = [key for key in left.keys() | right.keys() if _verdict(left, key) != _verdict(right, key)]
    return [some[key] for key in sorted(changed) for some in (left, right) if key in some]


def _verdict(decisions: Mapping[Relation, Decision], key: Relation) -> Verdict | None:
    return decisions[key].verdict if key in decisions else None
