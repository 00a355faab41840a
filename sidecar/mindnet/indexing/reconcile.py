"""At start: does the store hold what the manifest says? Where it does not, the note is done again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from mindnet.store.manifest import ManifestEntry
from mindnet.store.port import Collection, Store


def differing(store: Store, entries: Iterable[ManifestEntry]) -> tuple[frozenset[str], frozenset[str]]:
    """Paths whose points differ in number from the manifest, and note ids that the manifest does not know.

    The three totals are compared first; only where one differs are the collections read through.
    """
    indexed = [entry for entry in entries if entry.indexed]
    expected: dict[Collection, int] = {
        "notes": len(indexed),
        "chunks": sum(entry.chunks for entry in indexed),
        "edges": sum(entry.edges for entry in indexed),
    }
    if all(store.count(collection) == number for collection, number in expected.items()):
        return frozenset(), frozenset()
    held: dict[Collection, Counter[str]] = {
        collection: Counter(str(payload["note_id"]) for payload in store.scroll(collection)) for collection in expected
    }
    wrong = frozenset(
        entry.path
        for entry in indexed
        if (held["notes"][entry.note_id], held["chunks"][entry.note_id], held["edges"][entry.note_id])
        != (1, entry.chunks, entry.edges)
    )
    known = {entry.note_id for entry in indexed}
    strays = frozenset(note_id for counter in held.values() for note_id in counter if note_id not in known)
    return wrong, strays
