from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mindnet.errors import BusyError, UsageError, VaultError
from mindnet.settings.folders import (
    RunFile,
    data_folder,
    folder_name,
    hold,
    read_run_file,
    read_token,
    vault_folder,
    write_run_file,
)


def test_folder_name_is_slug_and_hash_of_the_real_path() -> None:
    vault = Path("/home/anna/Meine Notizen")
    expected = hashlib.sha256(b"/home/anna/Meine Notizen").hexdigest()[:12]
    assert folder_name(vault) == f"meine-notizen-{expected}"


def test_a_link_to_the_vault_is_the_same_vault(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "vault")
    assert vault_folder(tmp_path / "link") == vault_folder(tmp_path / "vault")


def test_missing_vault_says_so(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="no folder"):
        vault_folder(tmp_path / "nowhere")


def test_default_folder_is_noted_for_the_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    vault = tmp_path / "vault"
    vault.mkdir()
    folder = data_folder(vault, None)
    assert folder == tmp_path / "data" / "mindnet" / folder_name(vault)
    assert json.loads((folder.parent / "vaults.json").read_text()) == {str(vault): str(folder)}


def test_the_vault_itself_is_no_data_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        data_folder(tmp_path, tmp_path)


def test_token_is_made_once_and_private(tmp_path: Path) -> None:
    token = read_token(tmp_path)
    assert len(token) >= 32
    assert read_token(tmp_path) == token
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600


def test_run_file_of_a_dead_process_counts_for_nothing(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    write_run_file(tmp_path, RunFile("http://127.0.0.1:1", 1, child.pid, "t", "0", "/v"))
    assert read_run_file(tmp_path) is None
    write_run_file(tmp_path, RunFile("http://127.0.0.1:1", 1, os.getpid(), "t", "0", "/v"))
    run = read_run_file(tmp_path)
    assert run is not None
    assert run.pid == os.getpid()
    assert stat.S_IMODE((tmp_path / "run.json").stat().st_mode) == 0o600


def test_a_second_holder_is_told_who_has_the_folder(tmp_path: Path) -> None:
    lock = hold(tmp_path)
    try:
        write_run_file(tmp_path, RunFile("http://127.0.0.1:7", 7, os.getpid(), "t", "0", "/v"))
        code = (
            "from pathlib import Path; import sys\n"
            "from mindnet.settings.folders import hold\nfrom mindnet.errors import BusyError\n"
            "try: hold(Path(sys.argv[1]))\nexcept BusyError as error: print(error.message)\n"
        )
        out = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
        assert f"process {os.getpid()}" in out.stdout
    finally:
        lock.release()
    again = hold(tmp_path)
    again.release()


def test_busy_is_exit_code_three() -> None:
    assert BusyError.exit_code == 3
