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

from mindnet.errors import BusyError, UsageError, VaultError, folder_fault


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
    _outside(folder, vault)
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


def _outside(folder: Path, vault: Path) -> None:
    """Refuses a data folder that would be taken for a part of the vault, and copied with it by every sync."""
    real = Path(os.path.realpath(folder))
    if real == vault:
        raise UsageError("The data folder is the vault itself.", hint="Give another folder with --data-dir.")
    if real.is_relative_to(vault) and not any(part.startswith(".") for part in real.relative_to(vault).parts):
        raise UsageError(
            f"The data folder {folder} lies in the vault.",
            hint="Give one outside of it with --data-dir, or a hidden one (.mindnet): neither is taken for notes.",
        )


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
    """Writes ``text`` so that only the user can read it and nobody sees half of it, not even after a power cut."""
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).chmod(0o600)
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise folder_fault(file, error) or error from error


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
HOLDER = "lock.pid"
"""Names the process that holds the lock; after a kill it stays behind, and means nothing."""


@dataclass(frozen=True, slots=True)
class Held:
    """A data folder that this process has for itself until it lets go of it."""

    lock: FileLock
    holder: Path

    def release(self) -> None:
        self.holder.unlink(missing_ok=True)
        self.lock.release()


def hold(folder: Path) -> Held:
    """Takes the data folder for this process, until it ends in whatever way.

    Raises ``BusyError``, which names who holds it, ``ReadOnlyError`` or ``DiskFullError``.
    """
    lock = FileLock(folder / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise BusyError(
            f"The data folder {folder} is held by {_holder(folder)}.",
            hint="Wait for it or stop it, or name another folder with --data-dir.",
        ) from None
    except OSError as error:
        raise folder_fault(folder, error) or error from error
    held = Held(lock, folder / HOLDER)
    try:
        write_private(held.holder, str(os.getpid()))
    except BaseException:
        held.release()
        raise
    return held


def _holder(folder: Path) -> str:
    run = read_run_file(folder)
    if run is not None:
        return f"the sidecar at {run.url} (process {run.pid})"
    pid = holding_process(folder)
    return "another mindnet command" + (f" (process {pid})" if pid else "")


def holding_process(folder: Path) -> int | None:
    """The process that has said that it holds the folder, if it is alive; asks without touching the lock."""
    try:
        pid = int((folder / HOLDER).read_text(encoding="utf-8"))
        os.kill(pid, 0)
    except PermissionError:
        return pid
    except (OSError, ValueError):
        return None
    return pid
