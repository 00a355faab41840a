"""Whatever stands in whatever: every link that can be seen is read as what it is, none that is hidden is."""

from __future__ import annotations

import json
import os
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from markdown.corpus import make_note
from markdown.corpus_lines import Seen
from mindnet.markdown.lines import split_lines
from mindnet.markdown.parse import parse_note

NOTES = int(os.environ.get("MINDNET_TEST_NOTES", "2000"))


@settings(max_examples=NOTES, derandomize=True, database=None, deadline=None)
@given(st.lists(st.integers(0, 2**32), min_size=1, max_size=4), st.sampled_from(["\n", "\n", "\r\n", "\r"]))
def test_every_visible_link_is_found_and_no_hidden_one(seeds: list[int], end: str) -> None:
    note = make_note(seeds, end)
    rows = note.text.split(end)
    lines = {f"Zq{part[:4]}": number for number, row in enumerate(rows, 1) for part in row.split("Zq")[1:]}
    found: dict[str, set[tuple[int, Seen]]] = {}
    parsed = parse_note("Note.md", note.text)
    for m in parsed.mentions:
        if m.attachment:
            continue
        token = m.target[m.target.index("Zq") :][:6]
        found.setdefault(token, set()).add((m.line, (m.source, m.kind, m.target, m.section, m.label, m.candidate)))
        if m.source != "frontmatter":
            begins, _, _ = rows[m.line - 1][m.column :].partition(token)
            assert begins[0] in "[!", (begins, note.text)
            assert "Zq" not in begins, (begins, note.text)
    expected = {token: {(lines[token], one) for one in mentions} for token, mentions in note.seen.items()}
    assert not found.keys() & note.hidden, note.text
    assert found == expected, note.text
    assert len(parsed.headings) == note.headings, note.text
    assert not parsed.faults, note.text


MARKS = (
    *("[[", "]]", "![[", "|", r"\|", "#", "^", "](", "<", ">", "(", ")", "[", "]", "rel:", "uses:", "candidate:", "::"),
    *("> ", ">> ", "> [!edge] ", "> [!note]- ", "- ", "* ", "1. ", "- [ ] ", "    ", "\t", "| a |\n", "|---|\n", "# "),
    *(
        "```",
        "~~~",
        "`",
        "``",
        "$",
        "$$",
        "%%",
        "<!--",
        "-->",
        "<div>",
        "<br>",
        "<pre>",
        "</pre>",
        "\\",
        "===",
        "---\n",
    ),
    *("a: ", "tags: ", "links:\n", "- [[X]]\n", '"', "'", "{", "}", "&a ", "*a", "!", "...\n", "[^1]: ", "http://x"),
    *("\n", "\n\n", "\r\n", "\r", "\0", "\ufeff", "\u2028", "\x85", "\x0c", "\xa0", "é", "e\u0301", "😀", "word ", "X"),
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(MARKS), max_size=40).map("".join))


@settings(max_examples=NOTES // 4, derandomize=True, database=None, deadline=None)
@given(TEXTS, TEXTS)
def test_any_text_at_all_is_read_and_its_places_are_in_the_file(head: str, body: str) -> None:
    for text in (body, f"---\n{head}\n---\n{body}"):
        note = parse_note("Note.md", text)
        count = len(split_lines(text))
        assert not [fault for fault in note.faults if fault.code == "structure"]
        assert all(1 <= mention.line <= count for mention in note.mentions)
        assert all(0 <= fault.line <= count for fault in note.faults)
        assert all(note.body_line <= heading.line <= count for heading in note.headings)
        assert all(1 <= block.start_line <= block.end_line <= count for block in note.blocks)
        json.dumps(note.frontmatter, allow_nan=False).encode()


@settings(max_examples=NOTES // 40, derandomize=True, database=None, deadline=None)
@given(st.lists(st.sampled_from(MARKS), min_size=1, max_size=5).map("".join))
def test_the_time_grows_with_the_length_whatever_is_repeated(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        times = []
        for _ in range(3):
            start = time.process_time()
            parse_note("Note.md", text)
            times.append(time.process_time() - start)
        return min(times)

    # Sixteen times the text: a reader that goes back over it for each part would take 256 times as long.
    assert seconds(16_000) < 80 * max(seconds(1_000), 0.001), unit
