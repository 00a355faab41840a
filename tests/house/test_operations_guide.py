"""The operators' guide names every code that a check can give, and every command."""

from __future__ import annotations

import re
from pathlib import Path

from mindnet.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
CHECK = (ROOT / "sidecar" / "mindnet" / "indexing" / "check.py").read_text(encoding="utf-8")


def test_every_code_of_the_check_is_explained() -> None:
    given = set(re.findall(r'Problem\(\s*"(\w+)"', CHECK))
    table = GUIDE[GUIDE.index("## What a check finds") :]
    explained = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE))))
    assert len(given) > 15
    assert given <= explained


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`mindnet (\w+)", readme))
    assert COMMANDS.keys() - {"version"} <= named
