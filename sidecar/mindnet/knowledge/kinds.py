"""The registry of kinds: what a written relation is called, and what may be written at all."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from mindnet.errors import ConfigError
from mindnet.nearest import OF_MANY, did_you_mean, nearest

RELATED = "related_to"
REFERENCES = "references"
BACKLINK = "backlink"
STRUCTURAL = frozenset({"belongs_to", "next", "prev", BACKLINK})
"""Kinds that mindnet makes from the structure of notes; no setting lets anything else make them."""
_GAPS = re.compile(r"[\s\-_]+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


@dataclass(frozen=True, slots=True)
class Kind:
    """A canonical kind. ``inverse`` is the same relation read from the other end; ``weight`` counts in a score."""

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
    """``names`` maps every folded name and alias to its kind; ``matrix`` is keyed by the types of both ends.

    ``inverses`` are the kinds that a mirror can have.
    """

    kinds: Mapping[str, Kind]
    names: Mapping[str, str]
    matrix: Mapping[tuple[str, str], str]
    note_scope_headings: frozenset[str]
    candidate_headings: frozenset[str]
    inverses: frozenset[str]
    note_scope_references: bool

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> KindRegistry:
        """From the content of ``edges.yaml``.

        Of two kinds with the same alias the later one has it, so that a user's own kind may take
        over a shipped alias; a kind's own name beats every alias. An inverse that only one of the
        two names holds for both. ``ConfigError`` where a kind is named that is not there, or one
        that mindnet makes alone would be made otherwise.
        """
        kinds = {
            name: Kind(
                name,
                entry.get("inverse"),
                bool(entry.get("symmetric", False)),
                bool(entry.get("protected", False)),
                float(entry.get("weight", 1.0)),
            )
            for name, entry in data["kinds"].items()
        }
        names = {kind_key(alias): name for name, entry in data["kinds"].items() for alias in entry.get("aliases") or ()}
        names |= {kind_key(name): name for name in kinds}
        for needed in (REFERENCES, RELATED):
            if needed not in kinds:
                message = f"`{needed}` is missing; plain links and candidates need it."
                raise ConfigError(message, file="edges", key=("kinds", needed))
        for kind in list(kinds.values()):
            if kind.name in STRUCTURAL and not kind.protected:
                raise _refused(kind.name, "kinds", kind.name, "protected")
            if kind.inverse is None:
                continue
            _require(kind.inverse, kinds, "kinds", kind.name, "inverse")
            other = kinds[kind.inverse]
            if other.protected and not kind.protected:
                raise _refused(other.name, "kinds", kind.name, "inverse")
            if other.inverse is None and not other.symmetric:
                kinds[other.name] = replace(other, inverse=kind.name)
        matrix = {}
        for source, row in (data.get("matrix") or {}).items():
            for target, written in row.items():
                name = names.get(kind_key(written), written)
                _require(name, kinds, "matrix", source, target)
                if kinds[name].protected:
                    raise _refused(name, "matrix", source, target)
                matrix[source.lower(), target.lower()] = name
        return cls(
            kinds,
            names,
            matrix,
            _headings(data.get("note_scope_headings") or ()),
            _headings(data.get("candidate_headings") or ()),
            frozenset(kind.inverse for kind in kinds.values() if kind.inverse is not None and not kind.symmetric),
            bool(data.get("note_scope_references", False)),
        )

    @property
    def protected(self) -> frozenset[str]:
        return frozenset(name for name, kind in self.kinds.items() if kind.protected)

    def known(self, written: str) -> bool:
        """Whether ``written`` is a kind or an alias of one."""
        return kind_key(written) in self.names

    def normalise(self, written: str) -> NormalisedKind:
        """The canonical kind; an unknown one in lower case with ``_``, a protected one as ``related_to``."""
        key = kind_key(written)
        name = self.names.get(key)
        if name is None:
            writable = [one for one, kind in self.names.items() if not self.kinds[kind].protected]
            near = nearest(key, writable)
            kept = _GAPS.sub("_", unicodedata.normalize("NFC", written).strip().lower()).strip("_")
            return NormalisedKind(kept or RELATED, known=False, nearest=self.names[near] if near else None)
        if self.kinds[name].protected:
            return NormalisedKind(RELATED, known=True, refused=name)
        return NormalisedKind(name, known=True)

    def weight(self, kind: str) -> float:
        """What an edge of this kind counts in a score; 1.0 for one that is not in the registry."""
        found = self.kinds.get(kind)
        return found.weight if found else 1.0

    def symmetric(self, kind: str) -> bool:
        found = self.kinds.get(kind)
        return found is not None and found.symmetric

    def inverse(self, kind: str) -> str | None:
        """The kind of the mirror of an edge, None where there is none (``references``, symmetric and own kinds)."""
        found = self.kinds.get(kind)
        return None if found is None or found.symmetric else found.inverse


def _require(name: str, kinds: Mapping[str, Kind], *key: str) -> None:
    if name not in kinds:
        writable = [kind.name for kind in kinds.values() if not kind.protected]
        raise ConfigError(
            f"there is no kind `{name}`.", hint=did_you_mean(name, writable, OF_MANY), file="edges", key=key
        )


def _refused(name: str, *key: str) -> ConfigError:
    return ConfigError(f"`{name}` is made by mindnet alone.", file="edges", key=key)


@lru_cache(10_000)
def kind_key(written: str) -> str:
    """A kind as it is looked up: case, spaces, ``-`` and ``_`` alike, umlauts in either spelling."""
    lower = unicodedata.normalize("NFC", written).strip().lower().translate(_UMLAUTS)
    return _GAPS.sub("_", lower).strip("_")


def _headings(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(heading_key(text) for text in texts)


def heading_key(text: str) -> str:
    """A heading as zones compare it: case and white space aside."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())
