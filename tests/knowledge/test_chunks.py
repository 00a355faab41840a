"""Chunks cover a note, keep to its limits, and cut where a reader would."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindnet.embedding.hashing import HashingEmbedder
from mindnet.knowledge.chunks import ChunkDraft, chunk_note
from mindnet.knowledge.types import ChunkProfile
from mindnet.markdown.lines import split_lines
from mindnet.markdown.parse import parse_note
from mindnet.records import ParsedNote

TOKENS = HashingEmbedder().tokenizer
SMALL = ChunkProfile("small", 20, 2, 3)


def chunks(
    text: str, profile: ChunkProfile = SMALL, *, title: str = "T", max_tokens: int = 120, path: str = "n.md"
) -> list[ChunkDraft]:
    return chunk_note(parse_note(path, text), title=title, profile=profile, tokenizer=TOKENS, max_tokens=max_tokens)


def texts(text: str, profile: ChunkProfile = SMALL) -> list[str]:
    return [chunk.text for chunk in chunks(text, profile)]


# ------------------------------------------------------------------ where chunks begin and end
def test_a_chunk_never_crosses_a_heading_of_the_split_level() -> None:
    assert texts("# A\nx\n\n## B\ny\n### C\nz\n\n# D\n") == ["# A\nx", "## B\ny\n### C\nz", "# D"]


def test_by_heading_every_heading_begins_a_chunk() -> None:
    profile = ChunkProfile("by_heading", 100, 6, 0)
    assert texts("# A\n### B\nb\n###### C\n", profile) == ["# A", "### B\nb", "###### C"]


def test_split_level_0_never_splits_at_headings() -> None:
    assert texts("# A\nx\n\n# B\n", ChunkProfile("flat", 100, 0, 0)) == ["# A\nx\n\n# B"]


def test_a_heading_goes_with_the_text_below_it() -> None:
    text = f"{'wort ' * 15}\n\n### Kopf\n\n{'text ' * 10}"
    assert [chunk.splitlines()[0][:8] for chunk in texts(text)] == ["wort wor", "### Kopf"]


@pytest.mark.parametrize(
    "block",
    [
        "```\n" + "code code\n" * 6 + "```",
        "> zitat eins zwei\n> zitat drei vier\n> noch eins",
        "Ein Satz mit zehn Worten steht hier. Noch ein Satz.\nUnd einer.",
        "- punkt eins\n  geht weiter und weiter\n  bis hier",
    ],
)
def test_a_block_within_the_limit_is_not_cut(block: str) -> None:
    found = texts(f"vorher {'wort ' * 8}\n\n{block}\n\nnachher {'wort ' * 8}")
    assert any(block in chunk for chunk in found)


def test_a_long_table_is_cut_between_rows_and_a_long_list_between_items() -> None:
    rows = [f"| zeile {number} | wert wert |" for number in range(12)]
    table = "\n".join(["| a | b |", "| --- | --- |", *rows])
    found = texts(table)
    assert len(found) > 1
    assert all(row in "\n".join(found).split("\n") for row in rows)
    items = [f"- punkt {number} eins\n  zwei drei" for number in range(8)]
    found = texts("\n".join(items))
    assert len(found) > 1
    assert all(any(item in chunk for chunk in found) for item in items)


def test_prose_above_the_limit_is_cut_between_sentences() -> None:
    sentences = [f"Dies ist der Satz {number} von\nvielen im Text." for number in range(10)]
    found = texts(" ".join(sentences))
    assert len(found) > 1
    assert all(any(sentence in chunk for chunk in found) for sentence in sentences)
    assert all(chunk in " ".join(sentences) for chunk in found)


def test_a_sentence_above_the_limit_is_cut_between_words() -> None:
    words = [f"wort{number}" for number in range(60)]
    found = texts(" ".join(words))
    assert [word for chunk in found for word in chunk.split()] == words
    assert all(TOKENS.count(chunk) <= SMALL.max_tokens for chunk in found)
    assert {(chunk.start_line, chunk.end_line) for chunk in chunks(" ".join(words))} == {(1, 1)}


def test_a_fence_above_the_limit_is_cut_between_lines() -> None:
    code = [f"zeile {number} hat worte" for number in range(20)]
    found = texts("\n".join(["```", *code, "```"]))
    assert "\n".join(found).split("\n") == ["```", *code, "```"]


# ------------------------------------------------------------------ lines, paths, windows
def test_lines_are_those_of_the_file_behind_frontmatter_and_crlf() -> None:
    text = "---\r\ntype: x\r\n---\r\n\r\n# A\r\nx\r\n\r\n## B\r\ny\r\n"
    first, second = chunks(text)
    assert (first.start_line, first.end_line, first.text) == (5, 6, "# A\nx")
    assert (second.start_line, second.end_line, second.text) == (8, 9, "## B\ny")


def test_heading_paths() -> None:
    found = chunks("intro\n\n# A\n\n## B\nb\n\n## C\nc\n\n# D\nd")
    assert [chunk.heading_path for chunk in found] == [(), ("A",), ("A", "B"), ("A", "C"), ("D",)]


def test_a_window_has_title_path_and_a_little_of_its_neighbours() -> None:
    text = "# A\n\n## B\n" + "\n\n".join(f"{letter}{'wort ' * 12}{letter}." for letter in "xyz")
    _, first, second, third = chunks(text, title="Der Titel")
    assert second.window.startswith("Der Titel\nA › B\n")
    assert second.text in second.window
    assert "x." in second.window
    assert "z" in second.window
    assert "x" not in second.text
    assert TOKENS.count(second.window) <= TOKENS.count(second.text) + TOKENS.count("Der Titel A › B") + 6
    assert "Der Titel" in first.window
    assert "y." in third.window


def test_overlap_does_not_reach_over_a_heading_of_the_split_level() -> None:
    first, second = chunks("# A\nalpha\n\n# B\nbeta")
    assert "alpha" not in second.window
    assert "beta" not in first.window


def test_a_title_that_is_the_heading_stands_in_the_window_once_above_the_text() -> None:
    [chunk] = chunks("# Kompost\nwarm", title="Kompost")
    assert chunk.window == "Kompost\n# Kompost\nwarm"


def test_a_new_title_changes_windows_but_no_text() -> None:
    text = "# A\nx\n\n# B\ny"
    old, new = chunks(text, title="Alt"), chunks(text, title="Neu")
    assert [chunk.text for chunk in old] == [chunk.text for chunk in new]
    assert all(one.window != two.window for one, two in zip(old, new, strict=True))


def test_a_model_that_takes_little_gets_small_chunks() -> None:
    profile = ChunkProfile("long", 512, 2, 32)
    found = chunks("Wort. " * 300, profile, title="lang " * 200, max_tokens=64)
    assert all(TOKENS.count(chunk.window) <= 64 for chunk in found)
    assert all(chunk.text in chunk.window for chunk in found)


class EveryJointCosts:
    """A tokenizer whose counts do not add up: each line end is two tokens more."""

    @property
    def additive(self) -> bool:
        return False

    def count(self, text: str) -> int:
        return len(text.split()) + 2 * text.count("\n")

    def truncate(self, text: str, limit: int) -> str:
        return " ".join(text.split()[:limit])

    def tail(self, text: str, limit: int) -> str:
        return " ".join(text.split()[-limit:])


def test_windows_fit_where_token_counts_do_not_add_up() -> None:
    parsed = parse_note("n.md", "\n\n".join(f"absatz {number} mit wort" for number in range(40)))
    profile = ChunkProfile("long", 512, 2, 32)
    tokenizer = EveryJointCosts()
    for chunk in chunk_note(parsed, title="T", profile=profile, tokenizer=tokenizer, max_tokens=64):
        assert tokenizer.count(chunk.window) <= 64


# ------------------------------------------------------------------ little or nothing in it
@pytest.mark.parametrize("text", ["", "  \n\t\n", "---\n---\n", "---\ntags:\n---\n\n"])
def test_a_note_with_nothing_in_it_is_found_by_its_title(text: str) -> None:
    assert chunks(text, title="Begriff") == [ChunkDraft("Begriff", "Begriff", (), 1, 1)]


@pytest.mark.parametrize("head", ["aliases: [Humus]", "title: Erde\naliases: Humus", "type: concept\naliases: Humus"])
def test_a_note_of_frontmatter_alone_is_found_by_its_names(head: str) -> None:
    [chunk] = chunks(f"---\n{head}\n---\n\n\n", title="Begriff")
    assert chunk == ChunkDraft("Begriff\nHumus", "Begriff\nHumus", (), 1, 1)


def test_a_note_of_tags_alone_is_found_by_its_title() -> None:
    assert [chunk.text for chunk in chunks("---\ntags: [a]\n---\n", title="Begriff")] == ["Begriff"]


# ------------------------------------------------------------------ odd sizes
@pytest.mark.parametrize(
    "text",
    ["x" * 1_000_000, "wort " * 200_000, "." * 500_000, "ä!" * 300_000, "- x\n" * 30_000],
    ids=["one word", "one line", "dots", "marks", "list"],
)
def test_a_megabyte_without_a_break_is_cut_in_reasonable_time(text: str) -> None:
    started = time.process_time()
    found = chunks(text, ChunkProfile("medium", 256, 2, 24), max_tokens=512)
    assert time.process_time() - started < 15
    assert found
    assert max(TOKENS.count(chunk.window) for chunk in found) <= 512


def test_many_headings_cost_no_more_than_their_number() -> None:
    started = time.process_time()
    found = chunks("".join(f"## H{number}\ntext\n" for number in range(8_000)))
    assert time.process_time() - started < 15
    assert len(found) == 8_000


# ------------------------------------------------------------------ properties
WORD = st.sampled_from(["Haus", "baum", "z. B.", "[[Ziel]]", "langeswortohneende" * 3, "Ende.", "Neu!", "ß", "12."])
PROSE = st.lists(WORD, min_size=1, max_size=40).map(" ".join)
BLOCK = st.one_of(
    PROSE,
    PROSE.map(lambda text: "\n".join(text.split(" "))),
    st.builds(lambda level, text: f"{'#' * level} {text[:20]}", st.integers(1, 6), PROSE),
    PROSE.map(lambda text: "```\n" + text.replace(" ", "\n") + "\n```"),
    st.lists(PROSE, min_size=1, max_size=4).map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.lists(PROSE, min_size=1, max_size=4).map(lambda items: "\n".join(f"  - {item}\n    {item}" for item in items)),
    PROSE.map(lambda text: "> [!note] " + text.replace(" ", "\n> ")),
    st.lists(PROSE, max_size=3).map(lambda rows: "\n".join(["| a |", "| --- |", *(f"| {row} |" for row in rows)])),
    st.sampled_from(["", "   ", "---", "$$\na\n$$", "%%\nweg\n%%", "<div>\nx\n</div>", "\t\tcode"]),
)
NOTES = st.builds(
    lambda head, blocks, end: head + end.join("\n\n".join(blocks).split("\n")),
    st.sampled_from(["", "---\ntitle: x\n---\n"]),
    st.lists(BLOCK, min_size=1, max_size=8),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
PROFILES = st.builds(ChunkProfile, st.just("any"), st.integers(4, 60), st.integers(0, 6), st.integers(0, 10))


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


@settings(max_examples=300, deadline=None)
@given(NOTES, PROFILES, st.integers(30, 200))
def test_chunks_cover_the_body_once_within_the_limits(text: str, profile: ChunkProfile, max_tokens: int) -> None:
    note = parse_note("n.md", text)
    lines = split_lines(text)
    found = chunk_note(note, title="T", profile=profile, tokenizer=TOKENS, max_tokens=max_tokens)
    body = [number for number in range(note.body_line, len(lines) + 1) if lines[number - 1].strip()]
    if not body:
        return
    covered = {line for chunk in found for line in range(chunk.start_line, chunk.end_line + 1)}
    assert covered >= set(body)
    assert squeezed("".join(chunk.text for chunk in found)) == squeezed("".join(lines[note.body_line - 1 :]))
    for chunk in found:
        assert chunk.text.strip()
        assert chunk.text in chunk.window
        assert TOKENS.count(chunk.text) <= profile.max_tokens
        assert TOKENS.count(chunk.window) <= max_tokens
    for before, after in pairwise(found):
        assert before.end_line <= after.start_line
    _keeps_to_headings(note, found, profile)


def _keeps_to_headings(note: ParsedNote, found: list[ChunkDraft], profile: ChunkProfile) -> None:
    borders = {
        block.start_line for block in note.blocks if block.kind == "heading" and 0 < block.level <= profile.split_level
    }
    for chunk in found:
        assert not borders & set(range(chunk.start_line + 1, chunk.end_line + 1))


@settings(max_examples=150, deadline=None)
@given(NOTES, PROFILES)
def test_the_text_of_a_chunk_is_its_lines_unless_a_block_was_cut_inside(text: str, profile: ChunkProfile) -> None:
    note = parse_note("n.md", text)
    lines = split_lines(text)
    sizes = [TOKENS.count("\n".join(lines[block.start_line - 1 : block.end_line])) for block in note.blocks]
    if max(sizes, default=0) > profile.max_tokens:
        return
    for chunk in chunk_note(note, title="T", profile=profile, tokenizer=TOKENS, max_tokens=2000):
        if note.blocks:
            assert chunk.text == "\n".join(lines[chunk.start_line - 1 : chunk.end_line])
            assert not any(b.start_line < chunk.start_line <= b.end_line for b in note.blocks)
