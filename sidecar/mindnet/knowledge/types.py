"""Types of notes and the values in force for one: frontmatter beats type beats default."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pathspec

from mindnet.records import Fault, ParsedNote

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class ChunkProfile:
    """``max_tokens`` of a chunk's text; headings of ``split_level`` or above end a chunk."""

    name: str
    max_tokens: int
    split_level: int
    overlap_tokens: int


@dataclass(frozen=True, slots=True)
class NoteType:
    name: str
    chunk_profile: str
    retriever_weight: float
    edge_defaults: tuple[str, ...]
    paths: pathspec.GitIgnoreSpec


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
    types: Mapping[str, NoteType]
    profiles: Mapping[str, ChunkProfile]
    status_scores: Mapping[str, float]
    skipped: frozenset[str]

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> TypeRegistry:
        """From the content of ``types.yaml``; keys that a type leaves out are those of ``default``."""
        profiles = {
            name: ChunkProfile(name, entry["max_tokens"], entry["split_level"], entry.get("overlap_tokens", 0))
            for name, entry in data["chunk_profiles"].items()
        }
        base = {"chunk_profile": "medium", "retriever_weight": 0.6, "edge_defaults": ["references"]}
        base |= data["types"].get(DEFAULT, {})
        types = {
            name: NoteType(
                name,
                entry.get("chunk_profile", base["chunk_profile"]),
                float(entry.get("retriever_weight", base["retriever_weight"])),
                tuple(entry.get("edge_defaults", base["edge_defaults"])),
                pathspec.GitIgnoreSpec.from_lines(entry.get("paths", ())),
            )
            for name, entry in {DEFAULT: {}, **data["types"]}.items()
        }
        status = data.get("status", {})
        scores = {name: float(value) for name, value in status.items() if value != "skip"}
        return cls(types, profiles, scores, frozenset(name for name, value in status.items() if value == "skip"))

    def type_of(self, note: ParsedNote) -> tuple[str, Fault | None]:
        """The note's type, and a fault when the one written is not known."""
        written = note.frontmatter.get("type")
        if isinstance(written, str) and written.strip():
            name = written.strip().lower()
            if name in self.types:
                return name, None
            return DEFAULT, Fault(
                note.path, note.frontmatter_lines.get("type", 0), "unknown_type", f"the type {name!r} is not known"
            )
        for name, found in self.types.items():
            if name != DEFAULT and found.paths.match_file(note.path):
                return name, None
        return DEFAULT, None

    def status_of(self, note: ParsedNote) -> str | None:
        written = note.frontmatter.get("status")
        return written.strip().lower() if isinstance(written, str) and written.strip() else None

    def effective(self, note: ParsedNote) -> EffectiveValues:
        name, fault = self.type_of(note)
        own = self.types[name]
        faults = [fault] if fault else []
        status = self.status_of(note)
        if status is not None and status not in self.status_scores and status not in self.skipped:
            message = f"the status {status!r} is not known; it counts 1.0"
            faults.append(Fault(note.path, note.frontmatter_lines.get("status", 0), "unknown_status", message))
        profile = own.chunk_profile
        weight = own.retriever_weight
        defaults = own.edge_defaults
        for key in ("chunk_profile", "retriever_weight", "edge_defaults"):
            if (written := note.frontmatter.get(key)) is None:
                continue
            problem = ""
            if key == "chunk_profile":
                if written in self.profiles:
                    profile = written
                elif written != DEFAULT:
                    problem = f"there is no chunk profile {written!r}"
            elif key == "retriever_weight":
                if isinstance(written, int | float) and not isinstance(written, bool) and math.isfinite(written):
                    weight = min(max(float(written), 0.0), 1.0)
                else:
                    problem = f"retriever_weight is {written!r}, not a number"
            else:
                kinds = [written] if isinstance(written, str) else written
                if isinstance(kinds, list) and all(isinstance(kind, str) for kind in kinds):
                    defaults = tuple(kinds)
                else:
                    problem = "edge_defaults is not a list of kinds"
            if problem:
                line = note.frontmatter_lines.get(key, 0)
                faults.append(Fault(note.path, line, "frontmatter_value", f"{problem}; the type's value is used"))
        return EffectiveValues(
            type=name,
            status=status,
            retriever_weight=weight,
            chunk_profile=self.profiles[profile],
            edge_defaults=defaults,
            indexed=status not in self.skipped,
            faults=tuple(faults),
        )
