"""The main job over HTTP on a real vault: ask, see reasons that are true, change notes, see the answer change."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from serving import Served, mindnet, serving, until
from workspaces import without_a_model

DEMO = Path(__file__).resolve().parents[2] / "demo-vault"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    vault = tmp_path_factory.mktemp("serving") / "vault"
    shutil.copytree(DEMO, vault)
    with serving(vault, tmp_path_factory.mktemp("data")) as running:
        yield running


def ask(served: Served, question: str, **more: object) -> list[dict[str, object]]:
    answer = served.client.post("/query", json={"query": question, "explain": True, **more})
    assert answer.status_code == 200, answer.text
    hits: list[dict[str, object]] = answer.json()["hits"]
    return hits


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("Warum ging der Teig am Sonntag nicht auf?", "Fehlerbilder beim Brot.md"),
        ("Which salt level keeps sauerkraut safe?", "Salt.md"),
        ("Was habe ich über das Gusseisen entschieden?", "Projekte/Entscheidung Gusseisen.md"),
        ("the bottle that burst", "Journal/2026/2026-03-14.md"),
    ],
)
def test_questions_are_answered_from_the_right_note(served: Served, question: str, path: str) -> None:
    assert path in served.paths(question)[:3]


def test_reasons_are_true(served: Served) -> None:
    """Every line that a reason names holds what the reason says."""
    checked = 0
    for question in ("Warum ging der Teig nicht auf?", "How does koji make miso sweet?", "Salz für Sauerkraut"):
        for hit in ask(served, question):
            explanation = hit["explanation"]
            assert isinstance(explanation, dict)
            points = sum(part["points"] for part in explanation["contributions"])
            assert points == pytest.approx(hit["total_score"], abs=1e-9)
            edges: dict[str, dict[str, object]] = {}
            for reason in explanation["reasons"]:
                if reason["path"] is None or reason["line"] is None:
                    continue
                lines = (Path(served.vault) / reason["path"]).read_text(encoding="utf-8").splitlines()
                line = lines[reason["line"] - 1]
                if reason["part"] == "edge":
                    edges = edges or _edges(served, str(hit["path"]))
                    edge = edges[reason["edge_id"]]
                    assert edge["line"] == reason["line"]
                    assert "[[" in line or "](" in line
                    checked += 1
            words = next(part["evidence"] for part in explanation["contributions"] if part["part"] == "lexical")
            names = " ".join([str(hit["title"]), str(hit["heading_path"]), str(hit["tags"])])
            for word in words:
                assert word[:3].lower() in (str(hit["text"]) + names).lower() or _named(served, hit, word)
    assert checked > 5


def _edges(served: Served, path: str) -> dict[str, dict[str, object]]:
    answer = served.client.get("/notes/edges", params={"path": path}).json()
    return {edge["edge_id"]: edge for edge in answer["edges"]}


def _named(served: Served, hit: dict[str, object], word: str) -> bool:
    note = served.client.get("/notes", params={"path": str(hit["path"])}).json()["note"]
    return any(word[:3].lower() in alias.lower() for alias in note["aliases"])


def test_reasons_speak_the_language_of_the_question(served: Served) -> None:
    german = ask(served, "Warum ging der Teig nicht auf?")[0]["explanation"]
    english = ask(served, "Why did the dough not rise?")[0]["explanation"]
    assert "der Abschnitt liegt" in json.dumps(german, ensure_ascii=False)
    assert "its passage is close" in json.dumps(english)


def test_modes_have_the_parts_they_name(served: Served) -> None:
    parts = {}
    for mode in ("semantic", "lexical", "hybrid"):
        explanation = ask(served, "Sauerteig", mode=mode)[0]["explanation"]
        assert isinstance(explanation, dict)
        parts[mode] = {part["part"] for part in explanation["contributions"]}
    assert parts == {
        "semantic": {"semantic"},
        "lexical": {"lexical"},
        "hybrid": {"semantic", "lexical", "links", "edge", "centrality"},
    }


def test_private_notes_and_templates_stay_out(served: Served) -> None:
    assert "Privat.md" not in served.paths("geriebene Birne in der Paste", top_k=50)
    assert "Privat.md" in served.paths("geriebene Birne in der Paste", include_private=True)
    assert not [path for path in served.paths("Tagesnotiz Vorlage", top_k=50) if path.startswith("Vorlagen/")]


def test_filters_and_why_not(served: Served) -> None:
    only = {"type": ["decision"]}
    assert set(served.paths("Brot und Mehl", filters=only)) <= {
        "Projekte/Entscheidung Gusseisen.md",
        "Projekte/Entscheidung Mehl.md",
    }
    answer = served.client.post(
        "/query", json={"query": "Brot", "filters": only, "why_not": ["Salt.md", "Nirgends.md"], "language": "en"}
    ).json()
    cut, missing = answer["why_not"]
    assert cut["cut_by"] == "type"
    assert missing["found"] is False


def test_edges_of_a_note_in_both_directions(served: Served) -> None:
    edges = _edges(served, "Gluten.md").values()
    assert {"out", "in"} == {edge["direction"] for edge in edges}
    assert any(edge["kind"] == "impacts" and edge["rule_id"] == "callout:edge" and edge["line"] == 11 for edge in edges)


def test_save_rename_and_delete_change_the_answer(served: Served) -> None:
    vault = Path(served.vault)
    question = "zyklopische Brezelwaage"
    (vault / "Waage.md").write_text("# Waage\n\nDie zyklopische Brezelwaage wiegt auf das Gramm.\n", encoding="utf-8")
    until(lambda: served.paths(question)[:1] == ["Waage.md"])
    (vault / "Waage.md").rename(vault / "Werte" / "Waage alt.md")
    until(lambda: "Werte/Waage alt.md" in served.paths(question) and "Waage.md" not in served.paths(question, top_k=50))
    (vault / "Werte" / "Waage alt.md").write_text("# Waage\n\nAndere Worte.\n", encoding="utf-8")
    until(lambda: all("zyklopisch" not in str(hit["text"]) for hit in ask(served, question)))
    (vault / "Werte").rename(vault / "Haltungen")
    until(lambda: "Haltungen/Waage alt.md" in served.paths("Andere Worte Waage"))
    (vault / "Haltungen" / "Waage alt.md").unlink()
    (vault / "Haltungen").rename(vault / "Werte")
    until(lambda: not [path for path in served.paths("Andere Worte Waage", top_k=50) if "Waage alt.md" in path])
    check = served.client.get("/check").json()
    assert check["problems"] == []


def test_a_link_heals_when_its_note_appears_and_breaks_when_it_goes(served: Served) -> None:
    vault = Path(served.vault)

    def resolved() -> bool:
        edges = _edges(served, "Mehltypen.md").values()
        return next(bool(edge["resolved"]) for edge in edges if "Emmer" in json.dumps(edge["target"]))

    assert resolved() is False
    (vault / "Emmer-Versuch.md").write_text("# Emmer\n", encoding="utf-8")
    until(resolved)
    (vault / "Emmer-Versuch.md").unlink()
    until(lambda: not resolved())


def test_commands_go_through_the_daemon(served: Served) -> None:
    place = ("--vault", served.vault, "--data-dir", str(served.data_dir), "--json")
    answer = mindnet("query", "Sauerteig", *place)
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout)["hits"]
    report = json.loads(mindnet("import", "--apply", *place).stdout)
    assert report["embedded"] == 0
    assert mindnet("check", *place).returncode == 0
    second = mindnet("serve", "--vault", served.vault, "--data-dir", str(served.data_dir))
    assert second.returncode == 3
    assert f"process {served.pid}" in second.stderr


def test_the_event_stream_begins_with_the_status_and_tells_of_notes(served: Served) -> None:
    with served.client.stream("GET", "/events") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: status"
        first = json.loads(next(lines).removeprefix("data: "))
        assert first["status"]["vault"] == served.vault
        (Path(served.vault) / "Ereignis.md").write_text("# Ereignis\n", encoding="utf-8")
        assert any(line == "event: note_indexed" for line in lines)


def test_it_ends_cleanly(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "A.md").write_text("# A\n\nText.\n")
    with serving(vault, tmp_path / "data", **without_a_model(tmp_path)) as running:
        with running.client.stream("GET", "/events") as stream:
            next(stream.iter_lines())
            assert running.stop() == 0
        assert not (tmp_path / "data" / "run.json").exists()
        with pytest.raises(ProcessLookupError):
            os.kill(running.pid, 0)


def test_what_obsidian_is_told_to_exclude_goes_and_comes_back(served: Served) -> None:
    """The vault's own settings apply from the moment they are saved, to the scan and to the watching."""
    folder = Path(served.vault) / "Ausgelagert"
    folder.mkdir()
    (folder / "Zwetschgenröster.md").write_text("Zwetschgenröster aus dem Kupferkessel.\n", encoding="utf-8")
    app = Path(served.vault) / ".obsidian" / "app.json"
    app.parent.mkdir(exist_ok=True)
    before = app.read_text(encoding="utf-8") if app.exists() else "{}"
    path = "Ausgelagert/Zwetschgenröster.md"
    until(lambda: path in served.paths("Zwetschgenröster"))
    app.write_text(json.dumps({"userIgnoreFilters": ["Ausgelagert/"]}), encoding="utf-8")
    until(lambda: path not in served.paths("Zwetschgenröster"))
    app.write_text(before, encoding="utf-8")
    until(lambda: path in served.paths("Zwetschgenröster"))
    shutil.rmtree(folder)
    until(lambda: path not in served.paths("Zwetschgenröster"))
