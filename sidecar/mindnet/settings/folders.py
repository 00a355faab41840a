"""Where a vault's data is kept: its folder, the token, the run file, the map of vaults, the lock."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import tempfile
import unicodedata
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock, Timeout
from platformdirs import user_config_dir, user_data_dir

from mindnet.errors import BusyError, UsageError, VaultError


def vault_folder(path: Path, *, hint: str = "Give the folder of your vault with --vault.") -> Path:
    """The real absolute path of a vault, which must be a readable folder; ``hint`` says how else to name one."""
    real = Path(os.path.realpath(path.expanduser()))
    if not real.is_dir():
        wrong = f"{real} is a file, not a folder." if real.exists() else f"There is no folder {real}."
        raise VaultError(wrong, hint=hint)
    if not os.access(real, os.R_OK | os.X_OK):
        raise VaultError(f"The folder {real} cannot be read.", hint="Check its permissions.")
    return real


def folder_name(vault: Path) -> str:
    """``<slug of the folder's name>-<first 12 hex digits of the SHA-256 of its real absolute path>``."""
    plain = unicodedata.normalize("NFKD", vault.name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "vault"
    return f"{slug}-{hashlib.sha256(str(vault).encode()).hexdigest()[:12]}"


def data_folder(vault: Path, given: Path | None, *, make: bool = True) -> Path:
    """The data folder of ``vault``, created if need be: ``given``, else one in the user's data folder.

    In the second case it is noted in ``vaults.json`` beside it, for the plugin. Without ``make``
    nothing is written: for those who only read what is there.
    """
    root = Path(user_data_dir("mindnet"))
    folder = Path(os.path.abspath(given.expanduser())) if given else root / folder_name(vault)
    if folder == vault:
        raise UsageError("The data folder is the vault itself.", hint="Give another folder with --data-dir.")
    if not make:
        return folder
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not given:
            register_vault(root / "vaults.json", vault, folder)
    except OSError as error:
        raise UsageError(
            f"The data folder {folder} cannot be made: {error.strerror}.", hint="Give another with --data-dir."
        ) from error
    return folder


def register_vault(file: Path, vault: Path, folder: Path) -> None:
    with FileLock(file.with_suffix(".lock")):
        try:
            known = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            known = {}
        if not isinstance(known, dict) or known.get(str(vault)) == str(folder):
            if isinstance(known, dict):
                return
            known = {}
        write_private(
            file, json.dumps({**known, str(vault): str(folder)}, indent=2, ensure_ascii=False, sort_keys=True)
        )


def config_folder(given: Path | None) -> Path:
    return given if given else Path(user_config_dir("mindnet"))


def write_private(file: Path, text: str) -> None:
    """Writes ``text`` so that only the user can read it and nobody sees half of it."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(name).chmod(0o600)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_token(folder: Path) -> str:
    """The bearer token of this data folder; made on the first call."""
    file = folder / "token"
    try:
        token = file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        token = ""
    if len(token) < 32:
        token = secrets.token_urlsafe(32)
        write_private(file, token)
    return token


# ------------------------------------------------------------------ the run file
@dataclass(frozen=True, slots=True)
class RunFile:
    """How to reach the daemon that holds a data folder."""

    url: str
    port: int
    pid: int
    token: str
    version: str
    vault: str


def write_run_file(folder: Path, run: RunFile) -> None:
    write_private(folder / "run.json", json.dumps(asdict(run)))


def remove_run_file(folder: Path) -> None:
    (folder / "run.json").unlink(missing_ok=True)


def read_run_file(folder: Path) -> RunFile | None:
    """The run file if there is one and the process that it names is alive."""
    try:
        run = RunFile(**json.loads((folder / "run.json").read_text(encoding="utf-8")))
        os.kill(run.pid, 0)
    except (FileNotFoundError, ValueError, TypeError, ProcessLookupError):
        return None
    except PermissionError:
        pass
    return run


# ------------------------------------------------------------------ the lock
def hold(folder: Path) -> FileLock:
    """Takes the data folder for this process; ``BusyError`` names who holds it."""
    lock = FileLock(folder / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        run = read_run_file(folder)
        who = f"the sidecar at {run.url} (process {run.pid})" if run else "another mindnet command"
        raise BusyError(f"The data folder {folder} is held by {who}.", hint="Wait for it, or stop it.") from None
    return lock
