"""A program of the command line, run to its end inside this process: importing it anew each time takes seconds."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from mindnet import terminal


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


def run(
    program: Callable[[], object], arguments: Sequence[str | Path], env: Mapping[str, str], *, columns: int = 80
) -> Done:
    """What it printed on a terminal of so many columns, and its exit code; ``arguments`` begin with its name."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setattr(sys, "argv", list(map(str, arguments)))
        patch.setattr(terminal.out, "_width", columns)
        for name, value in {**env, "COLUMNS": str(columns)}.items():
            patch.setenv(name, value)
        with pytest.raises(SystemExit) as ended:
            program()
    code = ended.value.code
    return Done(code if isinstance(code, int) else 0, out.getvalue(), err.getvalue())
