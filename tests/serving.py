"""A real `mindnet serve` in a process of its own, for tests that need one."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

_LIBC = ctypes.CDLL(None, use_errno=True)
START = [sys.executable, "-c", "from mindnet.cli import main; main()"]


def environment(**more: str) -> dict[str, str]:
    """The process's own environment without settings of a user, and no configuration folder of theirs."""
    theirs = ("MINDNET_", "QDRANT_", "COLLECTION_PREFIX")
    clean = {key: value for key, value in os.environ.items() if not key.startswith(theirs)}
    return {
        **clean,
        "XDG_CONFIG_HOME": "/nonexistent",
        "MINDNET_DEBOUNCE_MS": "60",
        "MINDNET_VALIDATION": "off",
        # A better model's index, built beside, would take both processors from what is tested.
        "MINDNET_EMBEDDING": "bundled",
        **more,
    }


def _as_a_user() -> None:
    """In the new process: root, too, is bound by the permissions of files from here on, as users are."""
    if sys.platform == "linux" and os.geteuid() == 0:
        drop_from_bounding_set, overriding, searching = 24, 1, 2
        for capability in (overriding, searching):
            if _LIBC.prctl(drop_from_bounding_set, capability, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "a capability cannot be dropped")


def mindnet(*arguments: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    """One command, run to its end."""
    return subprocess.run(
        [*START, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        env=environment(**env),
        timeout=300,
        check=False,
        preexec_fn=_as_a_user,
    )


@dataclass
class Served:
    url: str
    port: int
    pid: int
    token: str
    vault: str
    version: str
    data_dir: Path
    client: httpx.Client
    process: subprocess.Popen[str] = field(repr=False)

    def paths(self, question: str, **more: Any) -> list[str]:
        """Paths of the hits, best first."""
        answer = self.client.post("/query", json={"query": question, **more})
        answer.raise_for_status()
        return [hit["path"] for hit in answer.json()["hits"]]

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


@contextmanager
def serving(vault: Path, data_dir: Path, **env: str) -> Iterator[Served]:
    """Serves the vault; the first scan is done when the block is entered, nothing is left after it."""
    with started(vault, data_dir, **env) as served:
        served.client.post("/ingest", json={}).raise_for_status()
        yield served


@contextmanager
def started(vault: Path, data_dir: Path, **env: str) -> Iterator[Served]:
    """Serves the vault as ``serving`` does, whatever the first scan comes to."""
    process = subprocess.Popen(
        [*START, "serve", "--vault", str(vault), "--data-dir", str(data_dir)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**env),
        preexec_fn=_as_a_user,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            _, err = process.communicate(timeout=60)
            raise AssertionError(f"serve did not start: {err}")
        run = json.loads(line)
        headers = {"Authorization": f"Bearer {run['token']}"}
        with httpx.Client(base_url=run["url"], headers=headers, timeout=60, trust_env=False) as client:
            yield Served(**run, data_dir=data_dir, client=client, process=process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
        process.communicate()


def until(condition: Callable[[], bool], *, seconds: float = 60.0) -> None:
    """Waits until the condition holds; fails when it does not within ``seconds``.

    Asking takes at most half of the time, so that what is waited for has a processor to run on.
    """
    end = time.monotonic() + seconds
    while True:
        began = time.monotonic()
        if condition():
            return
        asked = time.monotonic()
        assert asked < end, "it did not come true in time"
        time.sleep(max(0.02, asked - began))
