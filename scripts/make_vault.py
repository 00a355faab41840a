"""Makes a vault of any size, the same for the same seed: ``python scripts/make_vault.py OUT --notes N --seed S``.

With ``--edits K`` so many changes are then made to it, as people and programs make them. With ``--odd`` the folder
``Odd`` is added, with a file for everything that is odd about files; ``--large MB`` sets the size of the largest.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

from vaultgen.edits import apply, edits
from vaultgen.odd import make_odd_vault
from vaultgen.vault import generate


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="folder to make; must be empty or not there")
    parser.add_argument("--notes", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", choices=("de", "en", "both"), default="both")
    parser.add_argument("--edits", type=int, default=0, help="so many changes are made afterwards")
    parser.add_argument("--odd", action="store_true", help="add a file for everything that is odd about files")
    parser.add_argument("--large", type=float, default=0.3, metavar="MB", help="size of the largest odd file")
    wanted = parser.parse_args()
    started = time.monotonic()
    try:
        made = generate(wanted.out, wanted.notes, wanted.seed, wanted.language)
    except FileExistsError as error:
        print(error, file=sys.stderr)
        return 2
    stream = edits(wanted.out, wanted.seed)
    for _ in range(wanted.edits):
        apply(wanted.out, next(stream))
    if wanted.odd:
        make_odd_vault(wanted.out / "Odd", large_bytes=int(wanted.large * 1_000_000))
    print(json.dumps(asdict(made) | {"seconds": round(time.monotonic() - started, 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
