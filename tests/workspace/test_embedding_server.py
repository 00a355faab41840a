"""A vault whose embedding model runs on a server: imported, searched, and opened while the server is away."""

from __future__ import annotations

from pathlib import Path

import pytest

from embedserver import NAME, Model, embedding_server, texts_of
from mindnet.embedding import served
from mindnet.embedding.served import Manner
from mindnet.errors import EmbedderAwayError
from mindnet.remote.patience import Patience
from mindnet.retrieval.search import Query
from mindnet.workspace import Workspace, find_place
from modelserver import ModelServer
from workspaces import write_vault

NOTES = {
    "Wärmepumpe.md": "# Wärmepumpe\n\nSie heizt das Haus mit der Wärme der Luft. Siehe [[Dämmung]].\n",
    "Dämmung.md": "# Dämmung\n\nEine gute Dämmung hält die Wärme im Haus.\n",
    "Kuchen.md": "# Kuchen\n\nDrei Eier und ein Pfund Mehl.\n",
}
QUESTION = "Womit heizt das Haus?"


class Site:
    def __init__(self, folder: Path, provider: str) -> None:
        self.vault, self.data, self.config = write_vault(folder / "vault", NOTES), folder / "data", folder / "config"
        self._provider = provider
        self.config.mkdir()

    def use(self, server: ModelServer, *, max_tokens: int = 0) -> None:
        url = server.url if self._provider == "ollama" else f"{server.url}/v1"
        said = f"embedding: {{provider: {self._provider}, model: {NAME}, url: '{url}', max_tokens: {max_tokens}}}\n"
        (self.config / "mindnet.yaml").write_text(said, encoding="utf-8")

    def open(self) -> Workspace:
        return Workspace(find_place(self.vault, self.data, self.config, {}, {}), {})


@pytest.fixture(params=["ollama", "openai"])
def site(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    manner = Manner(20.0, Patience(attempts=2, seconds=5.0, first_wait=0.001, longest_wait=0.001))
    for name in ("PASSAGES", "QUESTION", "LOOK"):
        monkeypatch.setattr(served, name, manner)
    return Site(tmp_path, request.param)


def titles(workspace: Workspace, *, words_suffice: bool = False) -> list[str]:
    return [hit.chunk.title for hit in workspace.search(Query(QUESTION, words_suffice=words_suffice)).hits]


def test_a_vault_is_imported_and_searched_by_meaning_and_again_embeds_nothing(site: Site) -> None:
    with embedding_server() as (server, _):
        site.use(server)
        with site.open() as workspace:
            report = workspace.update(None)
            found = workspace.search(Query(QUESTION))
            assert report.embedded == 3
            assert found.hits[0].chunk.title == "Wärmepumpe"
            assert found.left_out is None
            assert any(one.part == "semantic" and one.points > 0 for one in found.hits[0].contributions)
            assert workspace.check() == []
        with site.open() as workspace:
            assert workspace.update(None).embedded == 0
            assert workspace.rebuilt is None


def test_without_its_server_an_index_opens_and_answers_by_words_and_says_so(site: Site) -> None:
    with embedding_server() as (server, _):
        site.use(server)
        with site.open() as workspace:
            workspace.update(None)
    with site.open() as workspace:
        found = workspace.search(Query(QUESTION, words_suffice=True))
        assert found.hits[0].chunk.title == "Wärmepumpe"
        assert found.left_out is not None
        assert str(server.port) in found.left_out
        assert not any(one.part == "semantic" and one.points for hit in found.hits for one in hit.contributions)
        for refused in (Query(QUESTION), Query(QUESTION, mode="semantic", words_suffice=True)):
            with pytest.raises(EmbedderAwayError, match=str(server.port)):
                workspace.search(refused)
        assert workspace.rebuilt is None


def test_what_is_saved_while_the_server_is_away_is_embedded_when_it_is_back(site: Site) -> None:
    with embedding_server() as (server, _):
        site.use(server)
        with site.open() as workspace:
            workspace.update(None)
    (site.vault / "Neu.md").write_text("# Neu\n\nEin Kamin heizt auch.\n", encoding="utf-8")
    with site.open() as workspace:
        with pytest.raises(EmbedderAwayError):
            workspace.update(None)
        assert workspace.pipeline.size()[0] == 3
        with embedding_server(port=server.port) as (back, _):
            assert workspace.update(None).embedded == 1
            assert any("Kamin" in text for text in texts_of(back))
            assert "Neu" in titles(workspace)
            assert workspace.check() == []


def test_without_server_and_index_it_is_said_what_is_missing(site: Site) -> None:
    with embedding_server() as (server, _):
        site.use(server)
    with pytest.raises(EmbedderAwayError, match=str(server.port)):
        site.open()


def test_a_replaced_model_gets_a_new_index(tmp_path: Path) -> None:
    ollama = Site(tmp_path, "ollama")
    with embedding_server() as (server, model):
        ollama.use(server)
        with ollama.open() as workspace:
            workspace.update(None)
            first = workspace.index.recipe
        model.digest, model.dimension = "f" * 64, 32
        with ollama.open() as workspace:
            assert workspace.rebuilt is not None
            assert "embedding model" in workspace.rebuilt
            assert workspace.update(None).embedded == 3
            assert workspace.index.recipe.dimension == 32
            assert workspace.index.recipe.build != first.build
            assert sorted(titles(workspace)) == sorted(path.removesuffix(".md") for path in NOTES)


def test_other_limits_build_a_new_index_and_embed_no_window_twice(site: Site) -> None:
    with embedding_server(Model(reads=1_024)) as (server, _):
        site.use(server)
        with site.open() as workspace:
            workspace.update(None)
        site.use(server, max_tokens=256)
        with site.open() as workspace:
            assert workspace.rebuilt is not None
            assert "tokens" in workspace.rebuilt
            assert workspace.update(None).embedded == 0
            assert workspace.embedder.max_tokens < 256
