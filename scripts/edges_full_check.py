"""Checks the whole graph: `mindnet check`."""

from __future__ import annotations

from mindnet.commands.call import HERE, AsJson, ConfigDir, DataDir, Prefix, Vault, call, run_door
from mindnet.commands.checking import Strict, run_check


def edges_full_check(
    vault: Vault = HERE,
    prefix: Prefix = None,
    strict: Strict = False,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Check the index: whole, consistent, the same as the vault. Exit code 1 when it is not."""
    run_check(call(vault, data_dir, config_dir, as_json, prefix=prefix), strict=strict)


if __name__ == "__main__":
    run_door(edges_full_check)
