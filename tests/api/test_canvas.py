"""A vault with a canvas and drawings, from the files to the answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mindnet.cli import main
from running import Done, run
from serving import Served, environment, serving, until
from workspaces import without_a_model

BOARD: dict[str, list[dict[str, Any]]] = {
    "nodes": [
        {"id": "g", "type": "group", "x": 0, "y": 0, "width": 900, "height": 900, "label": "Winterlager"},
        {
            "id": "t",
            "type": "text",
            "x": 9,
            "y": 9,
            "width": 9,
            "height": 9,
            "text": "Die Zisterne vor dem Frost leeren",
        },
        {"id": "a", "type": "file", "file": "Garten/Pumpe.md"},
        {"id": "b", "type": "file", "file": "Schuppen.md", "subpath": "#Regal"},
    ],
    "edges": [
        {"id": "1", "fromNode": "a", "toNode": "b", "label": "braucht"},
        {"id": "2", "fromNode": "t", "toNode": "a", "label": "impacts"},
    ],
}
DRAWING = """---
excalidraw-plugin: parsed
---
# Text Elements
Ventil hinter dem [[Schuppen]] ^abc12345

%%
# Drawing
```json
{"elements": [{"type": "text", "text": "Fagott"}]}
```
%%
"""


def board(**changes: list[dict[str, Any]]) -> str:
    """As Obsidian writes it: a line for each card and arrow."""
    lists = {
        name: "[\n\t\t" + ",\n\t\t".join(json.dumps(one, ensure_ascii=False) for one in entries) + "\n\t]"
        for name, entries in (BOARD | changes).items()
    }
    return "{\n\t" + ",\n\t".join(f'"{name}":{entries}' for name, entries in lists.items()) + "\n}"


def fill(vault: Path) -> None:
    files = {
        "Garten/Pumpe.md": "# Pumpe\n\nSie hebt das Wasser.\n",
        "Schuppen.md": "# Schuppen\n\n## Regal\n\nSchrauben und Dichtungen.\n",
        "Notiz.md": "Siehe [[Hof.canvas]] und ![[Netz.excalidraw]].\n",
        "Pläne/Hof.canvas": board(),
        "Netz.excalidraw.md": DRAWING,
        "Alt.excalidraw": json.dumps({"elements": [{"type": "text", "text": "Ein Hydrant am Tor"}]}),
    }
    for name, text in files.items():
        (vault / name).parent.mkdir(parents=True, exist_ok=True)
        (vault / name).write_text(text, encoding="utf-8")


def mindnet(*arguments: str | Path, **env: str) -> Done:
    return run(main, ["mindnet", *arguments], environment(**env))


def test_an_import_reads_canvases_and_drawings_and_a_query_finds_a_card(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    fill(vault)
    env = without_a_model(tmp_path)
    where = ("--vault", vault, "--data-dir", tmp_path / "data", "--json")
    done = mindnet("import", "--apply", *where, **env)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["notes"], report["faults"]) == (6, [])
    assert report["edges"]["by_rule"]["explicit:canvas"] == 4
    assert report["edges"]["unresolved"] == 0

    answer = mindnet("query", "Wann die Zisterne leeren?", *where, **env)
    assert answer.returncode == 0, answer.stderr
    first = json.loads(answer.stdout)["hits"][0]
    assert (first["path"], first["start_line"], first["title"]) == ("Pläne/Hof.canvas", 4, "Hof")
    assert (first["text"], first["heading_path"]) == ("Die Zisterne vor dem Frost leeren", ["Winterlager"])
    check = mindnet("check", *where, **env)
    assert json.loads(check.stdout)["problems"] == []
    assert check.returncode == 0


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("canvas")
    fill(folder / "vault")
    with serving(folder / "vault", folder / "data", **without_a_model(folder)) as running:
        yield running


def test_drawings_are_found_by_their_texts_alone(served: Served) -> None:
    # What the drawing says, it says of the note that it links to as well.
    assert set(served.paths("Ventil")[:2]) == {"Netz.excalidraw.md", "Schuppen.md"}
    assert served.paths("Hydrant")[0] == "Alt.excalidraw"
    answer = served.client.post("/query", json={"query": "Fagott Ventil", "group_by": "chunk", "top_k": 50}).json()
    assert answer["hits"]
    assert all("Fagott" not in hit["text"] for hit in answer["hits"])


def test_a_hit_names_the_canvas_that_writes_its_relation(served: Served) -> None:
    answer = served.client.post("/query", json={"query": "Pumpe hebt Wasser", "explain": True}).json()
    pump = next(hit for hit in answer["hits"] if hit["path"] == "Garten/Pumpe.md")
    needs = next(edge for edge in pump["explanation"]["related_edges"] if edge["kind"] == "depends_on")
    place = (needs["direction"], needs["path"], needs["written_in"], needs["line"])
    assert place == ("out", "Schuppen.md", "Pläne/Hof.canvas", 9)


def edges(served: Served, path: str) -> set[tuple[str, str, str, bool]]:
    """(source, kind, target, resolved) of all explicit edges of a note."""
    answer = served.client.get("/notes/edges", params={"path": path})
    answer.raise_for_status()
    return {
        (one["source"]["path"], one["kind"], one["target"]["title"], one["resolved"])
        for one in answer.json()["edges"]
        if one["provenance"] == "explicit"
    }


def test_arrows_follow_the_notes_that_come_and_go(served: Served) -> None:
    vault = Path(served.vault)
    arrow = ("Garten/Pumpe.md", "depends_on", "Schuppen", True)
    for path in ("Garten/Pumpe.md", "Schuppen.md", "Pläne/Hof.canvas"):
        assert arrow in edges(served, path)

    shed = (vault / "Schuppen.md").read_text(encoding="utf-8")
    (vault / "Schuppen.md").unlink()
    until(lambda: ("Garten/Pumpe.md", "depends_on", "Schuppen", False) in edges(served, "Garten/Pumpe.md"))
    (vault / "Schuppen.md").write_text(shed, encoding="utf-8")
    until(lambda: arrow in edges(served, "Garten/Pumpe.md"))

    pump = (vault / "Garten/Pumpe.md").read_text(encoding="utf-8")
    (vault / "Garten/Pumpe.md").unlink()
    until(lambda: arrow not in edges(served, "Schuppen.md"))
    assert ("Pläne/Hof.canvas", "references", "Garten/Pumpe", False) in edges(served, "Pläne/Hof.canvas")
    (vault / "Garten/Pumpe.md").write_text(pump, encoding="utf-8")
    until(lambda: arrow in edges(served, "Schuppen.md"))

    (vault / "Garten/Pumpe.md").write_text(f"---\nid: p1\n---\n{pump}", encoding="utf-8")
    until(lambda: arrow in edges(served, "Garten/Pumpe.md") and served.client.get("/status").json()["state"] == "idle")
    assert served.client.get("/check").json()["problems"] == []


def test_a_saved_canvas_is_read_anew_and_a_deleted_one_is_gone_with_its_arrows(served: Served) -> None:
    vault = Path(served.vault)
    (vault / "Zweiter.canvas").write_text(
        board(edges=[{"fromNode": "b", "toNode": "a", "label": "uses"}]), encoding="utf-8"
    )
    uses = ("Schuppen.md", "uses", "Pumpe", True)
    until(lambda: uses in edges(served, "Schuppen.md"))
    (vault / "Zweiter.canvas").write_text(board(nodes=[{"id": "x", "type": "text", "text": "Ein Vogelhaus"}], edges=[]))
    until(lambda: uses not in edges(served, "Schuppen.md"))
    assert served.paths("Vogelhaus")[0] == "Zweiter.canvas"
    (vault / "Zweiter.canvas").unlink()
    until(lambda: "Zweiter.canvas" not in served.paths("Vogelhaus"))


def test_a_broken_canvas_is_reported_with_its_line_and_stays_in_the_index(served: Served) -> None:
    vault = Path(served.vault)
    (vault / "Kaputt.canvas").write_text(board().replace("Frost leeren", 'Frost "leeren'), encoding="utf-8")

    def faults() -> list[tuple[str, int]]:
        report = served.client.post("/ingest", json={}).json()
        return [(fault["code"], fault["line"]) for fault in report["faults"] if fault["path"] == "Kaputt.canvas"]

    until(lambda: bool(faults()))
    assert faults() == [("json_syntax", 4)]
    assert ("Kaputt.canvas", "references", "Pumpe", True) in edges(served, "Kaputt.canvas")
