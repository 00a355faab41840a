"""Many passages are embedded in a process of their own, so that building and searching have this one to themselves.

Python runs one thread at a time. A model that is written in Python gives the turn away at every step of its
arithmetic and waits to get it back; beside a thread that parses notes it would mostly wait. A model that needs no
interpreter would take half of the processor from every answer; a process can have a lower priority, which threads of
one process cannot have everywhere.

The process reads requests from its standard input and ends with it: it cannot outlive who started it. Both sides
write frames: the number of the request and the length of what follows, then the texts as JSON, or the vectors as
little-endian float32.
"""

from __future__ import annotations

import json
import logging
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO

import numpy as np

from mindnet.embedding.choice import Choice
from mindnet.embedding.port import Embedder, Tokenizer, Vectors

log = logging.getLogger(__name__)
GROUP = 8
"""Texts in a request: small, so that every thread has one at any time."""
LEAST = 64
"""Fewer passages at once are embedded here, before a process would have loaded the model."""
CALMER = 10
"""Steps of priority below this process: an answer is waited for, the end of an import is not."""
PATIENCE = 10.0
"""Seconds that the process has to end after its input has."""
_FRAME = struct.Struct("<II")
_READY = 2**32 - 1
_PACKAGE = Path(__file__).resolve().parents[2]


class ApartEmbedder:
    """Embeds as ``inner`` does; within ``many()`` in a process of its own that loads the embedding ``choice``.

    May be called from several threads. Should the process end before its time, what it had not done is done here.
    """

    def __init__(self, inner: Embedder, choice: Choice) -> None:
        self._inner = inner
        self._choice = choice
        self._lock = threading.Lock()
        self._users = 0
        self._worker: _Worker | None = None

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    @property
    def max_tokens(self) -> int:
        return self._inner.max_tokens

    @property
    def floor(self) -> float:
        return self._inner.floor

    @property
    def tokenizer(self) -> Tokenizer:
        return self._inner.tokenizer

    def prepare(self) -> None:
        self._inner.prepare()

    @property
    def is_started(self) -> bool:
        return self._worker is not None

    @property
    def process_id(self) -> int | None:
        """The process that embeds now; None until it has loaded the model, and when there is none."""
        with self._lock:
            return self._worker.process_id if self._worker is not None and self._worker.ready else None

    @contextmanager
    def many(self, expected: int = 0) -> Iterator[None]:
        """The process is started when it is first needed, or at once if so many passages are expected.

        It ends with the last of those who are within.
        """
        with self._lock:
            self._users += 1
            self._start(expected)
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                worker, self._worker = (None, self._worker) if self._users else (self._worker, None)
            if worker is not None:
                worker.close()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        worker = self._ready(len(texts))
        if worker is None:
            return self._inner.embed_passages(texts)
        groups = [texts[start : start + GROUP] for start in range(0, len(texts), GROUP)]
        asked = [worker.ask(group) for group in groups]
        return np.concatenate([self._given(one, group) for one, group in zip(asked, groups, strict=True)])

    def embed_query(self, text: str) -> Vectors:
        return self._inner.embed_query(text)

    def _ready(self, number: int) -> _Worker | None:
        """The process, if it is to be used and has loaded the model."""
        with self._lock:
            if not self._users:
                return None
            self._start(number)
            return self._worker if self._worker is not None and self._worker.ready else None

    def _start(self, number: int) -> None:
        if self._worker is None and number >= LEAST:
            self._worker = _Worker(self._choice, self._inner.dimension)

    def _given(self, asked: Future[Vectors], group: Sequence[str]) -> Vectors:
        try:
            return asked.result()
        except ConnectionError:
            return self._inner.embed_passages(group)


class _Worker:
    """The process, seen from here: requests go in, and a thread hands out what comes back."""

    def __init__(self, choice: Choice, dimension: int) -> None:
        self._dimension = dimension
        self._lock = threading.Lock()
        self._asked: dict[int, Future[Vectors]] = {}
        self._number = 0
        self._gone = False
        self._closing = False
        self.ready = False
        path = os.pathsep.join(filter(None, (str(_PACKAGE), os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mindnet.embedding", json.dumps(asdict(choice))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._reader = threading.Thread(target=self._read, name="vectors", daemon=True)
        self._reader.start()

    @property
    def process_id(self) -> int:
        return self._process.pid

    def ask(self, texts: Sequence[str]) -> Future[Vectors]:
        """The vectors to come; ``ConnectionError`` if the process ends before."""
        future: Future[Vectors] = Future()
        body = json.dumps(list(texts)).encode("ascii")
        with self._lock:
            if self._gone:
                future.set_exception(ConnectionError())
                return future
            self._number = (self._number + 1) % _READY
            self._asked[self._number] = future
            assert self._process.stdin is not None
            # Should it have ended, the one who reads sees it, and tells all who wait.
            with suppress(OSError):
                _write(self._process.stdin, self._number, body)
        return future

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as source:
            while (frame := _read(source)) is not None:
                number, body = frame
                if number == _READY:
                    self.ready = True
                    continue
                with self._lock:
                    future = self._asked.pop(number)
                future.set_result(np.frombuffer(body, dtype="<f4").reshape(-1, self._dimension))
        with self._lock:
            self._gone = True
            self.ready = False
            left, self._asked = list(self._asked.values()), {}
        if not self._closing:
            log.warning("The process that embeds has ended (%s); its work goes on here.", self._process.wait())
        for future in left:
            future.set_exception(ConnectionError())

    def close(self) -> None:
        """Ends the process; one that does not end by itself is killed."""
        self._closing = True
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()


def serve(embedder: Embedder, source: IO[bytes], sink: IO[bytes], threads: int) -> None:
    """The other side: answers requests from ``source``, ``threads`` at a time, until it ends."""
    writing = threading.Lock()

    def answer(number: int, body: bytes) -> None:
        vectors = embedder.embed_passages(json.loads(body)).astype("<f4").tobytes()
        with writing:
            _write(sink, number, vectors)

    embedder.embed_query("")
    with writing:
        _write(sink, _READY, b"")
    with ThreadPoolExecutor(threads, thread_name_prefix="embedding") as pool:
        waiting: set[Future[None]] = set()
        while (frame := _read(source)) is not None:
            waiting.add(pool.submit(answer, *frame))
            for done in [one for one in waiting if one.done()]:
                waiting.remove(done)
                # What failed fails here: the process ends, and who asked does it without.
                done.result()


def _write(sink: IO[bytes], number: int, body: bytes) -> None:
    sink.write(_FRAME.pack(number, len(body)) + body)
    sink.flush()


def _read(source: IO[bytes]) -> tuple[int, bytes] | None:
    """The next frame; None when there is no more, or only a part of one."""
    head = source.read(_FRAME.size)
    if len(head) < _FRAME.size:
        return None
    number, length = _FRAME.unpack(head)
    body = source.read(length)
    return (number, body) if len(body) == length else None
