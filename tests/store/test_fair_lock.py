"""Who waits for the store has its turn before the next piece of an import."""

from __future__ import annotations

import threading

from mindnet.store.fair_lock import FairLock

WAIT = 30.0


def test_a_thread_may_enter_again_and_holds_others_off_until_it_has_left() -> None:
    lock = FairLock()
    entered = threading.Event()

    def enter() -> None:
        with lock:
            entered.set()

    other = threading.Thread(target=enter)
    with lock:
        with lock, lock:
            other.start()
        assert not entered.wait(0.05)
    other.join(WAIT)
    assert entered.is_set()


def test_it_is_free_again_after_an_error() -> None:
    lock = FairLock()
    try:
        with lock, lock:
            raise ValueError
    except ValueError:
        pass
    done = threading.Event()

    def enter() -> None:
        with lock:
            done.set()

    threading.Thread(target=enter).start()
    assert done.wait(WAIT)


def test_who_waits_comes_before_the_one_who_has_just_left() -> None:
    lock = FairLock()
    order: list[str] = []
    waiting = threading.Event()

    def wait_for_a_turn() -> None:
        waiting.set()
        with lock:
            order.append("search")

    with lock:
        other = threading.Thread(target=wait_for_a_turn)
        other.start()
        waiting.wait(WAIT)
        # It is in the queue when it holds the place of the next.
        while not lock._next.locked():
            pass
    with lock:
        order.append("piece")
    other.join(WAIT)
    assert order == ["search", "piece"]
