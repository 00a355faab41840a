"""Edges between whole notes in a real index: they come and go with the links, and no answer changes by them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mindnet.retrieval.search import Query
from mindnet.workspace import Workspace, find_place

NOTES = {
    "Teig.md": "# Teig\n\nDer Teig braucht [[Wasser]] und [[Mehl]].\n\n# Ruhe\n\nOhne [[Wasser#Menge]] keine Ruhe.\n",
    "Wasser.md": "# Wasser\n\n## Menge\n\nEtwa zwei Drittel des Mehls.\n",
    "Mehl.md": "# Mehl\n\nGemahlenes Korn, siehe [[Wasser]].\n",
}


@contextmanager
def indexed(folder: Path, *, derived: bool) -> Iterator[Workspace]:
    vault, config = folder / "vault", folder / f"config-{derived}"
    for place in (vault, config):
        place.mkdir(exist_ok=True)
    for path, text in NOTES.items():
        (vault / path).write_text(text, encoding="utf-8")
    (config / "edges.yaml").write_text(f"note_scope_references: {str(derived).lower()}\n", encoding="utf-8")
    (config / "mindnet.yaml").write_text("embedding: {model: hashing}\n", encoding="utf-8")
    with Workspace(find_place(vault, folder / f"data-{derived}", config, {}, {}), {}) as workspace:
        workspace.pipeline.update(None)
        yield workspace


def backlinks(workspace: Workspace) -> set[tuple[str, str]]:
    """(linked note, linking note), by path."""
    path_of = workspace.pipeline.catalog.path_of
    return {
        (path_of(edge["source_id"]) or "?", path_of(edge["target_id"]) or "?")
        for edge in workspace.store.scroll("edges")
        if edge["kind"] == "backlink"
    }


def test_they_go_with_the_note_that_links_and_with_the_note_that_is_linked(tmp_path: Path) -> None:
    with indexed(tmp_path, derived=True) as workspace:
        assert workspace.check() == []
        assert backlinks(workspace) == {
            ("Wasser.md", "Teig.md"),
            ("Mehl.md", "Teig.md"),
            ("Wasser.md", "Mehl.md"),
        }
        (tmp_path / "vault" / "Mehl.md").unlink()
        workspace.pipeline.update(None)
        assert workspace.check() == []
        assert backlinks(workspace) == {("Wasser.md", "Teig.md")}
        (tmp_path / "vault" / "Teig.md").write_text("# Teig\n\nOhne alles.\n", encoding="utf-8")
        workspace.pipeline.update(None)
        assert workspace.check() == []
        assert backlinks(workspace) == set()


def test_answers_are_the_same_with_and_without_them(tmp_path: Path) -> None:
    answers = []
    for derived in (False, True):
        with indexed(tmp_path, derived=derived) as workspace:
            assert bool(backlinks(workspace)) == derived
            result = workspace.searcher.search(Query("Wie viel Wasser braucht der Teig?", depth=2, explain=True))
            answers.append([(hit.chunk.chunk_id, hit.total_score, hit.explanation) for hit in result.hits])
    assert answers[0]
    assert answers[0] == answers[1]
