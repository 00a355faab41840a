"""`mindnet query`: what was read in the question stands above the hits, copies below theirs."""

from __future__ import annotations

from commands.conftest import Site
from workspaces import write_vault

TEXT = "The old lighthouse keeper lit the lamp each evening and wrote the weather into a small black book."


def test_phrases_and_copies_show_in_the_terminal(site: Site) -> None:
    write_vault(site.vault, {"One.md": f"# One\n\n{TEXT}\n", "Two.md": f"# Two\n\n{TEXT}\n"})
    assert site.run("import", "--apply").returncode == 0
    said = site.run("query", '"lit the lamp"').stdout
    assert "Only notes that hold *lit the lamp* word for word: 2." in said
    assert "≈ Two  Two.md" in said
    apart = site.run("query", '"lit the lamp"', "--copies").stdout
    assert "≈" not in apart
    assert "2. Two" in apart


def test_an_empty_answer_says_by_what(indexed: Site) -> None:
    said = indexed.run("query", '"text deep"', "--why-not", "Leaf.md").stdout
    assert "Only notes that hold *text deep* word for word: 0." in said
    assert "Leaf.md: It does not hold the phrase *text deep*." in said
    assert indexed.json("query", '"text deep"', "--phrases", "ignore")["hits"]


def test_a_time_can_be_insisted_on_and_left_off(indexed: Site) -> None:
    applied = indexed.json("query", "deep text heute")
    assert [one["outcome"] for one in applied["dates"]] == ["offered"]
    assert [one["outcome"] for one in indexed.json("query", "deep text heute", "--dates", "apply")["dates"]] == [
        "applied"
    ]
    assert indexed.json("query", "deep text heute", "--dates", "ignore")["dates"] == []


def test_a_wrong_value_says_which_are_right(indexed: Site) -> None:
    done = indexed.run("query", "text", "--phrases", "maybe")
    assert done.returncode == 2
    assert "phrases" in done.stderr
