"""Two models one after the other: a quick one's index answers until a better one's is whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import pytest

from carriedmodels import e5_is_carried, model_caches
from mindnet.api.service import Service
from mindnet.api.wire import QueryRequest
from mindnet.embedding import load
from mindnet.embedding.hashing import HashingEmbedder
from mindnet.embedding.port import Vectors
from mindnet.errors import EmbeddingError
from mindnet.indexing.pipeline import Update
from mindnet.indexing.report import Report
from mindnet.settings import Settings, load_settings
from mindnet.store import files
from mindnet.workspace import Workspace, find_place, stages
from mindnet.workspace.embedders import embedder_at
from serving import until
from workspace.builds import NOTES, SMALL_CHUNKS, Site, after_a_batch

QUICK, BETTER = "hashing-64", "hashing-512"


class Slow(HashingEmbedder):
    """The better one: another length of vectors, and a fault when the test wants one."""

    fault: EmbeddingError | None = None

    def __init__(self) -> None:
        super().__init__(512)

    def embed_query(self, text: str) -> Vectors:
        if Slow.fault is not None:
            raise Slow.fault
        return super().embed_query(text)


@pytest.fixture(autouse=True)
def two_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models that need no arithmetic, in the place of those that are installed."""
    monkeypatch.setattr(stages, "QUICK", {"provider": "bundled", "model": "hashing"})
    monkeypatch.setattr(stages, "BETTER", {"provider": "bundled", "model": "slow"})
    monkeypatch.setattr(stages, "is_carried", lambda: True)
    monkeypatch.setattr(load, "INSTALLED", {**load.INSTALLED, "slow": Slow})
    monkeypatch.setattr(Slow, "fault", None)


@pytest.fixture
def auto(site: Site) -> Site:
    site.settings(model="''")
    return site


@contextmanager
def served(site: Site) -> Iterator[tuple[Service, Future[Report]]]:
    with opened(site, answering=True) as workspace:
        service = Service(workspace)
        first_scan = service.start()
        try:
            yield service, first_scan
        finally:
            service.stop()


def opened(site: Site, *, answering: bool = False, building: bool = True) -> Workspace:
    place = find_place(site.vault, site.data, site.config, {}, {})
    return Workspace(place, {}, answering=answering, building=building)


def model(workspace: Workspace) -> str:
    return workspace.index.embedder.name


# ------------------------------------------------------------------ one after the other
def test_the_first_scan_is_done_when_the_quick_index_is_whole_and_the_better_one_follows_by_itself(auto: Site) -> None:
    with served(auto) as (service, first_scan):
        report = first_scan.result(60)
        assert (report.notes, report.is_unfinished) == (NOTES, True)
        assert service.query(QueryRequest(query="word7", mode="lexical")).hits[0].path == "Note 7.md"
        until(lambda: service.status().state == "idle")
        status = service.status()
        assert (status.embedding.model, status.notes, status.rebuild) == (BETTER, NOTES, None)
        assert service.query(QueryRequest(query="word7", mode="lexical")).hits[0].path == "Note 7.md"
        build = service.workspace.index.recipe.build
    auto.assert_clean(build)


def test_what_is_told_meanwhile_is_that_answers_get_better(auto: Site) -> None:
    with opened(auto, answering=True) as workspace:
        assert workspace.rebuild() is None, "nothing is built anew"
        workspace.update(None)
        rebuild = workspace.rebuild()
        assert rebuild is not None
        assert (rebuild.beside, rebuild.better, rebuild.notes, rebuild.total) == (True, True, 0, NOTES)
        assert BETTER in rebuild.reason
        assert model(workspace) == QUICK
        report = workspace.update(None)
        assert not report.is_unfinished
        assert (model(workspace), workspace.rebuild()) == (BETTER, None)


def test_a_start_after_a_kill_goes_on_where_it_was(auto: Site) -> None:
    with opened(auto, answering=True) as workspace:
        workspace.update(None, stop=after_a_batch())
        assert 0 < workspace.index.pipeline.size()[0] < NOTES
    with opened(auto, answering=True) as workspace:
        assert 0 < workspace.index.pipeline.size()[0] < NOTES
        report = workspace.update(frozenset({"Note 1.md"}))
        assert (report.notes, model(workspace)) == (NOTES, QUICK), "the first one is made whole, whatever is asked"
        workspace.update(None, stop=after_a_batch())
    with opened(auto, answering=True) as workspace:
        assert model(workspace) == QUICK
        rebuild = workspace.rebuild()
        assert rebuild is not None
        assert rebuild.better
        assert 0 < rebuild.notes < NOTES
        assert workspace.update(None).is_unfinished
        workspace.update(None)
        assert model(workspace) == BETTER
        build = workspace.index.recipe.build
    auto.assert_clean(build)


