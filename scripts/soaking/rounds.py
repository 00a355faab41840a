"""Rounds of the soak test: edit, kill, start again, and compare with an index built from nothing."""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random

from mindnet.settings.files import read_yaml
from soaking.daemon import CONFIGURATION, START, START_WITH_TWO_MODELS, TWO_MODELS, Daemon
from soaking.snapshot import Snapshot, differences, fresh_index, read_index
from vaultgen.changes import Edit, Tree, apply, follow, read_tree, single
from vaultgen.edits import edits
from vaultgen.vault import generate

SHOWN = 40
"""So many differences are named."""
WATCH_EVERY = 5
"""After so many rounds there is one without a kill."""
AGAIN = 0.25
"""Share of the rounds in which the start after the kill is killed too."""
CHUNK_TOKENS = (48, 96, 256)
MARK = "Zeichen des Dauerlaufs.md"


class MismatchError(Exception):
    """The index is not what an import of the vault gives; the text says where it differs."""


@dataclass
class Counts:
    kills: Counter[str] = field(default_factory=Counter)
    edits: int = 0
    compared: int = 0
    points: int = 0
    rebuilt: int = 0
    busy: int = 0
    """Kills while it said that it was at work."""


class Soak:
    """A vault, a data folder and a stream of edits; each round ends with a comparison."""

    def __init__(
        self,
        folder: Path,
        *,
        notes: int,
        seed: int,
        burst: int,
        settings: Path | None = None,
        with_two_models: bool = False,
    ) -> None:
        self.vault, self.data, self.config = folder / "vault", folder / "data", folder / "config"
        self.killed, self.fresh, self.log = folder / "killed", folder / "fresh", folder / "serve.log"
        self.rng = Random(f"soak {seed}")
        self.counts = Counts()
        self.history: list[str] = []
        self.start_seconds = self.import_seconds = 1.0
        generate(self.vault, notes, seed)
        if settings is not None:
            shutil.copytree(settings, self.config)
        self.config.mkdir(exist_ok=True)
        (self.config / "mindnet.yaml").write_text(TWO_MODELS if with_two_models else CONFIGURATION, encoding="utf-8")
        self._start = START_WITH_TWO_MODELS if with_two_models else START
        self.tree: Tree = read_tree(self.vault)
        self.stream: Iterator[Edit] = edits(self.vault, seed, burst=burst)

    def daemon(self) -> Daemon:
        return Daemon(self.vault, self.data, self.config, self.log, self._start)

    def edit(self, number: int) -> None:
        """Applies the next edits, with the pauses of a quick hand between them."""
        for edit in islice(self.stream, number):
            apply(self.vault, edit)
            follow(self.tree, edit)
            self.history.append(_told(edit))
            self.counts.edits += sum(1 for _ in single(edit))
            time.sleep(self.rng.random() ** 2 * 0.15)

    # -------------------------------------------------------------- rounds
    def run(self, kills: int, on_kill: Callable[[int], None] = lambda _: None) -> None:
        """First an undisturbed import, then rounds until there were so many kills."""
        self.first()
        rounds = 0
        while self.counts.kills.total() < kills:
            self.round(ORDER[rounds % len(ORDER)])
            rounds += 1
            if rounds % WATCH_EVERY == 0:
                self.watch()
            on_kill(self.counts.kills.total())

    def first(self) -> None:
        """Imports undisturbed, and learns how long a start and an import take here."""
        began = time.monotonic()
        with self.daemon() as daemon:
            daemon.ready()
            self.start_seconds = time.monotonic() - began
            daemon.wait_until_idle()
            self.import_seconds = time.monotonic() - began - self.start_seconds
            daemon.stop()
        self.compare("first import")

    def round(self, kind: str) -> None:
        """One kill of the given kind (see ``KILLS``), and what must come out of it."""
        self.history.append(f"-- {kind}")
        KILLS[kind](self)
        self.counts.kills[kind] += 1
        if self.rng.random() < AGAIN:
            self.kill_at_start()
            self.counts.kills["start again"] += 1
        shutil.rmtree(self.killed, ignore_errors=True)
        shutil.copytree(self.data, self.killed)
        self.recover()
        self.compare(kind)

    def kill_at_start(self) -> None:
        """Between the first instruction and the end of the first scan."""
        with self.daemon() as daemon:
            daemon.ready(self.rng.random() * self.start_seconds * 1.4)

    def kill_in_import(self) -> None:
        """While a whole vault is imported into an empty data folder."""
        shutil.rmtree(self.data, ignore_errors=True)
        with self.daemon() as daemon:
            daemon.ready()
            time.sleep(self.rng.random() * self.import_seconds)
            self.look(daemon)

    def kill_in_edits(self) -> None:
        """While files change, or shortly after."""
        with self.daemon() as daemon:
            daemon.ready()
            if self.rng.random() < 0.7:
                daemon.wait_until_idle()
            self.edit(1 + int(self.rng.random() * 12))
            time.sleep(self.rng.random() ** 2 * 0.4)
            self.look(daemon)

    def kill_in_scan(self) -> None:
        """While a start takes in what changed when nobody looked."""
        self.edit(1 + int(self.rng.random() * 20))
        with self.daemon() as daemon:
            daemon.ready()
            time.sleep(self.rng.random() ** 2 * 0.5)
            self.look(daemon)

    def kill_in_change(self) -> None:
        """While an index for other chunk settings is built beside the old one, or is given up for it."""
        self.change_settings()
        with self.daemon() as daemon:
            daemon.ready()
            self.edit(int(self.rng.random() * 4))
            time.sleep(self.rng.random() * self.import_seconds)
            self.look(daemon)
        if self.rng.random() < 0.3:
            self.change_settings()

    def change_settings(self) -> None:
        """Other chunk settings, or, by chance, those of before."""
        file = self.config / "types.yaml"
        own = read_yaml(file) if file.is_file() else {}
        size = self.rng.choice(CHUNK_TOKENS)
        profiles = {**own.get("chunk_profiles", {}), "medium": {"max_tokens": size, "split_level": 2}}
        # JSON is YAML too.
        file.write_text(json.dumps({**own, "chunk_profiles": profiles}), encoding="utf-8")
        self.history.append(f"chunks of {size} tokens")

    def look(self, daemon: Daemon) -> None:
        self.counts.busy += daemon.status().state != "idle"

    def watch(self) -> None:
        """No kill: what the watcher tells must come to the same as a scan."""
        self.history.append("-- watched")
        with self.daemon() as daemon:
            daemon.wait_until_idle()
            self.edit(5 + int(self.rng.random() * 15))
            # The mark comes last: once it is indexed, all that was told before it is done.
            mark = self.vault / MARK
            mark.write_text("# Zeichen\n", encoding="utf-8")
            daemon.wait_for_note(MARK, there=True)
            mark.unlink()
            daemon.wait_for_note(MARK, there=False)
            self.finish(daemon)
        self.compare("watched")

    def recover(self) -> None:
        """Starts again, perhaps after further edits, and waits until it has caught up."""
        if self.rng.random() < 0.3:
            self.edit(1 + int(self.rng.random() * 4))
        with self.daemon() as daemon:
            daemon.wait_until_idle()
            self.finish(daemon)

    def finish(self, daemon: Daemon) -> None:
        found = daemon.wait_until_idle()
        report = daemon.check()
        daemon.stop()
        printed = daemon.printed()
        if "damaged" in printed:
            raise MismatchError(f"the store did not open after a kill:\n{printed}")
        self.counts.rebuilt += "incomplete" in printed
        if not report.ok:
            raise MismatchError(
                _listed("check finds problems", [f"{p.code} {p.id}: {p.message}" for p in report.problems])
            )
        if report.counts["notes"] != found.notes:
            raise MismatchError(f"status counts {found.notes} notes, check {report.counts['notes']}")

    # -------------------------------------------------------------- the comparison
    def compare(self, what: str) -> None:
        """The index against one that is built from the vault as it is now; the vault against its bookkeeping."""
        if read_tree(self.vault) != self.tree:
            raise MismatchError("the vault itself was changed")
        shutil.rmtree(self.fresh, ignore_errors=True)
        fresh_index(self.vault, self.fresh, self.config)
        found: Snapshot = read_index(self.vault, self.data, self.config)
        wanted: Snapshot = read_index(self.vault, self.fresh, self.config)
        unlike = list(differences(found, wanted))
        if unlike:
            raise MismatchError(_listed(f"after {what}: {len(unlike)} differences", unlike))
        self.counts.compared += 1
        self.counts.points += sum(len(wanted.parts[name]) for name in ("notes", "chunks", "edges"))


KILLS: Mapping[str, Callable[[Soak], None]] = {
    "start": Soak.kill_at_start,
    "import": Soak.kill_in_import,
    "edits": Soak.kill_in_edits,
    "scan": Soak.kill_in_scan,
    "change": Soak.kill_in_change,
}
ORDER = ("edits", "import", "change", "edits", "scan", "change", "edits", "start", "scan")


def _told(edit: Edit) -> str:
    texts = []
    for change in single(edit):
        paths = [getattr(change, name) for name in ("path", "old", "new") if hasattr(change, name)]
        texts.append(f"{type(change).__name__} {' -> '.join(paths)} {getattr(change, 'saving', '')}".strip())
    return "; ".join(texts[:6]) + (f" and {len(texts) - 6} more" if len(texts) > 6 else "")


def _listed(head: str, lines: list[str]) -> str:
    more = [f"… and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return "\n  ".join([head, *lines[:SHOWN], *more])
