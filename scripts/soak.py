"""Kills a real daemon again and again while its vault changes, and compares its index with one built from nothing.

``python scripts/soak.py --notes 300 --kills 200 --seed 1``: prints a line of counts, or, at the first
difference, what differs; the folders are kept then and only then. Kills come at random moments, so a
seed repeats the edits exactly and the moments about.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from soaking.daemon import DaemonError
from soaking.models import two_models
from soaking.rounds import MismatchError, Soak

TOLD = 30


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=300)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--burst", type=int, default=200, help="changes in the largest burst")
    parser.add_argument("--folder", type=Path, help="where to work [default: a temporary folder]")
    parser.add_argument("--settings", type=Path, help="folder of settings files other than mindnet.yaml to run with")
    parser.add_argument("--two-models", action="store_true", help="a quick model's index first, then a better one's")
    wanted = parser.parse_args()
    if wanted.two_models:
        two_models()
    folder = wanted.folder or Path(tempfile.mkdtemp(prefix="mindnet-soak-"))
    folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    soak = Soak(
        folder,
        notes=wanted.notes,
        seed=wanted.seed,
        burst=wanted.burst,
        settings=wanted.settings,
        with_two_models=wanted.two_models,
    )
    try:
        soak.run(wanted.kills, lambda kills: print(f"{kills} kills", file=sys.stderr, flush=True))
    except (MismatchError, DaemonError) as error:
        print(f"seed {wanted.seed}, after {soak.counts.kills.total()} kills: {error}")
        print("\n  ".join(["the last edits:", *soak.history[-TOLD:]]))
        print(f"kept: {folder} (killed/ is the data folder as the last kill left it)")
        return 1
    except BaseException:
        shutil.rmtree(folder)
        raise
    shutil.rmtree(folder)
    counts = soak.counts
    kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(counts.kills.items()))
    print(
        f"seed {wanted.seed}: {counts.kills.total()} kills ({kinds}), {counts.busy} of them at work, "
        f"{counts.edits} edits, {counts.compared} comparisons of {counts.points} points, {counts.rebuilt} begun anew, "
        f"{time.monotonic() - began:.0f} s: no difference"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
