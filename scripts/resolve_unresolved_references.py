"""Resolves links that could lead somewhere by now: `mindnet heal`."""

from __future__ import annotations

from mindnet.commands.call import HERE, AsJson, ConfigDir, DataDir, Prefix, Vault, call, run_door
from mindnet.commands.checking import run_heal


def resolve_unresolved_references(
    vault: Vault = HERE,
    prefix: Prefix = None,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Resolve links that could lead somewhere by now. That happens by itself: normally there is nothing to do."""
    run_heal(call(vault, data_dir, config_dir, as_json, prefix=prefix))


if __name__ == "__main__":
    run_door(resolve_unresolved_references)
