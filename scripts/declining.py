"""Counts which questions a chat on a vault declines before any model is asked.

``python scripts/declining.py VAULT QUESTIONS.jsonl --data-dir FOLDER``

The vault has to be indexed there (``mindnet import --apply``). The questions are JSON lines with ``question``,
``language``, ``kind`` (``answered``, ``near`` or ``strange``) and, for those that are answered, the ``notes`` that do
so, and perhaps a ``translation``; questions that are strange to any vault are asked as well.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import get_args

from evaluation.declining import STRANGE, Kind, Outcome, ask_all, read_asked
from mindnet.chat.prompts import LANGUAGES
from mindnet.workspace import Workspace, find_place


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--translated", action="store_true", help="with the translations that the questions bring")
    arguments = parser.parse_args()
    place = find_place(arguments.vault, arguments.data_dir, None, os.environ, {})
    questions = [*read_asked(arguments.questions), *read_asked(STRANGE)]
    with Workspace(place, os.environ, building=False) as workspace, tempfile.TemporaryDirectory() as folder:
        outcomes = ask_all(workspace, questions, Path(folder) / "kept.json", translated=arguments.translated)
    for kind in get_args(Kind):
        for language in LANGUAGES:
            some = [one for one in outcomes if (one.asked.kind, one.asked.language) == (kind, language)]
            print(f"{kind:9} {language}  {sum(one.declined for one in some):>2} of {len(some)} declined{_found(some)}")
    print()
    for one in outcomes:
        if one.declined == (one.asked.kind == "answered") or (one.asked.kind == "answered" and one.rank != 1):
            print(f"{one.asked.kind:9} {'declined' if one.declined else f'rank {one.rank}':9} {one.asked.question}")


def _found(some: list[Outcome]) -> str:
    if not some or some[0].asked.kind != "answered":
        return ""
    first, any_place = sum(one.rank == 1 for one in some), sum(one.rank is not None for one in some)
    return f", the right note among the sources of {any_place}, as the first of {first}"


if __name__ == "__main__":
    main()
