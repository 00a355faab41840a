"""Prints what would be stored and holds it against its schema: `mindnet payloads`."""

from __future__ import annotations

from mindnet.commands.call import HERE, AsJson, ConfigDir, DataDir, Prefix, Vault, call, run_door
from mindnet.commands.importing import run_payloads


def payload_dryrun(
    vault: Vault = HERE,
    prefix: Prefix = None,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Print every payload as JSON Lines, without a store; exit code 1 when one is not as its schema says."""
    run_payloads(call(vault, data_dir, config_dir, as_json, prefix=prefix))


if __name__ == "__main__":
    run_door(payload_dryrun)
