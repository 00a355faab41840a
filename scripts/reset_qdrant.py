"""Removes or empties the index of a vault: `mindnet reset`."""

from __future__ import annotations

from mindnet.commands.call import HERE, AsJson, ConfigDir, DataDir, Prefix, Vault, call, run_door
from mindnet.commands.resetting import Mode, Yes, run_reset


def reset_qdrant(
    mode: Mode = "wipe",
    yes: Yes = False,
    vault: Vault = HERE,
    prefix: Prefix = None,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Remove the index of a vault; the vault itself is never touched."""
    run_reset(call(vault, data_dir, config_dir, as_json, prefix=prefix), yes=yes, mode=mode)


if __name__ == "__main__":
    run_door(reset_qdrant)
