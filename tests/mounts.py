"""Disks of a test's own: small ones that can be filled, folders that can be unplugged. Only root may make them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NEEDS_MOUNTS = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mkfs.ext4") is None,
    reason="only root may mount a disk of its own",
)


def _do(*command: str | Path) -> None:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"{command[0]} is not possible here: {done.stderr.strip()}")


@contextmanager
def small_disk(place: Path, megabytes: int) -> Iterator[Path]:
    """A disk of that size at ``place``, made in a file beside it."""
    image = place.with_suffix(".img")
    with image.open("wb") as file:
        file.truncate(megabytes * 1_000_000)
    place.mkdir()
    _do("mkfs.ext4", "-q", "-m", "0", "-O", "^has_journal", image)
    _do("mount", "-o", "loop", image, place)
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
        image.unlink()


def plug_in(folder: Path, place: Path, *options: str) -> None:
    """Shows ``folder`` at ``place`` as a drive would be."""
    _do("mount", "--bind", *options, folder, place)
    if options:
        _do("mount", "-o", f"remount,bind,{options[-1]}", place)


def unplug(place: Path) -> None:
    """The folder at ``place`` is an empty one again, whatever is open in it."""
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(disk: Path, *, leave: int = 0) -> Path:
    """A file that takes all of the disk's room but ``leave`` bytes."""
    file = disk / "filler"
    with file.open("ab", buffering=0) as stream:
        block = b"x" * 100_000
        while shutil.disk_usage(disk).free > leave:
            try:
                stream.write(block)
            except OSError:
                break
    return file
