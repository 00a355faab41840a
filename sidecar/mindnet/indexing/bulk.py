"""Making many records that all live on, beside threads that answer."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from mindnet.courtesy import short_turns

TURN = 0.001
"""Seconds, a fifth of what is usual. An answer takes many turns, and waits so long for each while notes are parsed."""


@contextmanager
def bulk() -> Iterator[None]:
    """Keeps the garbage collector from looking while thousands of notes are parsed, and has threads take short turns.

    Looking again and again at what lives on costs a tenth of the time. Records hold no cycles, so that all goes that
    is not needed any more; what little else is left in cycles goes afterwards.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        with short_turns(TURN):
            yield
    finally:
        gc.enable()
