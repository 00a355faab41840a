"""A note of many megabytes is parsed in a few times its own room."""

from __future__ import annotations

import tracemalloc

from mindnet.markdown.parse import parse_note

SECTION = "## Abschnitt\n\n" + "Die Zisterne füllt sich, wenn es regnet, und läuft über [[Das Rohr]] ab.\n\n" * 20


def test_a_long_note_takes_a_few_times_its_room_while_it_is_parsed() -> None:
    """Its lines and blocks stay; the parser's tokens, which alone would take twenty times as much, do not."""
    text = SECTION * 400
    tracemalloc.start()
    try:
        parsed = parse_note("Long.md", text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(parsed.blocks) == 400 * 21
    assert peak < 16 * len(text)
