"""A small indexed vault and the commands on it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mindnet.cli import main
from running import Done, run
from workspaces import config_folder, write_vault


@dataclass(frozen=True)
class Site:
    """A vault, its data folder, and a configuration with an embedder that needs no model."""

    vault: Path
    data: Path
    env: dict[str, str]

    def run(self, *arguments: str | Path) -> Done:
        """One command, as its program would run it."""
        command, *more = arguments
        place = ("--vault", self.vault, "--data-dir", self.data)
        return run(main, ["mindnet", command, *place, *more], self.env)

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
