"""Writes the indexed notes back into files: `mindnet export`."""

from __future__ import annotations

from mindnet.commands.call import HERE, AsJson, ConfigDir, DataDir, Prefix, Vault, call, run_door
from mindnet.commands.files import Out, run_export


def export_markdown(
    out: Out,
    vault: Vault = HERE,
    prefix: Prefix = None,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Write every indexed note into a folder, byte for byte as its file is."""
    run_export(call(vault, data_dir, config_dir, as_json, prefix=prefix), out=out)


if __name__ == "__main__":
    run_door(export_markdown)
