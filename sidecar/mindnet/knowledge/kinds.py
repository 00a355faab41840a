"""The registry of kinds: what a written relation is called, and what may be written at all."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import process

RELATED = "related_to"
REFERENCES = "references"
_GAPS = re.compile(r"[\s\-_]+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


@dataclass(frozen=True, slots=True)
class Kind:
    """A canonical kind. ``weight`` is what an edge of it adds to a score."""

    name: str
    inverse: str | None
    symmetric: bool
    protected: bool
    weight: float


@dataclass(frozen=True, slots=True)
class NormalisedKind:
    """What a written kind became. ``nearest`` is a suggestion for an unknown one; ``refused`` one that is protected."""

    name: str
    known: bool
    nearest: str | None = None
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class KindRegistry:
    kinds: Mapping[str, Kind]
    names: Mapping[str, str]
    matrix: Mapping[tuple[str, str], str]
    note_scope_headings: frozenset[str]
    candidate_headings: frozenset[str]

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> KindRegistry:
        """From the content of ``edges.yaml``."""
        kinds: dict[str, Kind] = {}
        names: dict[str, str] = {}
        for name, entry in data["kinds"].items():
            kinds[name] = Kind(
                name,
                entry.get("inverse"),
                bool(entry.get("symmetric", False)),
                bool(entry.get("protected", False)),
                float(entry.get("weight", 1.0)),
            )
        for name, entry in data["kinds"].items():
            for alias in entry.get("aliases", ()):
                names.setdefault(_key(alias), name)
        names.update({_key(name): name for name in kinds})
        matrix = {(s, t): kind for s, row in data.get("matrix", {}).items() for t, kind in row.items()}
        return cls(
            kinds,
            names,
            matrix,
            _headings(data.get("note_scope_headings", ())),
            _headings(data.get("candidate_headings", ())),
        )

    @property
    def protected(self) -> frozenset[str]:
        return frozenset(name for name, kind in self.kinds.items() if kind.protected)

    def known(self, written: str) -> bool:
        return _key(written) in self.names

    def normalise(self, written: str) -> NormalisedKind:
        """The canonical kind; an unknown one in lower case with ``_``, a protected one as ``related_to``."""
        name = self.names.get(_key(written))
        if name is None:
            nearest = process.extractOne(_key(written), list(self.names))
            kept = _GAPS.sub("_", unicodedata.normalize("NFC", written).strip().lower()).strip("_")
            return NormalisedKind(kept or RELATED, known=False, nearest=self.names[nearest[0]] if nearest else None)
        if self.kinds[name].protected:
            return NormalisedKind(RELATED, known=True, refused=name)
        return NormalisedKind(name, known=True)

    def weight(self, kind: str) -> float:
        found = self.kinds.get(kind)
        return found.weight if found else 1.0

    def symmetric(self, kind: str) -> bool:
        found = self.kinds.get(kind)
        return found is not None and found.symmetric


def _key(written: str) -> str:
    lower = unicodedata.normalize("NFC", written).strip().lower().translate(_UMLAUTS)
    return _GAPS.sub("_", lower).strip("_")


def _headings(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(heading_key(text) for text in texts)


def heading_key(text: str) -> str:
    """A heading as zones compare it: case and white space aside."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())
