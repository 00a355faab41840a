"""The same on a Qdrant server: collections of the old and the new index side by side, the plain names lead to one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from qdrant_client import models

from contract.rest import answering, nobody_at
from contract.stores import LocalClient
from mindnet.errors import StoreError
from mindnet.retrieval.search import Query
from mindnet.settings.folders import folder_name
from mindnet.store import files
from mindnet.store.connection import connect
from mindnet.store.schema import INDEXES
from mindnet.store.server_collections import _OWNER
from mindnet.workspace import Workspace
from workspace.builds import BATCH, NOTES, SMALL_CHUNKS, Site, after_a_batch


@dataclass(frozen=True)
class Away:
    """A server over the client's local mode, and what is on it."""

    url: str
    client: LocalClient

    def collections(self) -> set[str]:
        return {one.name for one in self.client.get_collections().collections}

    def of(self, *builds: str) -> set[str]:
        return {f"mindnet_{build}_{collection}" for build in builds for collection in INDEXES}

    def leads_to(self) -> set[str]:
        """The build that the plain names stand for; of several, all."""
        aliases = {one.alias_name: one.collection_name for one in self.client.get_aliases().aliases}
        return {name.split("_")[1] for alias, name in aliases.items() if alias == f"mindnet_{name.split('_')[2]}"}


@pytest.fixture
def away() -> Iterator[Away]:
    client = LocalClient()
    with answering(client) as url:
        yield Away(url, client)


def opened(site: Site, away: Away) -> Workspace:
    return site.open(QDRANT_URL=away.url)


def indexed_on(site: Site, away: Away) -> str:
    with opened(site, away) as workspace:
        workspace.update(None)
        return workspace.index.recipe.build


def first(workspace: Workspace, question: str) -> str:
    return workspace.searcher.search(Query(question, mode="lexical")).hits[0].chunk.path


def test_the_new_collections_grow_beside_the_old_ones_and_take_their_names(site: Site, away: Away) -> None:
    old = indexed_on(site, away)
    assert away.leads_to() == {old}
    assert away.client.count("mindnet_notes").count == NOTES
    site.settings(types=SMALL_CHUNKS)
    with opened(site, away) as workspace:
        workspace.update(None, stop=after_a_batch())
        rebuild = workspace.rebuild()
        assert rebuild is not None
        assert (rebuild.beside, rebuild.notes) == (True, BATCH)
        (new,) = set(site.builds()) - {old}
        assert away.collections() == away.of(old, new)
        assert away.leads_to() == {old}
        assert first(workspace, "word4") == "Note 4.md"
    with opened(site, away) as workspace:
        assert workspace.update(None).written == NOTES - BATCH
        assert first(workspace, "word4") == "Note 4.md"
        assert workspace.check() == []
    assert away.collections() == away.of(new)
    assert away.leads_to() == {new}
    assert away.client.count("mindnet_chunks").count > NOTES


def test_a_change_of_mind_removes_the_collections_that_were_begun(site: Site, away: Away) -> None:
    old = indexed_on(site, away)
    site.settings(types=SMALL_CHUNKS)
    with opened(site, away) as workspace:
        workspace.update(None, stop=after_a_batch())
    assert len(away.collections()) == 6
    site.settings()
    with opened(site, away) as workspace:
        assert away.collections() == away.of(old)
        assert workspace.update(None).written == 0


def test_on_the_way_to_a_server_and_back_the_other_place_answers_and_is_left_empty(site: Site, away: Away) -> None:
    here = site.indexed()
    with opened(site, away) as workspace:
        assert "store.url" in (workspace.rebuilt or "")
        assert workspace.store.state().engine == "qdrant-edge"
        assert workspace.update(None).embedded == 0
        assert workspace.store.state().engine == "qdrant"
        there = workspace.index.recipe.build
    assert site.builds() == [there]
    assert away.collections() == away.of(there)
    with site.open() as workspace:
        assert workspace.store.state().engine == "qdrant"
        workspace.update(None)
        assert workspace.store.state().engine == "qdrant-edge"
    assert away.collections() == set()
    site.assert_clean(here)


def test_an_old_server_that_is_gone_holds_nothing_up(site: Site) -> None:
    with answering(LocalClient()) as url:
        indexed_on(site, Away(url, LocalClient()))
    with nobody_at(url), site.open() as workspace:
        assert f"{url} does not answer" in (workspace.rebuilt or "")
        workspace.update(None)
    site.assert_clean(workspace.index.recipe.build)


def test_an_old_server_that_goes_away_meanwhile_does_not_hold_up_the_new_index(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    with contextlib.ExitStack() as while_there:
        url = while_there.enter_context(answering(LocalClient()))
        indexed_on(site, Away(url, LocalClient()))
        with site.open() as workspace:
            while_there.close()
            (site.vault / "Fresh.md").write_text("# Fresh\n\nA quokka.\n", encoding="utf-8")
            with nobody_at(url):
                workspace.update(None)
            assert first(workspace, "quokka") == "Fresh.md"
            assert workspace.rebuild() is None
    assert "falls behind" in caplog.text
    assert "stay there" in caplog.text
    site.assert_clean(workspace.index.recipe.build)


def test_collections_without_a_build_in_their_names_make_way(site: Site, away: Away) -> None:
    """As they were before several indexes could stand side by side."""
    owner = folder_name(site.vault)
    for collection in INDEXES:
        away.client.create_collection(f"mindnet_{collection}", vectors_config={}, metadata={_OWNER: owner})
    build = indexed_on(site, away)
    assert away.collections() == away.of(build)
    assert away.leads_to() == {build}


def test_an_alias_of_somebody_else_is_refused_and_left(site: Site, away: Away) -> None:
    away.client.create_collection("theirs", vectors_config={})
    alias = models.CreateAlias(collection_name="theirs", alias_name="mindnet_notes")
    away.client.update_collection_aliases([models.CreateAliasOperation(create_alias=alias)])
    with opened(site, away) as workspace, pytest.raises(StoreError, match="an alias that was not made by mindnet"):
        workspace.update(None)
    assert {one.collection_name for one in away.client.get_aliases().aliases} == {"theirs"}


def test_the_key_goes_to_the_configured_server_alone(site: Site, away: Away, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str | None]] = []

    def noting(url: str, api_key: str | None, **more: object) -> object:
        asked.append((url, api_key))
        return connect(url, api_key, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("mindnet.store.server.connect", noting)
    indexed_on(site, away)
    with answering(LocalClient()) as other, site.open(QDRANT_URL=other, QDRANT_API_KEY="of the new one") as workspace:
        workspace.update(None)
    assert {key for url, key in asked if url == other} == {"of the new one"}
    assert {key for url, key in asked if url == away.url} == {None}
    assert away.collections() == set()
    assert files.index_folders(site.data).keys() == {workspace.index.recipe.build}
