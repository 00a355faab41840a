"""Figures of a running daemon, taken over HTTP: start, saves, a move of many notes, searches during an import."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import httpx

from mindnet.embedding.choice import Choice
from mindnet.settings import load_settings
from mindnet.workspace import find_place
from mindnet.workspace.place import choice_of
from soaking.daemon import Daemon, DaemonError, environment

SAVES = 15
QUESTION = "What is to be done until when, und wie lange ist die Frist?"
MOVED = 1_000
EVERY = 0.05
"""Seconds between two searches during an import."""
LONG = 3_600.0


@dataclass(frozen=True, slots=True)
class Running:
    """Seconds. ``loading`` is of a process that only loads the model, taken right before ``restart``.

    ``restart`` ends when it is known that nothing has changed, ``answer``, of another start, with an answer to a
    question that is asked as soon as anything can be asked.
    ``save_*`` are counted from the end of the debounce time; ``*_embedded`` are new vectors.
    """

    loading: float
    restart: float
    answer: float
    restart_embedded: int
    save_median: float
    save_worst: float
    moved: int
    move: float
    move_embedded: int


@dataclass(frozen=True, slots=True)
class Searches:
    """Seconds that one person who searches again and again waits for an answer while an import runs."""

    number: int
    p50: float
    p95: float
    errors: int
    import_done: float


def measure_running(vault: Path, data: Path, config: Path, log: Path) -> Running:
    """Of a vault that is indexed already."""
    before = _vectors(data)
    # What other measurements have written or deleted is not for a restart to wait for.
    os.sync()
    loading = _loading_seconds(choice_of(find_place(vault, data, config, environment(), {}).settings, {}))
    started = time.perf_counter()
    with Daemon(vault, data, config, log) as daemon:
        daemon.ready(LONG)
        daemon.search(QUESTION, mode="hybrid", top_k=10)
        answer = time.perf_counter() - started
        daemon.stop()
    started = time.perf_counter()
    with Daemon(vault, data, config, log) as daemon:
        daemon.wait_until_idle(LONG)
        restart = time.perf_counter() - started
        restart_embedded = _vectors(data) - before
        saves = _saves(daemon, vault, config)
        before = _vectors(data)
        moved, seconds = _move(daemon, vault)
        embedded = _vectors(data) - before
        daemon.stop()
    return Running(
        loading, restart, answer, restart_embedded, quantile(saves, 0.5), max(saves), moved, seconds, embedded
    )


def _loading_seconds(choice: Choice) -> float:
    """What a new process takes to load the model and to end."""
    program = (
        "from mindnet.embedding.choice import Choice; from mindnet.embedding.load import load_model; "
        f"load_model(Choice({choice.provider!r}, {choice.model!r})).embed_query('warm')"
    )
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, env=environment())
    return time.perf_counter() - started


def _vectors(data: Path) -> int:
    """How many windows were ever embedded."""
    with sqlite3.connect(f"file:{data / 'vectors.sqlite'}?mode=ro", uri=True) as db:
        (number,) = db.execute("SELECT count(*) FROM vectors").fetchone()
    db.close()
    return int(number)


def _saves(daemon: Daemon, vault: Path, config: Path) -> list[float]:
    """From the end of the debounce to an answer that holds what was saved into a note that was there."""
    debounce = load_settings(config, env=environment()).mindnet.watch.debounce_ms / 1000
    paths = [path for path in sorted(vault.rglob("*.md")) if is_plain(path, vault)]
    took: list[float] = []
    for number, path in enumerate(paths[:: max(len(paths) // SAVES, 1)][:SAVES]):
        word = _unlike(number)
        before = path.read_text(encoding="utf-8").rstrip()
        saved = time.perf_counter()
        path.write_text(f"{before}\n\nThe word is {word}.\n", encoding="utf-8")
        while not any(word in hit for hit in daemon.search(word, mode="lexical", top_k=1)):
            if time.perf_counter() - saved > 60:
                raise RuntimeError(f"{path} was never searchable")
            time.sleep(0.005)
        took.append(max(time.perf_counter() - saved - debounce, 0.0))
        daemon.wait_until_idle()
    return took


def _unlike(number: int) -> str:
    """A word that no note has and that no other of these is like: a search finds words that begin alike, too."""
    return "".join(chr(ord("a") + byte % 26) for byte in blake2b(str(number).encode(), digest_size=12).digest())


def is_plain(path: Path, vault: Path) -> bool:
    """A note that is indexed and of UTF-8: no template, nothing hidden."""
    inside = path.relative_to(vault).as_posix()
    content = path.read_bytes()
    hidden = inside.startswith(".") or "/." in inside
    return not hidden and content.isascii() and b"status: template" not in content and b"private: true" not in content


def _move(daemon: Daemon, vault: Path) -> tuple[int, float]:
    """Moves many notes into a folder that is new, and waits until the index has followed."""
    names: set[str] = set()
    chosen: list[Path] = []
    for path in sorted(vault.rglob("*.md")):
        if path.name not in names and not path.relative_to(vault).as_posix().startswith("."):
            names.add(path.name)
            chosen.append(path)
    chosen = chosen[: min(MOVED, len(chosen) * 2 // 3)]
    target = vault / "Umgezogen"
    started = time.perf_counter()
    target.mkdir()
    for path in chosen:
        path.rename(target / path.name)
    daemon.ingest(LONG)
    daemon.wait_until_idle(LONG)
    return len(chosen), time.perf_counter() - started


def measure_searches(vault: Path, data: Path, config: Path, log: Path, seconds: float) -> Searches:
    """Searches while a vault is imported into an empty folder, for so many seconds at most."""
    questions = [path.stem for path in sorted(vault.rglob("*.md"))[::7]] or ["mindnet"]
    took: list[float] = []
    errors = 0
    with Daemon(vault, data, config, log) as daemon:
        daemon.ready()
        began = time.perf_counter()
        while (status := daemon.status()).state != "idle" and (started := time.perf_counter()) - began < seconds:
            try:
                daemon.search(questions[len(took) % len(questions)], mode="hybrid", top_k=10)
            except (DaemonError, httpx.HTTPError):
                errors += 1
            took.append(time.perf_counter() - started)
            time.sleep(max(EVERY - took[-1], 0.0))
        done = status.indexed / status.total if status.total else 1.0
    return Searches(len(took), quantile(took, 0.5), quantile(took, 0.95), errors, done)


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0
