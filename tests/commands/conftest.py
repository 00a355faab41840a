"""A small indexed vault and the commands on it."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mindnet import terminal
from mindnet.cli import main
from workspaces import config_folder, write_vault


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Site:
    """A vault, its data folder, and a configuration with an embedder that needs no model."""

    vault: Path
    data: Path
    env: dict[str, str]

    def run(self, *arguments: str | Path) -> Done:
        """One command, as its program would run it, in this process."""
        command, *more = map(str, arguments)
        given = ["mindnet", command, "--vault", str(self.vault), "--data-dir", str(self.data), *more]
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            patch.setattr(sys, "argv", given)
            patch.setattr(terminal.out, "_width", 80)
            for name, value in self.env.items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as ended:
                main()
        code = ended.value.code
        return Done(code if isinstance(code, int) else 0, out.getvalue(), err.getvalue())

    def json(self, *arguments: str | Path, code: int = 0) -> Any:
        done = self.run(*arguments, "--json")
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout)


def make_site(folder: Path) -> Site:
    config_folder(folder / "config" / "mindnet")
    return Site(write_vault(folder / "vault"), folder / "data", {"XDG_CONFIG_HOME": str(folder / "config")})


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return make_site(tmp_path)


@pytest.fixture
def indexed(site: Site) -> Site:
    assert site.run("import", "--apply").returncode == 0
    return site
