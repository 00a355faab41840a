"""What texts are called: how fully a question names each of many names.

A name that the question has in full counts most, one of which it has half a quarter of that; and a
name counts more the more of the question it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mindnet.store.analysis import Word
from mindnet.store.coverage import Coverage, terms
from mindnet.store.manifest import Manifest
from mindnet.store.postings import Floats, Segment
from mindnet.store.segments import Segments


def naming(names: Segment, asked: Sequence[Word], coverage: Coverage) -> Floats:
    """For each name 0..1; ``names.lengths`` are their numbers of words, ``coverage`` says how rare words are."""
    matched = np.zeros(len(names))
    weight = np.zeros(len(names))
    total = 0.0
    for word in asked:
        # A word is in few names: only those are touched.
        has = np.unique(np.concatenate([names.postings(term)[0] for term in terms(word)]))
        idf = coverage.idf(word)
        total += idf
        matched[has] += 1.0
        weight[has] += idf
    named: Floats = np.zeros(len(names))
    found = np.flatnonzero(matched)
    share = np.minimum(matched[found] / np.maximum(names.lengths[found], 1.0), 1.0)
    named[found] = share**2 * np.sqrt(weight[found] / (total or 1.0))
    return named


class NameIndex:
    """The titles, file names and aliases of all notes, as the manifest keeps them."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._segments = Segments(Segment.build, Segment.merge)

    def scores(self, asked: Sequence[Word], coverage: Coverage) -> Mapping[str, float]:
        """By note id how fully the question names the note, by its best name; those that it does not are left out."""
        best: dict[str, float] = {}
        for segment in self._segments:
            named = naming(segment, asked, coverage)
            for place in np.flatnonzero(segment.alive & (named > 0)).tolist():
                note_id = segment.note_ids[place]
                best[note_id] = max(best.get(note_id, 0.0), float(named[place]))
        return best

    def refresh(self) -> None:
        """Takes in what the manifest has learned; to be called with the manifest held."""
        self._segments.refresh(self._manifest.name_table)
