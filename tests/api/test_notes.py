"""A note's edges and the notes near it, as badges and panes ask for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from inprocess import Running, running
from workspaces import write_vault

LINKS = 70
FILES = {
    "Hub.md": "# Hub\n\n"
    + "\n\n".join(f"Copper and tin, part {number}: [[Leaf {number:02d}]]." for number in range(LINKS)),
    **{f"Leaf {number:02d}.md": f"Copper and tin of leaf {number}.\n" for number in range(LINKS)},
    "Tin.md": (
        "---\nuses: '[[Copper]]'\n---\n\nrel: depends_on [[Copper#Ore|the ore]] [[Gone]]\n\n"
        "| a | b |\n| --- | --- |\n| [[Copper\\|red metal]] | [md](Hub.md) |\n\nrel: candidate:solves [[Hub]]\n"
    ),
    "Copper.md": "# Copper\n\n## Ore\n\nCopper is melted with tin.\n",
    "Bronze.md": "Copper and tin are melted together, copper is melted with tin.\n",
    "Diary.md": "---\nprivate: true\n---\n\nCopper is melted with tin, and [[Copper]] I hid.\n",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("notes")
    with running(write_vault(folder / "vault", FILES), folder / "data") as one:
        yield one


def edges(app: Running, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = app.get("/notes/edges", path=path)["edges"]
    return found


def related(app: Running, path: str, **more: Any) -> dict[str, dict[str, Any]]:
    found = app.get("/notes/related", path=path, **more)["related"]
    assert [one["rank"] for one in found] == list(range(1, len(found) + 1))
    return {one["path"]: one for one in found}


# ------------------------------------------------------------------ edges
def test_a_badge_finds_its_link_by_line_and_text(app: Running) -> None:
    own = [one for one in edges(app, "Tin.md") if one["written_in"] == "Tin.md"]
    lines = (app.vault / "Tin.md").read_text().splitlines()
    written = {(one["kind"], one["rule_id"], one["line"], one["label"]) for one in own}
    assert {
        ("uses", "explicit:frontmatter", 2, ""),
        ("depends_on", "inline:rel", 5, "the ore"),
        ("references", "explicit:wikilink", 9, "red metal"),
        ("references", "explicit:mdlink", 9, "md"),
    } <= written
    for one in own:
        for place in one["evidence"]:
            assert place["label"] in lines[place["line"] - 1]
            assert "[" in lines[place["line"] - 1]


def test_every_edge_says_what_it_is_and_where_its_other_end_is(app: Running) -> None:
    by_kind = {(one["direction"], one["kind"], one["target"]["title"]): one for one in edges(app, "Tin.md")}
    ore = by_kind["out", "depends_on", "Copper"]
    assert (ore["provenance"], ore["confidence"], ore["scope"]) == ("explicit", 0.95, "chunk")
    assert (ore["target_section"], ore["target"]["path"], ore["resolved"]) == ("Ore", "Copper.md", True)
    gone = by_kind["out", "depends_on", "Gone"]
    assert (gone["resolved"], gone["target"]["path"]) == (False, "")
    waiting = by_kind["out", "solves", "Hub"]
    assert (waiting["candidate"], waiting["provenance"], waiting["line"]) == (True, "candidate:smart", 11)
    assert [one["candidate"] for one in edges(app, "Tin.md")].count(True) == 1
    mirror = by_kind["in", "enforced_by", "Tin"]
    assert (mirror["source"]["path"], mirror["mirror_of"], mirror["written_in"]) == (
        "Copper.md",
        ore["edge_id"],
        "Tin.md",
    )


def test_both_ends_see_the_same_edge(app: Running) -> None:
    seen = {one["edge_id"]: one for one in edges(app, "Copper.md")}
    for one in edges(app, "Tin.md"):
        if one["target"]["path"] == "Copper.md":
            other = seen[one["edge_id"]]
            assert {**other, "direction": one["direction"]} == one
            assert other["direction"] == "in"


def test_a_payload_comes_with_its_numbers(app: Running) -> None:
    found = app.get("/notes", path="Copper.md")
    assert (found["note"]["title"], found["note"]["path"]) == ("Copper", "Copper.md")
    assert found["chunks"] >= 1
    assert found["edges"] > found["chunks"]


# ------------------------------------------------------------------ related notes
def test_related_notes_have_true_reasons_and_linked_ones_are_marked(app: Running) -> None:
    found = related(app, "Tin.md", top_k=50)
    assert "Tin.md" not in found
    assert found["Copper.md"]["linked"] is True
    assert found["Bronze.md"]["linked"] is False
    assert found["Bronze.md"]["edges"] == []
    between = {
        one["edge_id"] for one in edges(app, "Tin.md") if "Copper.md" in (one["target"]["path"], one["source"]["path"])
    }
    assert set(found["Copper.md"]["edges"]) == between
    for one in found.values():
        assert sum(part["points"] for part in one["contributions"]) == pytest.approx(one["total_score"], abs=1e-9)
        assert one["reasons"]
        lines = (app.vault / one["path"]).read_text().splitlines()
        assert "\n".join(lines[one["start_line"] - 1 : one["end_line"]]) == one["text"]
    texts = [reason["text"] for reason in found["Copper.md"]["reasons"]]
    assert any("`depends_on`" in text and "line 5" in text for text in texts)
    totals = [one["total_score"] for one in found.values()]
    assert totals == sorted(totals, reverse=True)


def test_of_a_note_with_many_links_every_linked_note_is_marked(app: Running) -> None:
    found = related(app, "Hub.md", top_k=100)
    leaves = [one for path, one in found.items() if path.startswith("Leaf")]
    assert len(leaves) == LINKS
    assert all(one["linked"] for one in leaves)
    assert related(app, "Leaf 69.md", top_k=100)["Hub.md"]["linked"] is True


def test_private_notes_are_related_only_if_asked_for(app: Running) -> None:
    assert "Diary.md" not in related(app, "Copper.md", top_k=100)
    assert related(app, "Copper.md", top_k=100, include_private=True)["Diary.md"]["linked"] is True
    # Whoever has a private note open may know what is near it.
    assert "Copper.md" in related(app, "Diary.md")


def test_reasons_speak_the_language_that_is_asked_for(app: Running) -> None:
    assert app.get("/notes/related", path="Tin.md")["language"] == "en"
    german = related(app, "Tin.md", language="de")["Copper.md"]["reasons"]
    assert any("Zeile 5" in reason["text"] for reason in german)


def test_no_more_than_asked_for_and_no_note_that_is_not_there(app: Running) -> None:
    assert len(related(app, "Tin.md", top_k=2)) == 2
    for route in ("/notes", "/notes/edges", "/notes/related"):
        for path, status in (("Gone.md", 404), ("../Tin.md", 400), ("/etc/passwd", 400), ("", 422)):
            refused = app.client.get(route, params={"path": path})
            assert refused.status_code == status
            assert refused.headers["content-type"] == "application/problem+json"
    for top_k in (0, 101):
        assert app.client.get("/notes/related", params={"path": "Tin.md", "top_k": top_k}).status_code == 422


# ------------------------------------------------------------------ the vocabulary, the ways between notes
def test_the_vocabulary_has_every_kind_that_may_be_written_in_both_languages(app: Running) -> None:
    found = app.get("/config")
    kinds = {one["name"]: one for one in found["kinds"]}
    assert {"teil_von", "cluster", "is_part_of"} <= set(kinds["part_of"]["aliases"])
    assert kinds["depends_on"]["inverse"] == "enforced_by"
    assert kinds["enforced_by"]["inverse"] == "depends_on"
    assert not {"next", "prev", "belongs_to", "backlink"} & kinds.keys()
    assert "concept" in found["types"]
    assert "Unassigned Edges" in found["candidate_headings"]


def test_the_settings_in_force_are_told_with_the_file_that_they_come_from(app: Running) -> None:
    found = app.get("/config")
    settings = {one["key"]: one for one in found["settings"]}
    assert settings["mindnet.logs.keep_days"]["value"] == "365"
    assert settings["mindnet.logs.keep_days"]["origin"].endswith("mindnet.yaml")
    assert settings["mindnet.logs.enabled"]["value"] in ("on", "off")
    assert settings["mindnet.vault.private"]["value"] == ""
    assert settings["llm.profiles.chat.backend"]["value"] == "ollama"
    assert found["folder"]


def test_a_reason_by_an_edge_comes_with_the_way_that_it_speaks_of(app: Running) -> None:
    answer = app.post("/query", {"query": "What is the ore melted with?", "explain": True, "top_k": 20})
    ways = [
        (hit["path"], reason)
        for hit in answer["hits"]
        for reason in hit["explanation"]["reasons"]
        if reason["part"] == "edge" and reason["way"]
    ]
    assert ways
    for path, reason in ways:
        last = reason["way"][-1]
        assert last["edge_id"] == reason["edge_id"]
        assert all(step["title"] in reason["text"] for step in reason["way"])
        joined = {one["edge_id"]: one for one in edges(app, last["path"])}
        end = joined[last["edge_id"]]["target" if last["direction"] == "out" else "source"]
        assert end["path"] == path
