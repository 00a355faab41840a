"""An append-only file of JSON, an entry a line: for this user alone, of a bounded size and age.

A full file gets a number (``feedback-0001.jsonl``, the highest is the latest) and a new one is begun. A line that
cannot be read, such as the last one after a crash, is skipped and counted.
"""

from __future__ import annotations

import json
import logging
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from errno import ENOSPC
from pathlib import Path
from typing import IO, Any

from mindnet.errors import DiskFullError, MindnetError, StoreError, folder_fault

log = logging.getLogger(__name__)
Entry = Mapping[str, Any]
TIME = "time"
"""Every entry has it: ISO 8601 in UTC, with milliseconds."""
MODE = 0o600
_SWEEP = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Keeping:
    """How much is kept: ``files`` of ``max_bytes`` each, and entries for so many ``days`` (0: for good)."""

    max_bytes: int
    files: int
    days: int


def now() -> datetime:
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """A time as entries have it."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class JsonLines:
    """One such file with its older ones; may be used from several threads, by one process."""

    def __init__(self, file: Path, keeping: Keeping, *, clock: Callable[[], datetime] = now) -> None:
        self.file = file
        self._keeping = keeping
        self._clock = clock
        self._lock = threading.Lock()
        self._unreadable: set[bytes] = set()
        self._swept: datetime | None = None
        with self._lock, suppress(OSError):
            # What a crash left behind is said at the start.
            for _ in self._read_last():
                pass

    @property
    def skipped(self) -> int:
        """How many lines could not be read so far."""
        return len(self._unreadable)

    def keep(self, keeping: Keeping) -> None:
        """From now on as much is kept."""
        with self._lock:
            self._keeping = keeping

    # -------------------------------------------------------------- writing
    def append(self, entry: Entry) -> Entry:
        """Adds an entry and gives it as it is written, with the time of now.

        It is then in the hands of the system: a crash of this process loses nothing, a power cut may lose the last
        ones. Raises ``DiskFullError``, ``ReadOnlyError`` or ``StoreError``.
        """
        moment = self._clock()
        whole = {TIME: stamp(moment), **entry}
        text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
        # Half of a surrogate pair, as a command line may hold it, is written as JSON escapes it.
        line = text.encode("utf-8", "backslashreplace") + b"\n"
        with self._lock:
            try:
                self._sweep(moment)
                self._rotate(len(line))
                self._write(line)
            except OSError as error:
                raise self._fault(error) from error
        return whole

    def _write(self, line: bytes) -> None:
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(self.file, "a+b", buffering=0, opener=_private) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size and not _ends_a_line(stream, size):
                line = b"\n" + line
            try:
                if (stream.write(line) or 0) < len(line):
                    raise OSError(ENOSPC, os.strerror(ENOSPC))
            except OSError:
                # Nothing of it stays; where that fails too, the next one begins with a new line.
                with suppress(OSError):
                    stream.truncate(size)
                raise

    def _rotate(self, coming: int) -> None:
        if not self.file.exists() or not 0 < self.file.stat().st_size > self._keeping.max_bytes - coming:
            return
        older = self._older()
        number = max(older, default=0) + 1
        self.file.rename(self._numbered(number))
        # The one that is begun now counts too.
        for one in sorted([*older, number])[: -(self._keeping.files - 1) or None]:
            self._numbered(one).unlink(missing_ok=True)

    def sweep(self) -> None:
        """Erases entries that are too old; raises what ``append`` does."""
        with self._lock:
            try:
                self._sweep(self._clock())
            except OSError as error:
                raise self._fault(error) from error

    def _sweep(self, moment: datetime) -> None:
        if not self._keeping.days or (self._swept is not None and moment - self._swept < _SWEEP):
            return
        self._swept = moment
        oldest = stamp(moment - timedelta(days=self._keeping.days))
        for file in self._files():
            lines = file.read_bytes().splitlines(keepends=True)
            first = next((number for number, line in enumerate(lines) if not _is_older(line, oldest)), len(lines))
            if first == len(lines):
                file.unlink()
            elif first:
                _replace(file, b"".join(lines[first:]))

    def _fault(self, error: OSError) -> MindnetError:
        known = folder_fault(self.file, error)
        if isinstance(known, DiskFullError):
            return DiskFullError(known.message, hint="Free some space: until then nothing is noted.")
        return known or StoreError(
            f"{self.file} cannot be written: {error.strerror}.", hint="Check that the file is yours to write."
        )

    # -------------------------------------------------------------- reading
    def entries(self) -> Iterator[Entry]:
        """All that can be read, the oldest first."""
        for file in self._files():
            yield from self._parsed(self._read(file).split(b"\n"))

    def find(self, key: str, value: str) -> Entry | None:
        """The latest entry in which ``key`` is ``value``; it is looked for without reading the others."""
        needle = f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False)}".encode("utf-8", "backslashreplace")
        for file in reversed(self._files()):
            content = self._read(file)
            end = len(content)
            while (place := content.rfind(needle, 0, end)) >= 0:
                start = content.rfind(b"\n", 0, place) + 1
                stop = content.find(b"\n", place)
                for entry in self._parsed([content[start : stop if stop >= 0 else None]]):
                    if entry.get(key) == value:
                        return entry
                end = start
        return None

    def _read(self, file: Path) -> bytes:
        try:
            with self._lock:
                return file.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise self._fault(error) from error

    def _parsed(self, lines: list[bytes]) -> Iterator[Entry]:
        for line in lines:
            try:
                entry = json.loads(line) if line else None
            except ValueError:
                entry = ()
            if isinstance(entry, dict):
                yield entry
            elif entry is not None and line not in self._unreadable:
                self._unreadable.add(line)
                log.warning("A line of %s cannot be read and is skipped: %.60r", self.file, line)

    def _read_last(self) -> Iterator[Entry]:
        if self.file.exists():
            with self.file.open("rb") as stream:
                size = stream.seek(0, os.SEEK_END)
                stream.seek(max(size - 1_000_000, 0))
                yield from self._parsed([stream.read().rpartition(b"\n")[2]])

    # -------------------------------------------------------------- files
    def _files(self) -> list[Path]:
        """All that are there, the oldest first."""
        files = [self._numbered(number) for number in sorted(self._older())]
        return [*files, self.file] if self.file.exists() else files

    def _older(self) -> list[int]:
        name = re.compile(rf"{re.escape(self.file.stem)}-(\d+){re.escape(self.file.suffix)}")
        found = (name.fullmatch(one.name) for one in self.file.parent.glob(f"{self.file.stem}-*"))
        return [int(match[1]) for match in found if match]

    def _numbered(self, number: int) -> Path:
        return self.file.with_name(f"{self.file.stem}-{number:04d}{self.file.suffix}")


def _private(path: str, flags: int) -> int:
    handle = os.open(path, flags, MODE)
    if os.fstat(handle).st_mode & 0o077:
        with suppress(OSError):
            Path(path).chmod(MODE)
    return handle


def _ends_a_line(stream: IO[bytes], size: int) -> bool:
    stream.seek(size - 1)
    return stream.read(1) == b"\n"


def _is_older(line: bytes, oldest: str) -> bool:
    """Whether an entry is from before ``oldest``; one that cannot be read goes with those around it."""
    try:
        entry = json.loads(line)
    except ValueError:
        return True
    return not isinstance(entry, dict) or str(entry.get(TIME, "")) < oldest


def _replace(file: Path, content: bytes) -> None:
    beside = file.with_name(f".{file.name}.new")
    try:
        with open(beside, "wb", opener=_private) as stream:
            stream.write(content)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
