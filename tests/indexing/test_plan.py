"""Which files an update is about: a burst of paths is looked for as one path is."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from mindnet.embedding.hashing import HashingEmbedder
from mindnet.indexing import plan
from mindnet.indexing.plan import Known, Looked, candidates
from mindnet.settings import load_settings
from mindnet.workspace import make_source
from workspaces import write_vault

FILES = {
    "Stays.md": "a",
    "New.md": "b",
    "Folder/Inside.md": "c",
    "Folder/Deeper/Note.md": "d",
    ".hidden/No.md": "e",
    "Other/Untouched.md": "f",
    "Other/.Away.md.icloud": "",
    "Attachment.png": "g",
    unicodedata.normalize("NFD", "Größe.md"): "h",
}
GONE = ("Gone.md", "Folder/Gone.md", "Lost/One.md", "Lost/Deep/Two.md", "Other/Away.md", "Other/Gone.md", "Broken.md")
KNOWN = frozenset((*GONE, "Stays.md", "Folder/Inside.md", "Größe.md"))
NAMED = [
    {"Gone.md"},
    {"Stays.md", "New.md", "Größe.md"},
    {"Folder", "Lost"},
    {"Folder/Deeper/Note.md", "Lost/One.md"},
    {"Other/Away.md"},
    {"Broken.md", "Pipe.md", "Attachment.png", ".hidden/No.md", "Nowhere.md"},
    {"Other", "Linked", "Gone.md"},
]


@pytest.mark.parametrize("paths", NAMED, ids=lambda paths: " ".join(sorted(paths)))
def test_a_walk_finds_of_some_paths_what_a_look_at_each_finds(
    paths: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_vault(tmp_path, FILES)
    (tmp_path / "Broken.md").symlink_to(tmp_path / "nothing")
    (tmp_path / "Linked").symlink_to(tmp_path / "Folder")
    os.mkfifo(tmp_path / "Pipe.md")

    def look() -> Looked:
        source = make_source(tmp_path, load_settings(env={}), HashingEmbedder())
        return candidates(source, Known(dict.fromkeys(KNOWN), {}), frozenset(paths))  # type: ignore[arg-type]

    one_by_one = look()
    assert one_by_one.whole is None
    monkeypatch.setattr(plan, "MANY", 0)
    walked = look()
    assert walked.whole is not None
    assert {"Stays.md", "Other/Untouched.md"} <= walked.whole.keys()
    assert (walked.files, walked.gone) == (one_by_one.files, one_by_one.gone)
    assert sorted(walked.faults, key=str) == sorted(set(one_by_one.faults), key=str)
