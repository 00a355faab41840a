"""Whatever stands in whatever: every link that can be seen is read as what it is, none that is hidden is."""

from __future__ import annotations

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from markdown.corpus import Seen, lines_of, note
from mindnet.markdown.parse import parse_note

NOTES = int(os.environ.get("MINDNET_TEST_NOTES", "2000"))


@settings(max_examples=NOTES, derandomize=True, database=None, deadline=None)
@given(st.lists(st.integers(0, 2**32), min_size=1, max_size=4), st.sampled_from(["\n", "\n", "\r\n", "\r"]))
def test_every_visible_link_is_found_and_no_hidden_one(seeds: list[int], end: str) -> None:
    text, seen, hidden = note(seeds, end)
    lines = dict(lines_of(text, end))
    found: dict[str, set[tuple[int, Seen]]] = {}
    for m in parse_note("Note.md", text).mentions:
        token = m.target[m.target.index("Zq") :][:6]
        found.setdefault(token, set()).add((m.line, (m.source, m.kind, m.target, m.section, m.label, m.candidate)))
    expected = {token: {(lines[token], one) for one in mentions} for token, mentions in seen.items()}
    assert not found.keys() & hidden, text
    assert found == expected, text
