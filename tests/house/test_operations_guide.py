"""The operators' guide names every code that a check can give, and every command."""

from __future__ import annotations

import re
from pathlib import Path

from mindnet.cli import COMMANDS
from mindnet.indexing.check import STALE
from mindnet.indexing.check.texts import WORDS_OF

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
CHECK = "\n".join(
    file.read_text(encoding="utf-8")
    for file in sorted((ROOT / "sidecar" / "mindnet" / "indexing" / "check").glob("*.py"))
)


def test_every_code_of_the_check_is_explained() -> None:
    given = set(re.findall(r'(?:Problem\(|_problem\(state,)\s*"(\w+)"', CHECK))
    given |= {code for pair in re.findall(r'code = "(\w+)" if .* else "(\w+)"', CHECK) for code in pair}
    given |= {*STALE, *(code for code, _ in WORDS_OF.values())}
    table = GUIDE[GUIDE.index("## What a check finds") :]
    explained = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE))))
    assert len(given) > 30
    assert given <= explained


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`mindnet (\w+)", readme))
    assert COMMANDS.keys() - {"version"} <= named
