"""Frontmatter of every make, sound and broken: no note is lost, values can be sent, links are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindnet.store.payload import graph_payloads
from reading import Reading, read_vault

NOTES = {"Ahorn.md": "# Ahorn\n", "Birke.md": "# Birke\n", "Wald/Eiche.md": "# Eiche\n"}


def read(folder: Path, head: str, body: str = "Neben der [[Birke]].\n") -> Reading:
    """One note with ``head`` between its dashes, beside three others."""
    return read_vault(folder, {"Note.md": f"---\n{head}\n---\n{body}", **NOTES})


# ------------------------------------------------------------------ dates and times
@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("2023-11-05", "2023-11-05"),
        ("2023-11-05T06:07:08", "2023-11-05T06:07:08"),
        ("2023-11-05 06:07:08", "2023-11-05T06:07:08"),
        ("2023-11-05T06:07:08Z", "2023-11-05T06:07:08Z"),
        ("2023-11-05T06:07:08.5+02:00", "2023-11-05T06:07:08.5+02:00"),
        ("2023-11-05T06:07", "2023-11-05T06:07"),
        ("2023-02-30", "2023-02-30"),
        ("[2023-11-05, 06:45]", ["2023-11-05", "06:45"]),
        ("\n  - 2023-11-05\n  - {am: 2024-02-29}", ["2023-11-05", {"am": "2024-02-29"}]),
        ("12:30", "12:30"),
        ("07:05:59", "07:05:59"),
        ("190:20:30", "190:20:30"),
        ("1_000", "1_000"),
    ],
)
def test_dates_and_times_are_text_that_json_can_hold(tmp_path: Path, written: str, value: object) -> None:
    found = read(tmp_path, f"wann: {written}")
    assert found.frontmatter("Note.md") == {"wann": value}
    for _, payload in graph_payloads(found.graphs["Note.md"]):
        json.dumps(payload, allow_nan=False)
    assert found.links("Note.md") == {("references", "Birke.md")}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (r'"\ud83c\udf32"', "🌲"),
        (r'"\ud800 x"', "\ufffd x"),
        (r'"\x41\u00e4"', "Aä"),
        (".inf", ".inf"),
        (".nan", ".nan"),
    ],
)
def test_values_that_no_file_could_hold_are_made_whole(tmp_path: Path, written: str, value: str) -> None:
    found = read(tmp_path, f"zeichen: {written}")
    assert found.frontmatter("Note.md") == {"zeichen": value}
    json.dumps(found.frontmatter("Note.md"), ensure_ascii=False).encode()


# ------------------------------------------------------------------ broken YAML
@pytest.mark.parametrize(
    ("head", "values", "line"),
    [
        ("title: Wald: ein Anfang\ntyp: x", {"title": "Wald: ein Anfang", "typ": "x"}, 2),
        ("titel: A: B: C\nurl: https://x.org:80/a", {"titel": "A: B: C", "url": "https://x.org:80/a"}, 2),
        ("liste:\n\t- eins\n\t- zwei\nnach: 1", {"liste": ["eins", "zwei"], "nach": 1}, 3),
        ("karte:\n\tinnen: 1", {"karte": {"innen": 1}}, 3),
        ("zitat: \"offen\nnach: 1", {"zitat": "offen", "nach": 1}, 2),
        ("zitat: 'es ist 'so'\nnach: 1", {"zitat": "es ist 'so", "nach": 1}, 2),
        ("liste: [a, b\nnach: 1", {"liste": "[a, b", "nach": 1}, 3),
        ("titel: {{title}}\ndatum: <% tp.date.now() %>\nnach: 1",
         {"titel": "{{title}}", "datum": "<% tp.date.now() %>", "nach": 1}, 2),
        ("bei: @ahorn\nrest: `x`\nprozent: %a", {"bei": "@ahorn", "rest": "`x`", "prozent": "%a"}, 2),
        ("tags: [#wald, #moor]", {"tags": ["#wald", "#moor"]}, 2),
        ("steuer: a\x07b", {"steuer": "a\x07b"}, 2),
    ],
)  # fmt: skip
def test_broken_yaml_costs_one_remark_and_nothing_else(
    tmp_path: Path, head: str, values: dict[str, object], line: int
) -> None:
    found = read(tmp_path, head)
    assert found.frontmatter("Note.md") == values
    assert found.links("Note.md") == {("references", "Birke.md")}
    assert found.texts("Note.md") == ["Neben der [[Birke]]."]
    assert [code for code, at in found.codes("Note.md") if code == "frontmatter"] == ["frontmatter"]
    assert ("frontmatter", line) in found.codes("Note.md")


@pytest.mark.parametrize(
    ("head", "values", "faults"),
    [
        ("lage: a\nlage: b", {"lage": "b"}, [3]),
        ("lage: a\nx: 1\nlage:\n  - b\nlage: c", {"lage": "c", "x": 1}, [4, 6]),
        ("karte:\n  a: 1\n  a: 2", {"karte": {"a": 2}}, [4]),
    ],
)
def test_of_a_key_that_stands_twice_the_last_counts(
    tmp_path: Path, head: str, values: dict[str, object], faults: list[int]
) -> None:
    found = read(tmp_path, head)
    assert found.frontmatter("Note.md") == values
    assert [line for code, line in found.codes("Note.md") if code == "frontmatter_duplicate"] == faults


@pytest.mark.parametrize("head", ["part_of: '[[Ahorn]]'\npart_of: '[[Birke]]'", "links:\n  uses: Ahorn\n  uses: Birke"])
def test_the_links_of_the_value_that_does_not_count_do_not_count_either(tmp_path: Path, head: str) -> None:
    found = read(tmp_path, head, "")
    assert {target for _, target in found.links("Note.md")} == {"Birke.md"}


# ------------------------------------------------------------------ where frontmatter is
@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("----\n\nÜber die [[Birke]].\n", []),
        ("-----\n[[Birke]]\n-----\n", ["Birke"]),
        ("--- zweispaltig: links\n\n# Links\n\n[[Birke]]\n\n--- ende\n", ["Links"]),
        ("---yaml\na: 1\n---\n[[Birke]]", ["---yaml a: 1"]),
        (" ---\na: 1\n---\n[[Birke]]", ["a: 1"]),
        ("\n---\na: 1\n---\n[[Birke]]", ["a: 1"]),
        ("---\na: 1\n\n# Trotzdem\n\n[[Birke]]", ["Trotzdem"]),
        ("---\na: 1\n----\n[[Birke]]", ["a: 1"]),
        ("---\n\nEin Strich, die [[Birke]].\n\n---\n\nNoch einer.", []),
        ("---\n- Liste mit [[Birke]]\n---\n", []),
        ("***\na: 1\n***\n[[Birke]]", []),
        ("+++\na = 1\n+++\n[[Birke]]", []),
    ],
)
def test_what_only_looks_like_frontmatter_is_text(tmp_path: Path, text: str, headings: list[str]) -> None:
    found = read_vault(tmp_path, {"Note.md": text, **NOTES})
    assert found.frontmatter("Note.md") == {}
    assert found.links("Note.md") == {("references", "Birke.md")}
    assert found.headings("Note.md") == headings
    assert "[[Birke]]" in "\n".join(found.texts("Note.md"))


@pytest.mark.parametrize("end", ["...\n[[Ahorn]]\n\n---\n", "---\n"])
def test_three_dots_close_nothing_in_obsidian(tmp_path: Path, end: str) -> None:
    found = read_vault(tmp_path, {"Note.md": f"---\na: 1\n{end}Neben der [[Birke]].\n", **NOTES})
    assert found.links("Note.md") == {("references", "Birke.md")}


@pytest.mark.parametrize(
    "text", ["", "\n", "  \n\t\n", "\ufeff", "---\n---\n", "---\n\n---", "---\n# nichts\n---\n\n \n"]
)
def test_an_empty_note_is_in_the_vault_and_can_be_found_by_its_name(tmp_path: Path, text: str) -> None:
    found = read_vault(tmp_path, {"Leer.md": text, "Zeiger.md": "[[Leer]]"})
    assert found.texts("Leer.md") == ["Leer"]
    assert found.links("Zeiger.md") == {("references", "Leer.md")}


@pytest.mark.parametrize("body", ["", "\n\n", "  \n\t"])
def test_a_note_of_properties_alone_can_be_found_by_its_names(tmp_path: Path, body: str) -> None:
    found = read(tmp_path, "aliases: [Baumgruppe]\nrelated_to:\n  - '[[Ahorn]]'", body)
    (text,) = found.texts("Note.md")
    assert text.split("\n") == ["Note", "Baumgruppe"]
    assert found.links("Note.md") == {("related_to", "Ahorn.md")}


# ------------------------------------------------------------------ links
@pytest.mark.parametrize(
    ("head", "links"),
    [
        ("uses: [[Ahorn]]", {("uses", "Ahorn.md")}),
        ("uses: [[Ahorn|Laub]]", {("uses", "Ahorn.md")}),
        ("uses: [[Eiche#Rinde|Borke]]", {("uses", "Wald/Eiche.md#Rinde")}),
        ("uses: [[Wald/Eiche.md]]", {("uses", "Wald/Eiche.md")}),
        ("uses: ![[Ahorn]]", {("uses", "Ahorn.md")}),
        ("uses: [[Ahorn]], [[Birke]]", {("uses", "Ahorn.md"), ("uses", "Birke.md")}),
        ("uses: [[[Ahorn]], [[Birke|b]]]", {("uses", "Ahorn.md"), ("uses", "Birke.md")}),
        ("uses:\n- [[Ahorn]]\n- '[[Birke|b]]'\n- \"[[Eiche#Rinde]]\"",
         {("uses", "Ahorn.md"), ("uses", "Birke.md"), ("uses", "Wald/Eiche.md#Rinde")}),
        ("uses: ['[[Ahorn]]', \"[b](Birke.md)\"]", {("uses", "Ahorn.md"), ("uses", "Birke.md")}),
        ("uses: [Ahorn](Ahorn.md)", {("uses", "Ahorn.md")}),
        ("uses: '[[Ahorn]] und [[Birke]]'", {("uses", "Ahorn.md"), ("uses", "Birke.md")}),
        ("uses: |\n  erst [[Ahorn]]\n  dann [[Birke]]", {("uses", "Ahorn.md"), ("uses", "Birke.md")}),
        ("quelle: [[Ahorn]]\nTeil von: [[Birke]]", {("derived_from", "Ahorn.md"), ("part_of", "Birke.md")}),
        ("uses: Ahorn", set()),
        ("verfasst: '[[Ahorn]]'", set()),
    ],
)  # fmt: skip
def test_links_in_properties_are_found_quoted_or_not(tmp_path: Path, head: str, links: set[tuple[str, str]]) -> None:
    found = read(tmp_path, head, "Text\n")
    assert found.links("Note.md") == links


@pytest.mark.parametrize(
    ("head", "links"),
    [
        ("links:\n  uses: [[Ahorn]]\n  blocks: '[[Birke]]'", {("uses", "Ahorn.md"), ("blocks", "Birke.md")}),
        ("links:\n  uses: [Ahorn, '[[Birke|b]]']", {("uses", "Ahorn.md"), ("uses", "Birke.md")}),
        ("links:\n  nutzt: Ahorn", {("uses", "Ahorn.md")}),
        ("links:\n  - uses: [[Ahorn]]\n  - blocks: Birke", {("uses", "Ahorn.md"), ("blocks", "Birke.md")}),
        ("links: [[Ahorn]]", {("references", "Ahorn.md")}),
        ("links: ['[[Ahorn]]', Birke]", {("references", "Ahorn.md"), ("references", "Birke.md")}),
        ("Links:\n  uses: Ahorn", {("uses", "Ahorn.md")}),
        ("links:\n  Wächst unter: Ahorn", {("wächst_unter", "Ahorn.md")}),
        ("links:\n  - wächst_unter: [[Ahorn]]", {("wächst_unter", "Ahorn.md")}),
        ("links: ['[[rel:wächst_unter Ahorn]]', '[[rel:uses Birke]]']",
         {("wächst_unter", "Ahorn.md"), ("uses", "Birke.md")}),
        ("links:\n  uses:\n    blocks: [[Ahorn]]", {("blocks", "Ahorn.md")}),
        ("wald: {uses: [[Ahorn]], tief: {blocks: [[Birke]]}}", {("uses", "Ahorn.md"), ("blocks", "Birke.md")}),
        ("links: [https://example.org, '![[bild.png]]', null, true]", set()),
    ],
)  # fmt: skip
def test_under_links_every_key_is_a_kind_and_bare_names_count(
    tmp_path: Path, head: str, links: set[tuple[str, str]]
) -> None:
    found = read(tmp_path, head, "Text\n")
    assert found.links("Note.md") == links


def test_an_unknown_kind_under_links_is_kept_and_reported(tmp_path: Path) -> None:
    found = read(tmp_path, "links: ['[[rel:wächst_unter Ahorn]]']", "")
    assert ("unknown_kind", 2) in found.codes("Note.md")


@pytest.mark.parametrize(
    "head",
    [
        "uses: '[[Eiche#Rinde|Borke]]'",
        "uses:\n  - [[Eiche#Rinde|Borke]]",
        'uses: ["x", "[[Wald/Eiche.md#Rinde|Borke]]"]',
    ],
)
def test_label_and_heading_of_a_property_link_are_no_part_of_the_name(tmp_path: Path, head: str) -> None:
    found = read(tmp_path, head, "")
    assert found.links("Note.md") == {("uses", "Wald/Eiche.md#Rinde")}
    assert found.labels("Note.md") == {("Wald/Eiche.md", "Borke")}


def test_each_property_link_names_its_own_line(tmp_path: Path) -> None:
    head = "uses:\n  - [[Ahorn]]\n  - x\nblocks: >\n  erst\n  [[Birke]]\nlinks:\n  causes: [Eiche]"
    found = read(tmp_path, head, "")
    assert found.lines("Note.md") == {("Ahorn.md", 3), ("Birke.md", 7), ("Wald/Eiche.md", 9)}


# ------------------------------------------------------------------ tags and aliases
@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("", ()),
        ("null", ()),
        ("2017", ("2017",)),
        ("true", ("true",)),
        ("wald, moor", ("wald", "moor")),
        ("'#wald #moor'", ("wald", "moor")),
        ("[ja, null, '#moor', 7, 2024-01-02]", ("ja", "moor", "7", "2024-01-02")),
        ("[yes, no]", ("yes", "no")),
        ("\n  - wald/rand\n  -\n  - '#moor/'", ("wald/rand", "moor")),
        ("[#wald, #moor]", ("wald", "moor")),
        ("[[wald]]", ("wald",)),
        ("[a, [b, c]]", ("a", "b", "c")),
        ("{a: b}", ()),
        ("{{tags}}", ()),
        ("<% tp.x %>", ()),
        ("[Gru\u0308n, Grün, GRÜN]", ("Grün",)),
    ],
)
def test_tags_are_texts_whatever_stands_there(tmp_path: Path, written: str, tags: tuple[str, ...]) -> None:
    found = read(tmp_path, f"tags: {written}")
    assert found.graphs["Note.md"].note.tags == tags
    assert found.links("Note.md") == {("references", "Birke.md")}


@pytest.mark.parametrize(
    ("written", "aliases"),
    [
        ("", ()),
        ("42", ("42",)),
        ("Holz, Laub", ("Holz", "Laub")),
        ("[null, 1.5, 'a, b', 2024-01-02]", ("1.5", "a, b", "2024-01-02")),
        ("true", ("true",)),
        ("{a: b}", ()),
        ("\n  - Holz\n  -", ("Holz",)),
    ],
)
def test_aliases_are_texts_whatever_stands_there(tmp_path: Path, written: str, aliases: tuple[str, ...]) -> None:
    found = read(tmp_path, f"aliases: {written}")
    assert found.graphs["Note.md"].note.aliases == aliases
