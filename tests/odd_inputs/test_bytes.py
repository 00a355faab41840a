"""Marks, line ends, encodings and locales: whatever the bytes, the note is read and its lines are the file's."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from reading import read_vault
from serving import mindnet
from workspaces import without_a_model

TARGET = {"Zisterne.md": "# Zisterne\n"}
HEAD = "---\ntitle: Regenfass\naliases: [Tonne]\npart_of: '[[Zisterne]]'\n---\n"
BODY = "# Überlauf\n\nFüllt die [[Zisterne]].\n"
MARK = b"\xef\xbb\xbf"
ASCII_ONLY = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


# ------------------------------------------------------------------ a mark before the frontmatter
@pytest.mark.parametrize(
    "data",
    [
        MARK + (HEAD + BODY).encode(),
        MARK + (HEAD + BODY).replace("\n", "\r\n").encode(),
        MARK + MARK + (HEAD + BODY).encode(),
        MARK + HEAD.encode() + MARK + BODY.encode(),
        b"\xff\xfe" + (HEAD + BODY).encode("utf-16-le"),
        b"\xfe\xff" + (HEAD + BODY).replace("\n", "\r\n").encode("utf-16-be"),
        b"\xff\xfe\x00\x00" + (HEAD + BODY).encode("utf-32-le"),
    ],
    ids=["utf-8", "with CRLF", "twice", "between joined files", "utf-16-le", "utf-16-be with CRLF", "utf-32-le"],
)
def test_a_byte_order_mark_hides_neither_frontmatter_nor_heading(tmp_path: Path, data: bytes) -> None:
    read = read_vault(tmp_path, {"Fass.md": data, **TARGET})
    note = read.graphs["Fass.md"].note
    assert (note.title, note.aliases, note.headings) == ("Regenfass", ("Tonne",), ("Überlauf",))
    assert read.links("Fass.md") == {("part_of", "Zisterne.md"), ("references", "Zisterne.md")}
    assert read.lines("Fass.md") == {("Zisterne.md", 4), ("Zisterne.md", 8)}
    assert not any("\ufeff" in chunk.text + chunk.window for chunk in read.graphs["Fass.md"].chunks)
    assert (tmp_path / "Fass.md").read_bytes() == data


@pytest.mark.parametrize("text", ["\ufeff# Brunnen\n", "\ufeff\r\n# Brunnen\r\n", "Vorwort\n\n\ufeff# Brunnen\n"])
def test_a_mark_without_frontmatter_hides_no_heading(tmp_path: Path, text: str) -> None:
    read = read_vault(tmp_path, {"Brunnen.md": text})
    assert read.headings("Brunnen.md") == ["Brunnen"]
    assert not any("\ufeff" in text for text in read.texts("Brunnen.md"))


# ------------------------------------------------------------------ line ends
@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"], ids=["CRLF", "CR", "LF"])
@pytest.mark.parametrize("closing", ["---", "--- ", "---\t"])
def test_every_kind_of_line_end_gives_the_same_note(tmp_path: Path, end: str, closing: str) -> None:
    rows = [
        "---",
        "status: draft",
        "tags: [wetter/frost]",
        closing,
        "# Winter",
        "",
        "## Eis",
        "Auf der [[Zisterne]].",
        "",
    ]
    read = read_vault(tmp_path, {"Winter.md": end.join(rows), **TARGET})
    note = read.graphs["Winter.md"].note
    assert (note.status, note.tags, note.headings) == ("draft", ("wetter/frost",), ("Winter", "Eis"))
    assert read.lines("Winter.md") == {("Zisterne.md", 8)}
    chunk = read.chunk("Winter.md", "Auf der")
    assert (chunk.start_line, chunk.end_line) == (7, 8)
    assert not any("\r" in text for text in read.texts("Winter.md"))
    assert read.codes("Winter.md") == []


def test_mixed_line_ends_count_each_as_one_line(tmp_path: Path) -> None:
    read = read_vault(tmp_path, {"Bunt.md": "# Eins\r\n\r\nText\n## Zwei\r[[Zisterne]]\n\r\n[[Fehlt]]", **TARGET})
    assert read.headings("Bunt.md") == ["Eins", "Zwei"]
    assert read.lines("Bunt.md") == {("Zisterne.md", 5), ("?Fehlt", 7)}


@pytest.mark.parametrize(
    "text", ["---\ntitle: Nur Kopf\n---", "---\r\ntitle: Nur Kopf\r\n---", "---\ntitle: Nur Kopf\n---  "]
)
def test_dashes_that_end_the_file_close_the_frontmatter(tmp_path: Path, text: str) -> None:
    read = read_vault(tmp_path, {"Kopf.md": text})
    assert read.frontmatter("Kopf.md") == {"title": "Nur Kopf"}
    assert read.graphs["Kopf.md"].note.title == "Nur Kopf"


# ------------------------------------------------------------------ encodings and odd bytes
@pytest.mark.parametrize(
    ("data", "text", "codes"),
    [
        ("# Größe\n\nStraße zur [[Zisterne]]".encode("latin-1"), "Straße", ["encoding"]),
        ("# Größe\n\n„Straße“ – [[Zisterne]]".encode("cp1252"), "„Straße“ –", ["encoding"]),
        (b"# Gr\xf6\x8f\n\nRest [[Zisterne]]", "Rest", ["encoding"]),
        ("# Größe\n\nStraße zur [[Zisterne]]".encode("utf-16-le"), "Straße", ["encoding"]),
        ("# Größe\n\nStraße zur [[Zisterne]]".encode("utf-16-be"), "Straße", ["encoding"]),
        ("# Größe 🌧\n\nStraße zur [[Zisterne]]".encode(), "Straße", []),
        (b"# Loch\n\nvor\x00nach [[Zisterne]]", "nach", ["nul"]),
        (b"# Loch\x00\n\n\x00\x00\n\n[[Zisterne]]\x00", "", ["nul"]),
    ],
    ids=["latin-1", "cp1252", "a byte of no codec", "utf-16-le unmarked", "utf-16-be unmarked", "emoji", "nul", "nuls"],
)
def test_an_odd_file_is_read_and_named_and_stops_no_other(
    tmp_path: Path, data: bytes, text: str, codes: list[str]
) -> None:
    read = read_vault(tmp_path, {"Odd.md": data, **TARGET})
    assert set(read.graphs) == {"Odd.md", "Zisterne.md"}
    assert read.links("Odd.md") == {("references", "Zisterne.md")}
    assert len(read.headings("Odd.md")) == 1
    assert text in "\n".join(read.texts("Odd.md"))
    assert [code for code, _ in read.codes("Odd.md")] == codes


def payloads(vault: Path, data_dir: Path, **env: str) -> list[dict[str, object]]:
    done = mindnet("payloads", "--vault", vault, "--data-dir", data_dir, **env)
    assert done.returncode == 0, done.stderr
    return [json.loads(row)["payload"] for row in done.stdout.splitlines()]


def test_payloads_are_the_same_in_a_locale_that_knows_ascii_only(tmp_path: Path) -> None:
    vault = tmp_path / "Wasser für alle"
    decomposed = unicodedata.normalize("NFD", "Straßen/Überlauf.md")
    read_vault(vault, {"Größe 🌧.md": HEAD + BODY, decomposed: "# Überlauf\n", **TARGET})
    env = without_a_model(tmp_path)
    utf8 = payloads(vault, tmp_path / "data", **env)
    assert payloads(vault, tmp_path / "data", **env, **ASCII_ONLY) == utf8
    assert {payload.get("path") for payload in utf8} >= {"Größe 🌧.md", "Straßen/Überlauf.md"}


def test_a_question_with_umlauts_is_understood_in_a_locale_that_knows_ascii_only(tmp_path: Path) -> None:
    vault = tmp_path / "Wasser für alle"
    read_vault(vault, {"Größe 🌧.md": HEAD + BODY, "Straßen/Übergang.md": "# Übergang\n", **TARGET})
    env = without_a_model(tmp_path) | ASCII_ONLY
    place = ("--vault", vault, "--data-dir", tmp_path / "data", "--json")
    assert mindnet("import", "--apply", *place, **env).returncode == 0
    answer = json.loads(mindnet("query", "Übergang", *place, **env).stdout)
    assert answer["hits"][0]["path"] == "Straßen/Übergang.md"
