"""Links in tables, beside code and in odd spellings: each leads to the one note that its author meant."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from mindnet.api.service import Service
from mindnet.api.wire import QueryRequest
from mindnet.markdown.parse import parse_note
from mindnet.vault.read import read_bytes
from mindnet.workspace import Workspace, find_place
from reading import Reading, read_vault

NOTES = {"Fuchs.md": "# Fuchs\n\n## Bau\n", "Dachs.md": "# Dachs\n", "Tal/Reh.md": "# Reh\n"}


def read(folder: Path, text: str, **more: str) -> Reading:
    return read_vault(folder, {"Note.md": text, **NOTES, **more})


# ------------------------------------------------------------------ tables
def row(*cells: str) -> str:
    columns = range(len(cells))
    return "\n".join(f"| {' | '.join(line)} |" for line in (["Kopf" for _ in columns], ["---" for _ in columns], cells))


@pytest.mark.parametrize(
    ("cell", "links", "labels"),
    [
        (r"[[Fuchs\|Reineke]]", {("references", "Fuchs.md")}, {("Fuchs.md", "Reineke")}),
        (r"[[Fuchs#Bau\|Höhle]]", {("references", "Fuchs.md#Bau")}, {("Fuchs.md", "Höhle")}),
        (r"[[Tal/Reh.md\|Ricke]]", {("references", "Tal/Reh.md")}, {("Tal/Reh.md", "Ricke")}),
        (r"![[Fuchs\|120]]", {("references", "Fuchs.md")}, {("Fuchs.md", "120")}),
        (r"[[#Kopf\|oben]]", {("references", "Note.md#Kopf")}, {("Note.md", "oben")}),
        (r"[[rel:uses\|Fuchs]]", {("references", "Fuchs.md"), ("uses", "Fuchs.md")}, set()),
        (
            r"[[rel:uses\|Fuchs\|Reineke]]",
            {("references", "Fuchs.md"), ("uses", "Fuchs.md")},
            {("Fuchs.md", "Reineke")},
        ),
        (r"rel: uses [[Fuchs\|a]] [[Dachs]]",
         {("references", "Fuchs.md"), ("uses", "Fuchs.md"), ("references", "Dachs.md"), ("uses", "Dachs.md")},
         {("Fuchs.md", "a")}),
        (r"uses:: [[Fuchs\|a]]", {("references", "Fuchs.md"), ("uses", "Fuchs.md")}, {("Fuchs.md", "a")}),
        (r"(uses:: [[Fuchs\|a]])", {("references", "Fuchs.md"), ("uses", "Fuchs.md")}, {("Fuchs.md", "a")}),
        (r"[a \| b](Fuchs.md)", {("references", "Fuchs.md")}, {("Fuchs.md", "a | b")}),
        (r"[[Fuchs|ohne Strich]]", {("references", "Fuchs.md")}, {("Fuchs.md", "ohne Strich")}),
        (r"![[fuchs.png\|120]] [[plan.pdf\|Plan]]", set(), set()),
        (r"`[[Fuchs\|x]]` und $[[Dachs]]$", set(), set()),
    ],
)  # fmt: skip
@pytest.mark.parametrize("before", ["", "> ", "> [!info]\n> ", "- "], ids=["plain", "quote", "callout", "list"])
def test_the_bar_in_a_table_is_no_part_of_the_name(
    tmp_path: Path, before: str, cell: str, links: set[tuple[str, str]], labels: set[tuple[str, str]]
) -> None:
    last = before.rpartition("\n")[2]
    indent = last if last.startswith(">") else " " * len(last)
    found = read(tmp_path, before + row("x", cell, "y").replace("\n", f"\n{indent}"))
    assert found.links("Note.md") == links
    assert found.labels("Note.md") == labels


# ------------------------------------------------------------------ where links are only shown
HIDING = {
    "fence": "```\n{}\n```",
    "fence with a language": "```dataview\n{}\n```",
    "tildes": "~~~~\n{}\n~~~\n{}\n~~~~",
    "a fence in a fence": "````md\n```\n{}\n```\n{}\n````",
    "fence without an end": "Text\n\n```\n{}",
    "fence in a list": "- Punkt\n  ```\n  {}\n  ```",
    "fence in a quote": "> ```\n> {}\n> ```",
    "fence in a callout": "> [!edge] uses:\n> ~~~\n> {}\n> ~~~",
    "indented": "Text\n\n    {}",
    "indented by a tab": "Text\n\n\t{}",
    "indented in a list": "- Punkt\n\n      {}",
    "inline code": "Siehe `{}` dort",
    "inline code of two marks": "Siehe ``{} ` {}`` dort",
    "inline code over lines": "Siehe `a\n{}` dort",
    "math": "Es ist $a {} b$ so",
    "double math": "Es ist $$ {} $$ so",
    "math block": "$$\n{}\n\n{}\n$$",
    "math begun in a line": "Es ist $$ a\n{}\n$$ so",
    "comment": "Text %% {} %% Text",
    "comment block": "%%\n{}\n\n# {}\n%%",
    "comment begun in a line": "Text %% a\n{}\n%% Text",
    "comment in a list": "- a %% {}\n  {} %% b",
    "comment in a quote": "> %%\n> {}\n> %%",
    "comment without an end": "Text\n\n%%\n{}\n\n{}",
    "HTML comment": "Text <!-- {} --> Text",
    "HTML comment over lines": "<!-- a\n{}\n\n{} -->",
    "HTML comment in a list": "- a <!-- {}\n  {} --> b",
}


@pytest.mark.parametrize("link", ["[[Fuchs]]", "[[rel:uses Fuchs]]", "rel: uses [[Fuchs]]", "uses:: [[Fuchs]]",
                                  "![[Fuchs]]", "[f](Fuchs.md)", "(uses:: [[Fuchs]])"])  # fmt: skip
@pytest.mark.parametrize("frame", HIDING.values(), ids=HIDING)
def test_a_link_that_is_only_shown_is_none(frame: str, link: str) -> None:
    assert parse_note("Note.md", f"Erst [[Dachs]].\n\n{frame.replace('{}', link)}").mentions[1:] == ()


@pytest.mark.parametrize("frame", [frame for name, frame in HIDING.items() if "without an end" not in name])
def test_what_follows_a_hidden_link_is_seen_again(frame: str) -> None:
    note = parse_note("Note.md", f"{frame.replace('{}', '[[Fuchs]]')}\n\nDanach [[Dachs]].")
    assert [mention.target for mention in note.mentions] == ["Dachs"]


@pytest.mark.parametrize(
    "text",
    ["50 % [[Fuchs]] 60 %", "5$ [[Fuchs]] 6$", r"\$[[Fuchs]]\$", r"\`[[Fuchs]]\`", "`` [[Fuchs]] `", "<b>[[Fuchs]]</b>",
     "Text\n    [[Fuchs]]", "a <!- [[Fuchs]] ->", "``` x ` [[Fuchs]] `` y", "- a\n\n    [[Fuchs]]"],
)  # fmt: skip
def test_what_only_looks_hidden_is_a_link(text: str) -> None:
    assert [mention.target for mention in parse_note("Note.md", text).mentions] == ["Fuchs"]


# ------------------------------------------------------------------ headings
@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("# Eins\n\n```sh\n# nein\n## nein\n```\n\n## Zwei #tag\n\n### C#", ["Eins", "Zwei #tag", "C#"]),
        ("# Eins\n\n~~~\n# nein\n```\n# nein\n~~~\n# Zwei", ["Eins", "Zwei"]),
        ("# Eins\n\n    # nein\n\n- a\n\n      # nein\n\n# Zwei", ["Eins", "Zwei"]),
        ("Eins\n====\n\n%%\n# nein\n%%\n\n$$\n# nein\n$$\n<!--\n# nein\n-->\n\nZwei\n---", ["Eins", "Zwei"]),
        ("#nein\n#\tEins\n####### nein\n\\# nein\n## Zwei ##", ["Eins", "Zwei"]),
        ("> [!note] Titel\n> # Eins\n>\n> ```\n> # nein\n> ```\n\n- # Zwei", ["Eins", "Zwei"]),
    ],
)
def test_a_line_with_a_hash_is_a_heading_only_where_it_is_one(tmp_path: Path, text: str, headings: list[str]) -> None:
    found = read(tmp_path, text)
    assert found.headings("Note.md") == headings
    sections = {part for chunk in found.graphs["Note.md"].chunks for part in chunk.heading_path}
    assert sections <= set(headings)


@pytest.mark.parametrize("fence", ["```", "````", "~~~"])
def test_a_code_block_stays_whole_in_its_section(tmp_path: Path, fence: str) -> None:
    code = f"{fence}\n# ein Kommentar\n\n## noch einer\n{fence}"
    found = read(tmp_path, f"# Eins\n\nDavor.\n\n{code}\n\nDanach.\n\n## Zwei\n\nEnde.")
    chunk = found.chunk("Note.md", "ein Kommentar")
    assert code in chunk.text
    assert "Danach." in chunk.text
    assert chunk.heading_path == ("Eins",)


# ------------------------------------------------------------------ one name, several spellings
SPELLINGS = [
    "[[dachs bau]]", "[[Dachs Bau.md]]", "[[DACHS BAU.MD]]", "[[Tal/Dachs Bau|Bau]]", "[[ Dachs Bau ]]",
    "[[Dachs Bau#]]",
    "[[tal/dachs bau.md#Gang|x]]", "[[/Tal/Dachs Bau]]", "[[./Tal/Dachs Bau]]", "[x](Tal/Dachs%20Bau.md)",
    "[x](<Tal/Dachs Bau.md>)", "[x](<Dachs Bau.md>)", "[x](./Tal/Dachs%20Bau.md#Gang)", "![[Dachs Bau]]",
    "[[Dachs Bau#^a1]]",
]  # fmt: skip


@pytest.mark.parametrize("link", SPELLINGS)
def test_every_spelling_of_a_name_leads_to_the_note(tmp_path: Path, link: str) -> None:
    found = read(tmp_path, link, **{"Tal/Dachs Bau.md": "# Bau\n\n## Gang\n"})
    assert {target.partition("#")[0] for _, target in found.links("Note.md")} == {"Tal/Dachs Bau.md"}
    assert found.codes("Note.md") == []


def test_each_of_many_links_in_one_line_is_a_piece_of_evidence(tmp_path: Path) -> None:
    found = read(tmp_path, "[[Fuchs]] [[fuchs.md]] [[Fuchs]] [[Fuchs|Reineke]] [f](Fuchs.md)\n\n[[Fuchs]]")
    (edge,) = found.edges("Note.md")
    written = [(item.line, item.label) for item in edge.evidence if item.rule_id.startswith("explicit:")]
    assert sorted(written) == [(1, ""), (1, ""), (1, ""), (1, "Reineke"), (1, "f"), (3, "")]


NFC, NFD = "Höhlenbär", unicodedata.normalize("NFD", "Höhlenbär")


@pytest.mark.parametrize("on_disk", [NFC, NFD], ids=["NFC", "NFD"])
@pytest.mark.parametrize("link", [NFC, NFD, f"Tier/{NFD}", f"{NFC}.md", NFD.upper()])
def test_composed_and_decomposed_names_are_one(tmp_path: Path, on_disk: str, link: str) -> None:
    found = read_vault(tmp_path, {f"Tier/{on_disk}.md": "# Bär\n", "Note.md": f"[[{link}]] [x](<{link}>)"})
    assert set(found.graphs) == {f"Tier/{NFC}.md", "Note.md"}
    assert found.links("Note.md") == {("references", f"Tier/{NFC}.md")}


def test_a_decomposed_name_is_found_by_either_spelling_and_opens(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    read_vault(vault, {f"{NFD}.md": "# Bär\n\nWohnt in Höhlen.\n", "Dachs.md": "# Dachs\n\nGräbt einen Bau.\n"})
    place = find_place(vault, tmp_path / "data", None, {}, {})
    with Workspace(place, {}) as index:
        index.pipeline.update(None)
        service = Service(index)
        found = [[hit.path for hit in service.query(QueryRequest(query=name)).hits] for name in (NFC, NFD)]
    assert found[0] == found[1]
    assert found[0][0] == f"{NFC}.md"
    assert read_bytes(vault, found[0][0]) == "# Bär\n\nWohnt in Höhlen.\n".encode()


# ------------------------------------------------------------------ one name, several notes
TWINS = {"a/Plan.md": "# A\n\n## Ziel\n", "b/Plan.md": "# B\n", "b/c/Plan.md": "# C\n"}


@pytest.mark.parametrize(
    ("source", "link", "target", "doubt"),
    [
        ("Note.md", "[[Plan]]", "a/Plan.md", True),
        ("b/Note.md", "[[Plan]]", "b/Plan.md", True),
        ("b/c/Note.md", "[[plan.md|x]]", "b/c/Plan.md", True),
        ("z/Note.md", "[[Plan]]", "a/Plan.md", True),
        ("Note.md", "[[b/Plan]]", "b/Plan.md", False),
        ("Note.md", "[[a/Plan#Ziel]]", "a/Plan.md#Ziel", False),
        ("a/Note.md", "[[../b/Plan]]", "b/Plan.md", False),
        ("a/Note.md", "[[/b/c/Plan]]", "b/c/Plan.md", False),
        ("Note.md", "[[c/Plan]]", "b/c/Plan.md", False),
        ("b/Note.md", "[x](Plan.md)", "b/Plan.md", False),
        ("b/Note.md", "[x](c/Plan.md)", "b/c/Plan.md", False),
        ("b/Note.md", "[x](a/Plan.md)", "a/Plan.md", False),
        ("b/Note.md", "[x](../a/Plan.md#Ziel)", "a/Plan.md#Ziel", False),
        ("b/c/Note.md", "rel: uses [x](Plan.md)", "b/c/Plan.md", False),
        ("b/c/Note.md", "uses:: [x](Plan.md)", "b/c/Plan.md", False),
        ("z/Note.md", "[x](Plan.md)", "a/Plan.md", True),
    ],
)
def test_of_notes_with_one_name_a_rule_chooses_and_doubt_is_reported(
    tmp_path: Path, source: str, link: str, target: str, doubt: bool
) -> None:
    found = read_vault(tmp_path, {source: link, **TWINS})
    assert {to for _, to in found.links(source)} == {target}
    assert found.codes(source) == ([("ambiguous_link", 1)] if doubt else [])
    assert len({graph.note.note_id for graph in found.graphs.values()}) == 4


def test_a_bare_name_leads_to_the_root_else_beside_the_note_and_the_doubt_is_reported(tmp_path: Path) -> None:
    links = dict.fromkeys(("Note.md", "z/Note.md", "b/Note.md"), "[[Plan]]")
    found = read_vault(tmp_path, {**links, "Plan.md": "# P\n", **TWINS})
    assert [found.links(name) for name in links] == [{("references", to)} for to in ("Plan.md", "Plan.md", "Plan.md")]
    assert [found.codes(name) for name in links] == [[("ambiguous_link", 1)]] * 3


@pytest.mark.parametrize(
    ("names", "link", "target"),
    [
        (["todo.md", "another-todo.md", "x/my-todo.md"], "[[todo]]", "todo.md"),
        (["another-todo.md", "x/my-todo.md"], "[[todo]]", "?todo"),
        (["x/a-b.md", "b.md"], "[[b]]", "b.md"),
        (["xa/b.md", "y/a/b.md"], "[[a/b]]", "y/a/b.md"),
        (["todo list.md", "todo.txt.md"], "[[todo]]", "?todo"),
        (["C++.md", "C.md"], "[[C]]", "C.md"),
        (["v1.2.md", "v1.md"], "[[v1]]", "v1.md"),
    ],
)
def test_a_name_is_not_the_end_of_another_name(tmp_path: Path, names: list[str], link: str, target: str) -> None:
    found = read_vault(tmp_path, {"Note.md": link, **dict.fromkeys(names, "# x\n")})
    assert found.links("Note.md") == {("references", target)}
