"""Entries of a manifest for notes that no pipeline has built."""

from __future__ import annotations

from mindnet.store.manifest import ManifestEntry


def entry(
    path: str, note_id: str | None = None, *, indexed: bool = True, keys: frozenset[str] | None = frozenset()
) -> ManifestEntry:
    """The entry of a note with one chunk; its id is the file's name if none is given."""
    return ManifestEntry(
        path=path,
        note_id=path.removesuffix(".md") if note_id is None else note_id,
        size=1,
        mtime_ns=2,
        file_hash="f",
        body_hash="b",
        front_hash="h",
        body_line=1,
        payload_hash="p",
        chunks=1,
        edges=0,
        fm_id=None,
        title="",
        aliases=(),
        type="default",
        faults=(),
        indexed=indexed,
        stake={},
        counts={},
        link_keys=keys,
    )
