"""Types of notes and the values in force for one: frontmatter beats type beats default."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pathspec

from mindnet.errors import ConfigError
from mindnet.nearest import did_you_mean
from mindnet.records import Fault, ParsedNote

DEFAULT = "default"
SKIP = "skip"
LOWEST_WEIGHT, HIGHEST_WEIGHT = 0.1, 1.0


@dataclass(frozen=True, slots=True)
class ChunkProfile:
    """``max_tokens`` of a chunk's text; headings of ``split_level`` or above start a new chunk.

    ``overlap_tokens`` of each neighbour go into the window.
    """

    name: str
    max_tokens: int
    split_level: int
    overlap_tokens: int


@dataclass(frozen=True, slots=True)
class NoteType:
    """What notes of one type have unless their frontmatter says otherwise; names are in lower case."""

    name: str
    chunk_profile: str
    retriever_weight: float
    edge_defaults: tuple[str, ...]
    paths: pathspec.GitIgnoreSpec
    smart_edges: bool


@dataclass(frozen=True, slots=True)
class EffectiveValues:
    """What applies to one note; ``indexed`` is False for one that is not searched at all."""

    type: str
    status: str | None
    retriever_weight: float
    chunk_profile: ChunkProfile
    edge_defaults: tuple[str, ...]
    indexed: bool
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class TypeRegistry:
    """Types, chunk profiles and status scores; ``skipped`` are the statuses that are not indexed."""

    types: Mapping[str, NoteType]
    profiles: Mapping[str, ChunkProfile]
    status_scores: Mapping[str, float]
    skipped: frozenset[str]

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> TypeRegistry:
        """From the content of ``types.yaml``; keys that a type leaves out are those of ``default``.

        ``ConfigError`` where a type names a chunk profile that is not there.
        """
        profiles = {
            name: ChunkProfile(name, entry["max_tokens"], entry["split_level"], entry.get("overlap_tokens", 0))
            for name, entry in data["chunk_profiles"].items()
        }
        written = {DEFAULT: {}, **{name.lower(): entry for name, entry in data["types"].items()}}
        base = {"chunk_profile": "medium", "retriever_weight": 0.6, "edge_defaults": ["references"]} | written[DEFAULT]
        types = {}
        for name, entry in written.items():
            values = base | entry
            profile = values["chunk_profile"]
            if profile not in profiles:
                raise ConfigError(
                    f"there is no profile `{profile}`.",
                    hint=did_you_mean(profile, profiles),
                    file="types",
                    key=("types", name, "chunk_profile"),
                )
            types[name] = NoteType(
                name,
                profile,
                float(values["retriever_weight"]),
                tuple(values["edge_defaults"]),
                pathspec.GitIgnoreSpec.from_lines(entry.get("paths") or ()),
                bool(entry.get("smart_edges", False)),
            )
        status = {name.lower(): value for name, value in (data.get("status") or {}).items()}
        scores = {name: float(value) for name, value in status.items() if value != SKIP}
        return cls(types, profiles, scores, frozenset(name for name, value in status.items() if value == SKIP))

    def type_of(self, note: ParsedNote) -> tuple[str, Fault | None]:
        """The note's type by its frontmatter, else by the first path rule that matches; a fault for an unknown one."""
        written, odd = text_value(note, "type")
        if written is not None:
            name = written.lower()
            if name in self.types:
                return name, odd
            return DEFAULT, _fault(
                note, "type", f"the type {name!r} is not known; it counts as default", "unknown_type"
            )
        for name, found in self.types.items():
            if name != DEFAULT and found.paths.match_file(note.path):
                return name, odd
        return DEFAULT, odd

    def indexed(self, note: ParsedNote) -> bool:
        """False for a note whose status says that it is not searched at all."""
        status = text_value(note, "status")[0]
        return status is None or status.lower() not in self.skipped

    def effective(self, note: ParsedNote) -> EffectiveValues:
        """The values in force for a note; what its frontmatter has wrong is reported and does not count."""
        name, type_fault = self.type_of(note)
        own = self.types[name]
        status, status_fault = text_value(note, "status")
        status = status.lower() if status is not None else None
        faults = [fault for fault in (type_fault, status_fault) if fault is not None]
        if status is not None and status not in self.status_scores and status not in self.skipped:
            message = f"the status {status!r} is not known; it counts 1.0"
            faults.append(_fault(note, "status", message, "unknown_status"))
        values: dict[str, Any] = {
            "chunk_profile": own.chunk_profile,
            "retriever_weight": own.retriever_weight,
            "edge_defaults": own.edge_defaults,
        }
        for key, read in READERS.items():
            written = note.frontmatter.get(key)
            if written is None or (key == "chunk_profile" and written == DEFAULT):
                continue
            try:
                values[key] = read(written, self.profiles)
            except ValueError as problem:
                faults.append(_fault(note, key, f"{problem}; the type's value is used"))
        return EffectiveValues(
            type=name,
            status=status,
            retriever_weight=values["retriever_weight"],
            chunk_profile=self.profiles[values["chunk_profile"]],
            edge_defaults=values["edge_defaults"],
            indexed=self.indexed(note),
            faults=tuple(faults),
        )


# ------------------------------------------------------------------ frontmatter values
def text_value(note: ParsedNote, key: str) -> tuple[str | None, Fault | None]:
    """A key's value where a text belongs, None where there is none; of a list its first text, with a fault."""
    written = note.frontmatter.get(key)
    if written is None:
        return None, None
    if isinstance(written, list):
        first = next((item for item in written if _is_text(item)), None)
        fault = _fault(note, key, f"{key} is a list where a text belongs; its first entry is used")
        return (str(first).strip() or None) if first is not None else None, fault
    if _is_text(written):
        return str(written).strip() or None, None
    return None, _fault(note, key, f"{key} is {written!r} where a text belongs; it is left out")


def _is_text(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def _fault(note: ParsedNote, key: str, message: str, code: str = "frontmatter_value") -> Fault:
    return Fault(note.path, note.frontmatter_lines.get(key, 0), code, message)


def _profile(written: Any, profiles: Iterable[str]) -> str:
    known = {name.lower(): name for name in profiles}
    if not isinstance(written, str) or written.strip().lower() not in known:
        raise ValueError(f"there is no chunk profile {written!r}")
    return known[written.strip().lower()]


def _weight(written: Any, _: Iterable[str]) -> float:
    problem = ValueError(f"retriever_weight is {written!r}, not a number from {LOWEST_WEIGHT} to {HIGHEST_WEIGHT}")
    if isinstance(written, bool) or not isinstance(written, str | int | float):
        raise problem
    try:
        weight = float(written)
    except ValueError:
        raise problem from None
    if not math.isfinite(weight) or not LOWEST_WEIGHT <= weight <= HIGHEST_WEIGHT:
        raise problem
    return weight


def _kinds(written: Any, _: Iterable[str]) -> tuple[str, ...]:
    kinds = written.split(",") if isinstance(written, str) else written
    if not isinstance(kinds, list) or not all(isinstance(kind, str) for kind in kinds):
        raise ValueError("edge_defaults is not a list of kinds")
    return tuple(dict.fromkeys(kind.strip() for kind in kinds if kind.strip()))


READERS: Mapping[str, Callable[[Any, Iterable[str]], Any]] = {
    "chunk_profile": _profile,
    "retriever_weight": _weight,
    "edge_defaults": _kinds,
}
"""Frontmatter key to the function that reads its value; ``ValueError`` says what is wrong with it."""
