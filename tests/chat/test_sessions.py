"""Conversations outlive what happens to the sidecar."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chat.test_prompt import source
from mindnet.chat.events import citation
from mindnet.chat.sessions import MAX_TITLE, Sessions
from mindnet.errors import NotFoundError, StoreError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "chats.sqlite"


@pytest.fixture
def sessions(file: Path) -> Iterator[Sessions]:
    opened = Sessions(file)
    yield opened
    opened.close()


def test_a_turn_comes_back_as_it_was_written(sessions: Sessions) -> None:
    session_id, query_id = sessions.begin(None, "Wie viel Salz?", "de")
    sessions.searched(query_id, "Wie viel Salz braucht Kimchi?", ["a#c01", "b#c02"])
    cited = citation(source(2, "Text", "Ein Titel"))
    sessions.end(query_id, "answered", "Zwei Prozent [2].", "small", [cited])
    found, (turn,) = sessions.get(session_id)
    assert (found.title, found.turns) == ("Wie viel Salz?", 1)
    assert (turn.message, turn.question) == ("Wie viel Salz?", "Wie viel Salz braucht Kimchi?")
    assert (turn.state, turn.answer, turn.model) == ("answered", "Zwei Prozent [2].", "small")
    assert (turn.citations, turn.sources, turn.language) == ((cited,), ("a#c01", "b#c02"), "de")


def test_a_turn_that_was_cut_off_with_the_program_counts_as_stopped(file: Path) -> None:
    before = Sessions(file)
    session_id, _ = before.begin(None, "Question?", "en")
    before.close()
    after = Sessions(file)
    assert [turn.state for turn in after.turns(session_id)] == ["stopped"]
    after.close()


def test_deleting_a_session_deletes_its_turns_even_from_the_file(sessions: Sessions, file: Path) -> None:
    session_id, query_id = sessions.begin(None, "A very secret question?", "en")
    sessions.delete(session_id)
    sessions.end(query_id, "answered", "A very secret answer.", "small")
    with pytest.raises(NotFoundError):
        sessions.get(session_id)
    with pytest.raises(NotFoundError):
        sessions.begin(session_id, "Again?", "en")
    sessions.close()
    assert b"very secret" not in file.read_bytes()


def test_a_long_first_question_makes_a_short_title(sessions: Sessions) -> None:
    sessions.begin(None, "word\n" * 100, "en")
    (found,) = sessions.all()
    assert len(found.title) == MAX_TITLE
    assert "\n" not in found.title


def test_a_damaged_file_is_kept_aside_and_chats_go_on(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    file.write_bytes(b"no database at all" * 100)
    opened = Sessions(file)
    assert opened.all() == []
    opened.begin(None, "Question?", "en")
    opened.close()
    (kept,) = file.parent.glob("chats-damaged-*.sqlite")
    assert kept.read_bytes().startswith(b"no database")
    assert kept.name in caplog.text


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "chats.sqlite").mkdir()
    with pytest.raises(StoreError, match=r"chats\.sqlite cannot be read or written"):
        Sessions(tmp_path / "chats.sqlite").begin(None, "Question?", "en")


def test_who_never_chats_has_no_file(file: Path) -> None:
    Sessions(file).close()
    assert not file.exists()
