"""The process that embeds many passages: ``python -m mindnet.embedding CHOICE``, as JSON."""

from __future__ import annotations

import json
import os
import signal
import sys

from mindnet.embedding.apart import CALMER, serve
from mindnet.embedding.bundled import THREADS
from mindnet.embedding.choice import Choice
from mindnet.embedding.load import load_model


def main() -> None:
    # Ctrl+C in a terminal reaches every process in it; this one ends with its input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(CALMER)
    # Whatever prints must not get between the frames.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with sink:
        serve(load_model(Choice(**json.loads(sys.argv[1]))), sys.stdin.buffer, sink, THREADS)


if __name__ == "__main__":
    main()
