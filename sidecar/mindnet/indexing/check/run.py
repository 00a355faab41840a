"""The whole check: rules that span notes, then each file by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mindnet.indexing.check import edges, structure, texts, vectors
from mindnet.indexing.check.problem import Problem
from mindnet.indexing.check.rebuilt import Rebuilt, rebuilt
from mindnet.indexing.check.stale import Stale, new_and_gone
from mindnet.indexing.check.state import State, read_state
from mindnet.indexing.pipeline import Pipeline
from mindnet.store.kept import strays
from mindnet.store.lexical import LexicalIndex
from mindnet.store.port import Store

FIELDS = ("id", "type", "title")
"""What a strict check expects of a note's frontmatter."""

RULES: tuple[Callable[[State], Iterator[Problem]], ...] = (
    structure.payload_schema,
    structure.payload_indexes,
    structure.manifest_agrees,
    structure.chunk_chain,
    structure.structure_edges,
    structure.inherited_values,
    edges.edge_ends,
    edges.edge_identity,
    edges.protected_kinds,
    edges.mirrors_complete,
    structure.lexical_agrees,
)
"""Rules on all points together."""
FILE_RULES: tuple[Callable[[Rebuilt, Pipeline], Iterator[Problem]], ...] = (
    texts.round_trip,
    texts.note_says,
    texts.chunks_say,
    texts.edges_say,
    texts.entry_says,
    texts.words_say,
)
"""Rules on one file and what is stored of it."""
BATCH_RULES: tuple[Callable[[Sequence[Rebuilt], Pipeline], Iterator[Problem]], ...] = (vectors.vectors_fit,)
"""Rules on some files at a time, where asking for each would take long."""


@dataclass(frozen=True, slots=True)
class Checked:
    """``problems`` in the order of the rules; ``stale`` are the files that could not be compared, as they changed."""

    problems: list[Problem]
    stale: Stale


def check_index(pipeline: Pipeline, lexical: LexicalIndex, *, files: bool = True) -> Checked:
    """Every problem found; none for a clean index, whatever the vault has become since.

    Without ``files`` only what is stored is looked at, which takes a fraction of the time: no file
    is read and built again to be compared with it.
    """
    state = read_state(pipeline, lexical)
    problems = [problem for rule in RULES for problem in rule(state)]
    paths = sorted(entry.path for entry in state.entries)
    del state
    problems += _kept_for_nobody(pipeline)
    if not files:
        return Checked(list(dict.fromkeys(problems)), Stale())
    stale = new_and_gone(pipeline)
    for some in rebuilt(pipeline, paths, stale):
        for one in some:
            problems += (problem for rule in FILE_RULES for problem in rule(one, pipeline))
        problems += (problem for rule in BATCH_RULES for problem in rule(some, pipeline))
    return Checked(list(dict.fromkeys(problems)), stale)


def _kept_for_nobody(pipeline: Pipeline) -> Iterator[Problem]:
    for table, number in strays(pipeline.manifest).items():
        if number:
            yield Problem("words_stray", table, f"{number} rows of the manifest belong to no file")


def missing_fields(store: Store) -> list[Problem]:
    """A remark for each note whose frontmatter lacks ``id``, ``type`` or ``title``; none of them is mandatory."""
    remarks = []
    for note in store.scroll("notes"):
        written = {key.lower() for key, value in note["frontmatter"].items() if value not in (None, "")}
        if lacking := [field for field in FIELDS if field not in written]:
            message = f"the frontmatter has no {', '.join(f'`{field}`' for field in lacking)}"
            remarks.append(Problem("field_missing", note["path"], message))
    return sorted(remarks, key=lambda remark: remark.id)
