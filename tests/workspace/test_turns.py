"""What is lent out is put away once, and only when nobody needs it any more."""

from __future__ import annotations

import threading

from mindnet.workspace.turns import Turns


def test_the_old_thing_goes_at_once_when_nobody_has_it() -> None:
    turns, gone = Turns("old"), list[str]()
    turns.switch("new", gone.append)
    assert gone == ["old"]
    with turns.taken() as thing:
        assert thing == turns.now == "new"


def test_the_last_of_several_readers_puts_the_old_thing_away() -> None:
    turns, gone = Turns("old"), list[tuple[str, str]]()
    taken, leave = threading.Barrier(3), [threading.Event(), threading.Event()]

    def read(number: int) -> None:
        with turns.taken() as thing:
            taken.wait(20)
            assert leave[number].wait(20)
            assert thing == "old"

    readers = [threading.Thread(target=read, args=(number,), name=str(number)) for number in (0, 1)]
    for reader in readers:
        reader.start()
    taken.wait(20)
    turns.switch("new", lambda thing: gone.append((thing, threading.current_thread().name)))
    with turns.taken() as thing:
        assert thing == "new"
    assert gone == []
    leave[1].set()
    readers[1].join()
    assert gone == []
    leave[0].set()
    readers[0].join()
    assert gone == [("old", "0")]