def test_what_is_saved_while_the_better_one_is_built_is_in_both(auto: Site) -> None:
    with opened(auto, answering=True) as workspace:
        workspace.update(None)
        seen: list[str] = []

        def save(at_once: Update) -> None:
            if not seen:
                (auto.vault / "Saved.md").write_text("# Saved\n\nA quokka.\n", encoding="utf-8")
                at_once(frozenset({"Saved.md"}), True)
                seen.append(model(workspace))
                assert "Saved.md" in workspace.pipeline.entries

        workspace.update(None, between=save)
        assert seen == [QUICK]
        assert model(workspace) == BETTER
        assert "Saved.md" in workspace.pipeline.entries
        build = workspace.index.recipe.build
    auto.assert_clean(build)


def test_a_scan_that_is_asked_for_meanwhile_does_not_wait_for_the_better_one(auto: Site) -> None:
    with opened(auto, answering=True) as workspace:
        workspace.update(None)
        reports: list[Report | None] = []

        def scan(at_once: Update) -> None:
            if not reports:
                (auto.vault / "Saved.md").write_text("# Saved\n\nA quokka.\n", encoding="utf-8")
                (auto.vault / "Note 3.md").unlink()
                reports.append(at_once(None, True))
                assert model(workspace) == QUICK

        workspace.update(None, between=scan)
        (report,) = reports
        assert report is not None
        assert (report.notes, report.removed) == (NOTES, 1)
        assert model(workspace) == BETTER
        assert "Saved.md" in workspace.pipeline.entries
        assert "Note 3.md" not in workspace.pipeline.entries
        build = workspace.index.recipe.build
    auto.assert_clean(build)


def test_a_start_with_a_whole_quick_index_compares_it_first_and_then_goes_on_with_the_better_one(auto: Site) -> None:
    with opened(auto, answering=True) as workspace:
        workspace.update(None)
    (auto.vault / "Saved.md").write_text("# Saved\n\nA quokka.\n", encoding="utf-8")
    with served(auto) as (service, first_scan):
        report = first_scan.result(60)
        assert (report.notes, report.is_unfinished) == (NOTES + 1, True)
        until(lambda: service.status().state == "idle")
        assert service.status().embedding.model == BETTER
        assert service.query(QueryRequest(query="quokka", mode="lexical")).hits[0].path == "Saved.md"


def test_once_it_is_whole_the_next_start_has_the_better_one_alone(auto: Site) -> None:
    with opened(auto, answering=True) as workspace:
        workspace.update(None)
        workspace.update(None)
    with opened(auto, answering=True) as workspace:
        assert (model(workspace), len(workspace.open_indexes)) == (BETTER, 1)
        assert workspace.update(None).embedded == 0
    assert len(auto.builds()) == 1


def test_who_only_imports_builds_the_better_one_at_once(auto: Site) -> None:
    with opened(auto) as workspace:
        assert len(workspace.open_indexes) == 1
        report = workspace.update(None)
        assert (model(workspace), report.is_unfinished) == (BETTER, False)
    assert len(auto.builds()) == 1


# ------------------------------------------------------------------ from what was there
def test_an_index_of_the_quick_model_that_was_there_answers_until_the_better_one_is_whole(site: Site) -> None:
    site.indexed()
    site.settings(model="''")
    with opened(site) as workspace:
        assert model(workspace) == QUICK
        rebuild = workspace.rebuild()
        assert rebuild is not None
        assert rebuild.better
        workspace.update(None)
        assert model(workspace) == BETTER


def test_after_a_change_of_chunks_the_better_index_answers_and_no_quick_one_is_built(auto: Site) -> None:
    with opened(auto) as workspace:
        workspace.update(None)
    auto.settings(model="''", types=SMALL_CHUNKS)
    with opened(auto, answering=True) as workspace:
        assert {index.embedder.name for index in workspace.open_indexes} == {BETTER}
        rebuild = workspace.rebuild()
        assert rebuild is not None
        assert not rebuild.better


