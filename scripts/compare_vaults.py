"""Compares two folders of notes: `mindnet compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mindnet.commands.call import AsJson, ConfigDir, run_door
from mindnet.commands.files import FocusOn, run_compare


def compare_vaults(
    src: Annotated[Path, typer.Option("--src", help="A folder of notes, such as a vault.")],
    dst: Annotated[Path, typer.Option("--dst", help="The folder to hold against it, such as an export.")],
    focus: FocusOn = "all",
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Compare the notes of two folders byte for byte. Exit code 1 when they differ."""
    run_compare(src, dst, focus=focus, config_dir=config_dir, as_json=as_json)


if __name__ == "__main__":
    run_door(compare_vaults)
