"""A change of settings: the old index answers while the new one is built, which then takes over in one step."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager

import pytest

from mindnet.api.events import Event
from mindnet.api.service import Service
from mindnet.api.wire import IndexSwitchedEvent, QueryRequest, StatusEvent
from mindnet.embedding.bundled import BundledEmbedder
from mindnet.errors import DamagedError, VaultError
from mindnet.indexing.report import Report
from mindnet.retrieval.search import Query
from mindnet.store import files
from mindnet.workspace import Index, Rebuild, Workspace, recipe
from mindnet.workspace.indexes import Indexes
from serving import until
from workspace.builds import BATCH, NOTES, OTHER_EDGES, SMALL_CHUNKS, Site, after_a_batch, counted, held


@contextmanager
def running(site: Site) -> Iterator[tuple[Service, Future[Report]]]:
    with site.open() as workspace:
        service = Service(workspace)
        first_scan = service.start()
        try:
            yield service, first_scan
        finally:
            service.stop()


def paths(service: Service, question: str) -> list[str]:
    return [hit.path for hit in service.query(QueryRequest(query=question)).hits]


def best(workspace: Workspace, question: str) -> str:
    return first(workspace.index, question)


def first(index: Index, question: str) -> str:
    """By its words: the embedder without a model takes many words for one another."""
    return index.searcher.search(Query(question, mode="lexical")).hits[0].chunk.path


# ------------------------------------------------------------------ while it is built
def test_another_model_is_built_in_while_the_old_one_answers_and_is_kept_up(
    indexed: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    (old,) = indexed.builds()
    published: list[Event] = []
    indexed.settings(model="bundled")
    with held(BundledEmbedder) as gate, running(indexed) as (service, scan):
        assert gate.reached.wait(60)
        answer = service.query(QueryRequest(query="word7"))
        assert answer.hits[0].path == "Note 7.md"
        assert answer.rebuild is not None
        assert answer.rebuild.beside
        assert "embedding model has changed" in answer.rebuild.reason
        status = service.status()
        assert (status.state, status.indexed, status.total) == ("indexing", 0, NOTES)
        assert status.rebuild == answer.rebuild
        assert (answer.rebuild.notes, answer.rebuild.total) == (0, NOTES)
        assert (status.embedding.model, status.notes) == ("hashing-64", NOTES)
        assert len(indexed.builds()) == 2

        (indexed.vault / "Fresh.md").write_text("# Fresh\n\nA zyzzyva, saved meanwhile.\n", encoding="utf-8")
        (indexed.vault / "Note 3.md").unlink()
        until(lambda: service.worker._pending is not None)
        monkeypatch.setattr(service.events, "publish", published.append)
        gate.open()
        scan.result(60)
        until(lambda: service.status().state == "idle")
        assert published.count(IndexSwitchedEvent()) == 1
        told = [event.status.rebuild for event in published if isinstance(event, StatusEvent)]
        assert told[0] is not None
        assert told[-1] is None
        status = service.status()
        assert status.rebuild is None
        assert status.embedding.dimension == 512
        assert paths(service, "zyzzyva")[0] == "Fresh.md"
        assert "Note 3.md" not in paths(service, "word3")
        assert service.query(QueryRequest(query="word7")).rebuild is None
        assert service.check(strict=False, files=True).problems == []
    (new,) = indexed.builds()
    assert new != old
    indexed.assert_clean(new)


def test_what_is_saved_between_two_batches_is_found_before_the_switch(indexed: Site) -> None:
    indexed.settings(types=SMALL_CHUNKS)
    with indexed.open() as workspace:
        saved = indexed.vault / "Saved.md"
        seen: list[tuple[str, Rebuild | None]] = []

        def save(at_once: object) -> None:
            if not seen:
                saved.write_text("# Saved\n\nA quokka.\n", encoding="utf-8")
                at_once(frozenset({"Saved.md"}), True)  # type: ignore[operator]
                seen.append((best(workspace, "quokka"), workspace.rebuild()))

        steps: list[str] = []
        found: list[str] = []
        workspace.update(None, between=save, on_step=steps.append, on_indexed=found.append)
        ((path, rebuild),) = seen
        assert path == "Saved.md"
        assert rebuild is not None
        assert rebuild.beside
        # What can be found is told once, and each note of the new index is a step.
        assert found == ["Saved.md"]
        assert sorted(steps) == sorted([*(f"Note {n}.md" for n in range(NOTES)), "Saved.md"])
        build = workspace.index.recipe.build
    indexed.assert_clean(build)


def test_who_asks_during_the_switch_gets_an_answer_of_one_index(indexed: Site) -> None:
    (old,) = indexed.builds()
    indexed.settings(types=SMALL_CHUNKS)
    with indexed.open() as workspace:
        with workspace.serving() as taken:
            workspace.update(None)
            assert workspace.index is not taken
            assert first(taken, "word5") == "Note 5.md"
            assert taken.searcher.search(Query("word5")).hits
            assert old in indexed.builds()
        assert indexed.builds() == [workspace.index.recipe.build]
        assert best(workspace, "word5") == "Note 5.md"


def test_rules_of_edges_alone_are_changed_without_embedding(indexed: Site) -> None:
    indexed.settings(edges=OTHER_EDGES)
    with counted() as given, indexed.open() as workspace:
        assert "edges.yaml" in (workspace.rebuilt or "")
        report = workspace.update(None)
        assert (report.written, report.embedded) == (NOTES, 0)
        assert [text for text in given if text != "mindnet"] == []
    indexed.assert_clean(workspace.index.recipe.build)


def test_an_index_that_lost_a_note_while_it_was_built_is_mended_before_it_takes_over(indexed: Site) -> None:
    indexed.settings(types=SMALL_CHUNKS)
    with indexed.open() as workspace:
        new = workspace._indexes._next
        assert new is not None

        def lose(path: str) -> None:
            new.store.remove_notes([new.pipeline.entries[path].note_id])

        workspace.update(None, on_step=lose)
        assert workspace.index is new
    indexed.assert_clean(new.recipe.build)


def test_a_new_model_that_fails_leaves_the_old_one_answering(indexed: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    indexed.settings(model="bundled")

    def fail(*_: object) -> None:
        raise RuntimeError("no memory")

    with monkeypatch.context() as patch:
        patch.setattr(BundledEmbedder, "embed_passages", fail)
        with running(indexed) as (service, _):
            until(lambda: service.status().state == "error")
            assert "no memory" in (service.status().error or "")
            assert paths(service, "word2")[0] == "Note 2.md"
            patch.undo()
            # The next save takes the whole build up again.
            (indexed.vault / "Fresh.md").write_text("# Fresh\n", encoding="utf-8")
            until(lambda: service.status().state == "idle")
            assert service.status().rebuild is None
    indexed.assert_clean(indexed.builds()[0])


# ------------------------------------------------------------------ a change of mind
def models(site: Site) -> dict[str, int]:
    """The models of which vectors are known, with their numbers of vectors."""
    with closing(sqlite3.connect(site.data / files.VECTORS)) as db:
        asked = "SELECT name, count(window_hash) FROM models LEFT JOIN vectors ON model = number GROUP BY name"
        return dict(db.execute(asked).fetchall())


def test_vectors_of_the_old_model_go_when_the_new_index_answers_and_not_before(indexed: Site) -> None:
    held = models(indexed)["hashing-64"]
    indexed.settings(model="hashing-512")
    indexed.begun()
    assert models(indexed)["hashing-64"] == held
    assert 0 < models(indexed)["hashing-512"] < held
    indexed.settings()
    with indexed.open() as workspace:
        assert workspace.update(None).embedded == 0
    indexed.settings(model="hashing-512")
    indexed.indexed()
    assert models(indexed) == {"hashing-512": held}
    indexed.settings(types=SMALL_CHUNKS, model="hashing-512")
    indexed.indexed()
    assert models(indexed)["hashing-512"] > held, "of the same model all are kept"


def test_vectors_that_a_kill_left_behind_go_at_the_next_start(indexed: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    indexed.settings(model="hashing-512")
    with monkeypatch.context() as killed:
        killed.setattr(Indexes, "forget_vectors", lambda _: None)
        indexed.indexed()
    assert models(indexed).keys() == {"hashing-64", "hashing-512"}
    with indexed.open():
        pass
    assert models(indexed).keys() == {"hashing-512"}


def test_an_index_of_no_note_does_not_take_the_place_of_one_that_has_some(indexed: Site) -> None:
    (old,) = indexed.builds()
    notes = {file: file.read_bytes() for file in indexed.vault.glob("*.md")}
    for file in notes:
        file.unlink()
    indexed.settings(types=SMALL_CHUNKS)
    with indexed.open() as workspace:
        with pytest.raises(VaultError, match="no note left"):
            workspace.update(None)
        assert workspace.index.recipe.build == old
        assert best(workspace, "word7") == "Note 7.md"
    for file, content in notes.items():
        file.write_bytes(content)
    indexed.assert_clean(indexed.indexed())
    assert old not in indexed.builds()


def test_back_to_the_old_settings_costs_nothing(indexed: Site) -> None:
    (old,) = indexed.builds()
    indexed.settings(types=SMALL_CHUNKS)
    begun = indexed.begun()
    indexed.settings()
    with counted() as given, indexed.open() as workspace:
        assert workspace.rebuilt is None
        assert indexed.builds() == [old] != [begun]
        assert workspace.update(None).written == 0
        assert given == []
    indexed.assert_clean(old)


def test_other_settings_again_remove_what_was_begun_and_the_first_goes_on_answering(indexed: Site) -> None:
    (old,) = indexed.builds()
    indexed.settings(types=SMALL_CHUNKS)
    begun = indexed.begun()
    indexed.settings(types=SMALL_CHUNKS, edges=OTHER_EDGES)
    with indexed.open() as workspace:
        assert workspace.index.recipe.build == old
        assert best(workspace, "word9") == "Note 9.md"
        assert begun not in indexed.builds()
        workspace.update(None)
    indexed.assert_clean(workspace.index.recipe.build)


def test_a_first_import_that_was_begun_with_other_settings_is_removed(site: Site) -> None:
    with site.open() as workspace:
        workspace.update(None, stop=after_a_batch())
        begun = workspace.index.recipe.build
    site.settings(types=SMALL_CHUNKS)
    build = site.indexed()
    assert build != begun
    site.assert_clean(build)


# ------------------------------------------------------------------ an old one that cannot answer
def test_an_index_of_an_unknown_version_is_not_searched_and_that_is_said(
    indexed: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipe, "INDEX_VERSION", recipe.INDEX_VERSION + 1)
    with indexed.open() as workspace:
        workspace.update(None, stop=after_a_batch())
        service = Service(workspace)
        answer = service.query(QueryRequest(query="passage"))
        assert answer.rebuild is not None
        assert not answer.rebuild.beside
        assert (answer.rebuild.notes, answer.rebuild.total) == (BATCH, NOTES)
        assert "another version of mindnet" in answer.rebuild.reason
        assert {hit.path for hit in answer.hits} <= set(workspace.pipeline.entries)
        assert service.status().rebuild == answer.rebuild
        workspace.update(None)
        assert service.status().rebuild is None
    indexed.assert_clean(workspace.index.recipe.build)


def test_an_older_index_that_can_still_be_read_answers_and_is_not_written_to(
    indexed: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipe, "READABLE_VERSIONS", frozenset({recipe.INDEX_VERSION}))
    monkeypatch.setattr(recipe, "INDEX_VERSION", recipe.INDEX_VERSION + 1)
    (indexed.vault / "Fresh.md").write_text("# Fresh\n\nA quokka.\n", encoding="utf-8")
    with indexed.open() as workspace:
        old = workspace.index
        assert "in another way" in (workspace.rebuilt or "")
        assert best(workspace, "word4") == "Note 4.md"
        with workspace.serving():
            workspace.update(None)
            assert "Fresh.md" not in old.pipeline.entries
        assert best(workspace, "quokka") == "Fresh.md"
    indexed.assert_clean(workspace.index.recipe.build)


def test_what_became_private_is_not_shown_by_the_old_index(indexed: Site) -> None:
    indexed.settings(private='["Note 5.md"]')
    with indexed.open() as workspace:
        assert "private by now" in (workspace.rebuilt or "")
        workspace.update(None)
        assert "Note 5.md" not in [hit.chunk.path for hit in workspace.searcher.search(Query("word5")).hits]
    indexed.assert_clean(workspace.index.recipe.build)


def test_an_index_whose_model_is_gone_is_not_searched(indexed: Site) -> None:
    (old,) = indexed.builds()
    file = files.index_folder(indexed.data, old) / files.RECIPE
    kept = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**kept, "embedding": {"model": "gone"}, "embedder": "gone@1"}), encoding="utf-8")
    with indexed.open() as workspace:
        assert "cannot answer meanwhile: There is no embedding named 'gone'" in (workspace.rebuilt or "")
        workspace.update(None)
    indexed.assert_clean(workspace.index.recipe.build)


def test_a_data_folder_of_the_old_layout_leaves_nothing_behind(indexed: Site) -> None:
    (old,) = indexed.builds()
    built = files.index_folder(indexed.data, old)
    for name in files.OLD_LAYOUT:
        if (built / name).exists():
            (built / name).rename(indexed.data / name)
    files.remove([built])
    (indexed.data / files.POINTER).write_text(json.dumps({"fingerprint": "0" * 64}), encoding="utf-8")
    with counted() as given, indexed.open() as workspace:
        assert "older version" in (workspace.rebuilt or "")
        assert workspace.update(None).embedded == 0
        assert given == []
    indexed.assert_clean(old)


@pytest.mark.parametrize("lost", [files.STORE, files.MANIFEST])
def test_an_incomplete_index_is_begun_anew(indexed: Site, lost: str) -> None:
    (old,) = indexed.builds()
    files.remove([path for path in files.index_folder(indexed.data, old).iterdir() if path.name.startswith(lost)])
    with indexed.open() as workspace:
        assert "incomplete" in (workspace.rebuilt or "")
        rebuild = workspace.rebuild()
        assert rebuild is not None
        assert (rebuild.notes, rebuild.beside) == (0, False)
        workspace.update(None)
        assert workspace.rebuild() is None
    indexed.assert_clean(old)


def test_a_damaged_index_is_set_aside_and_built_anew(indexed: Site) -> None:
    (old,) = indexed.builds()
    built = files.index_folder(indexed.data, old)
    for part in (built / files.STORE).rglob("*.json"):
        part.write_bytes(b"not this")
    with indexed.open() as workspace:
        assert "damaged" in (workspace.rebuilt or "")
        assert workspace.update(None).notes == NOTES
    (aside,) = indexed.data.glob("damaged-*")
    files.remove([aside])
    indexed.assert_clean(old)


@pytest.mark.parametrize("start", [0, 4_096], ids=["its head", "all pages but the first"])
def test_a_damaged_manifest_is_set_aside_too_and_vectors_are_not_made_again(indexed: Site, start: int) -> None:
    (old,) = indexed.builds()
    file = files.index_folder(indexed.data, old) / files.MANIFEST
    content = file.read_bytes()
    file.write_bytes(content[:start] + b"\xa5" * (len(content) - start))
    with indexed.open() as workspace:
        assert "damaged" in (workspace.rebuilt or "")
        report = workspace.update(None)
        assert (report.notes, report.embedded) == (NOTES, 0)
    (aside,) = indexed.data.glob("damaged-*")
    files.remove([aside])
    indexed.assert_clean(old)


def test_damage_that_shows_in_use_is_mended_by_the_next_start(indexed: Site) -> None:
    (old,) = indexed.builds()
    file = files.index_folder(indexed.data, old) / files.MANIFEST
    with closing(sqlite3.connect(file)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'contexts'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    content = bytearray(file.read_bytes())
    content[(page - 1) * size : page * size] = b"\xa5" * size
    file.write_bytes(content)
    with indexed.open() as workspace:
        assert workspace.rebuilt is None
        with pytest.raises(DamagedError, match="damaged"):
            workspace.index.warm()
    with indexed.open() as workspace:
        assert "damaged" in (workspace.rebuilt or "")
        workspace.update(None)
    (aside,) = indexed.data.glob("damaged-*")
    files.remove([aside])
    indexed.assert_clean(old)


def test_a_half_deleted_index_is_never_taken_for_one(indexed: Site) -> None:
    """A kill while an index is deleted leaves a folder that the next start removes."""
    (old,) = indexed.builds()
    half = indexed.data / f"{files.REMOVED}index-{'0' * 12}"
    (half / files.STORE).mkdir(parents=True)
    with indexed.open() as workspace:
        assert workspace.rebuilt is None
    assert not half.exists()
    indexed.assert_clean(old)
