"""A process that embeds: the same vectors, and nothing of it left whoever ends first."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from mindnet.embedding import apart
from mindnet.embedding.apart import LEAST, ApartEmbedder, serve
from mindnet.embedding.bundled import BundledEmbedder
from mindnet.embedding.choice import Choice
from mindnet.embedding.hashing import HashingEmbedder

TEXTS = [f"Satz {number} über Brot und Hefe, or about bread number {number}. \ud800" for number in range(LEAST)]
SIDECAR = Path(apart.__file__).resolve().parents[2]


@pytest.fixture
def embedder() -> ApartEmbedder:
    return ApartEmbedder(BundledEmbedder(), Choice())


def until_ready(embedder: ApartEmbedder) -> int:
    """Embeds until the process does; gives its id."""
    deadline = time.monotonic() + 60
    while (process := embedder.process_id) is None:
        assert time.monotonic() < deadline, "the process was never ready"
        embedder.embed_passages(TEXTS)
    return process


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def until_gone(process: int) -> None:
    deadline = time.monotonic() + 30
    while is_alive(process):
        assert time.monotonic() < deadline, "the process is still there"
        time.sleep(0.01)


def test_a_process_gives_the_vectors_that_are_made_here(embedder: ApartEmbedder) -> None:
    here = embedder.embed_passages(TEXTS)
    with embedder.many():
        until_ready(embedder)
        there = embedder.embed_passages(TEXTS)
        few = embedder.embed_passages(TEXTS[:3])
    assert np.abs(here - there).max() < 1e-5
    assert np.abs(here[:3] - few).max() < 1e-5
    assert there.dtype == np.float32


def test_no_process_is_started_for_a_few_passages_nor_outside(embedder: ApartEmbedder) -> None:
    embedder.embed_passages(TEXTS)
    assert not embedder.is_started
    with embedder.many():
        embedder.embed_passages(TEXTS[: LEAST - 1])
        assert not embedder.is_started
        embedder.embed_passages(TEXTS)
        assert embedder.is_started


def test_the_process_loads_the_model_while_the_notes_are_read(embedder: ApartEmbedder) -> None:
    with embedder.many(LEAST - 1):
        assert not embedder.is_started
    with embedder.many(LEAST):
        assert embedder.is_started


def test_the_process_ends_with_the_last_of_those_who_need_it(embedder: ApartEmbedder) -> None:
    with embedder.many():
        with embedder.many():
            process = until_ready(embedder)
        assert embedder.process_id == process
    assert not embedder.is_started
    assert not is_alive(process)


def test_what_a_killed_process_had_to_do_is_done_here(
    embedder: ApartEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    here = embedder.embed_passages(TEXTS)
    with caplog.at_level(logging.WARNING), embedder.many():
        os.kill(until_ready(embedder), signal.SIGKILL)
        there = embedder.embed_passages(TEXTS)
        again = embedder.embed_passages(TEXTS)
    assert np.abs(here - there).max() < 1e-5
    assert np.abs(here - again).max() < 1e-5
    assert [record.message for record in caplog.records if "has ended" in record.message]


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of POSIX")
def test_the_process_does_not_outlive_who_started_it() -> None:
    script = """
import sys, time
from mindnet.embedding.apart import ApartEmbedder
from mindnet.embedding.bundled import BundledEmbedder
from mindnet.embedding.choice import Choice
embedder = ApartEmbedder(BundledEmbedder(), Choice())
with embedder.many():
    while embedder.process_id is None:
        embedder.embed_passages([f"text {number}" for number in range(64)])
    print(embedder.process_id, flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SIDECAR)},
    ) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        assert is_alive(process)
        parent.kill()
        parent.wait()
        until_gone(process)


def test_requests_are_answered_by_number_until_the_input_ends() -> None:
    def frame(number: int, texts: list[str]) -> bytes:
        body = json.dumps(texts).encode()
        return apart._FRAME.pack(number, len(body)) + body

    sink = io.BytesIO()
    half = frame(9, ["never asked in full"])[:-3]
    serve(HashingEmbedder(), io.BytesIO(frame(7, ["eins", "zwei"]) + frame(8, ["three"]) + half), sink, threads=2)
    sink.seek(0)
    found = {}
    while (answer := apart._read(sink)) is not None:
        found[answer[0]] = np.frombuffer(answer[1], dtype="<f4").reshape(-1, 64)
    assert found.keys() == {apart._READY, 7, 8}
    assert np.array_equal(found[7], HashingEmbedder().embed_passages(["eins", "zwei"]))
    assert np.array_equal(found[8], HashingEmbedder().embed_passages(["three"]))


def test_what_a_question_needs_is_loaded_while_all_else_opens() -> None:
    inner = BundledEmbedder()
    ApartEmbedder(inner, Choice()).prepare()
    deadline = time.monotonic() + 60
    while not inner._loaded:
        assert time.monotonic() < deadline, "the model was never loaded"
        time.sleep(0.01)


def test_a_model_that_cannot_be_loaded_is_said_to_the_one_who_asks(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    inner = BundledEmbedder()

    def broken() -> None:
        raise OSError("the weights are gone")

    monkeypatch.setattr(inner, "_pieces", broken)
    inner.prepare()
    with pytest.raises(OSError, match="the weights are gone"):
        inner.embed_query("Frage")
    for thread in threading.enumerate():
        if thread.name == "mindnet-model":
            thread.join()
    assert capfd.readouterr() == ("", "")