def test_an_index_that_is_gone_is_built_of_known_vectors_without_a_quick_one(auto: Site) -> None:
    with opened(auto) as workspace:
        workspace.update(None)
        workspace.truncate()
    with opened(auto, answering=True) as workspace:
        assert [index.embedder.name for index in workspace.open_indexes] == [BETTER]
        report = workspace.update(None)
        assert (report.notes, report.embedded) == (NOTES, 0)


def test_a_question_on_the_command_line_is_answered_from_a_quick_index_that_was_only_begun(auto: Site) -> None:
    with opened(auto, answering=True) as workspace:
        workspace.update(None, stop=after_a_batch())
    with opened(auto, building=False) as workspace:
        assert model(workspace) == QUICK
        assert workspace.index.pipeline.size()[0] > 0
    with opened(auto, answering=True) as workspace:
        workspace.update(None)
    with opened(auto, building=False) as workspace:
        assert model(workspace) == QUICK
        assert "mindnet serve" in (workspace.rebuilt or "")


# ------------------------------------------------------------------ when it cannot be had
def test_a_better_model_that_cannot_be_loaded_leaves_the_quick_index_in_its_place(
    auto: Site, caplog: pytest.LogCaptureFixture
) -> None:
    Slow.fault = EmbeddingError("The file is damaged.", hint="Install it anew.")
    with served(auto) as (service, first_scan):
        first_scan.result(60)
        until(lambda: service.status().state == "idle" and service.status().rebuild is None)
        assert service.status().embedding.model == QUICK
        assert service.query(QueryRequest(query="word7", mode="lexical")).hits[0].path == "Note 7.md"
        assert "The file is damaged. Install it anew." in caplog.text
        (auto.vault / "Saved.md").write_text("# Saved\n\nA quokka.\n", encoding="utf-8")
        service.ingest(["Saved.md"], prune=True, prune_all=False)
        assert service.query(QueryRequest(query="quokka", mode="lexical")).hits[0].path == "Saved.md"
    Slow.fault = None
    with opened(auto) as workspace:
        workspace.update(None)
        assert model(workspace) == BETTER


def test_where_it_is_not_installed_the_quick_model_is_all(auto: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "is_carried", lambda: False)
    with opened(auto, answering=True) as workspace:
        assert len(workspace.open_indexes) == 1
        assert not workspace.update(None).is_unfinished
        assert model(workspace) == QUICK
        assert "pip install" in stages.lacking(workspace.place.settings)


def test_the_model_that_is_loaded_early_is_that_of_the_index_that_answers(auto: Site) -> None:
    place = find_place(auto.vault, auto.data, auto.config, {}, {})
    assert embedder_at(place, {}, answering=True).name == QUICK
    assert embedder_at(place, {}).name == BETTER
    with opened(auto) as workspace:
        workspace.update(None)
    assert embedder_at(place, {}, answering=True).name == BETTER


# ------------------------------------------------------------------ what the settings say
def shipped(**embedding: str) -> Settings:
    return load_settings(env={}, flags={f"embedding.{key}": value for key, value in embedding.items()})


@pytest.mark.parametrize(
    ("embedding", "quick", "final"),
    [
        ({}, ("bundled", "hashing"), ("bundled", "slow")),
        ({"provider": "bundled"}, None, ("bundled", "")),
        ({"model": "hashing"}, None, ("bundled", "hashing")),
        ({"provider": "fastembed"}, None, ("fastembed", "")),
    ],
)
def test_two_models_are_used_only_where_none_is_named(
    embedding: Mapping[str, str], quick: tuple[str, str] | None, final: tuple[str, str]
) -> None:
    found = stages.stages_of(shipped(**embedding))
    sections = [one and one.mindnet.embedding for one in (found.quick, found.final)]
    assert [one and (one.provider, one.model) for one in sections] == [quick, final]


@e5_is_carried
def test_the_installed_models_follow_each_other(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Ice.md").write_text("Glaciers carve valleys.\n", encoding="utf-8")
    (vault / "Loaf.md").write_text("Flour, water and salt rise in the oven.\n", encoding="utf-8")
    (tmp_path / "config").mkdir()
    with (
        model_caches(tmp_path_factory),
        served(Site(vault, tmp_path / "data", tmp_path / "config")) as (service, first),
    ):
        first.result(60)
        until(lambda: service.status().state == "idle")
        assert service.status().embedding.model.startswith("multilingual-e5-small")
        hits = service.query(QueryRequest(query="Wie backe ich Brot?")).hits
        assert hits[0].path == "Loaf.md"
    assert len(files.index_folders(tmp_path / "data")) == 1
