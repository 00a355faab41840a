"""Making many records that all live on, beside threads that answer."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

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
    turn = sys.getswitchinterval()
    gc.disable()
    sys.setswitchinterval(min(turn, TURN))
    try:
        yield
    finally:
        sys.setswitchinterval(turn)
        gc.enable()
