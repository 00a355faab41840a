"""Small vaults on disk, and a real index of one, with an embedder that needs no model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mindnet.workspace import Workspace, find_place

SMALL: Mapping[str, str | bytes] = {
    "Hub.md": "# Hub\n\nLeads to [[Leaf]] and [[Folder/Deep|deep]].\n\n## Second\n\nAnd to [[Nowhere]].\n",
    "Leaf.md": "---\nid: leaf\ntype: concept\ntitle: Leaf\n---\n\nrel: depends_on [[Hub]] [[Nowhere]]\n",
    "Folder/Deep.md": "Deep text without a heading, back to [[Hub#Second]].\n",
    "Template.md": "---\nstatus: template\n---\n\nNot searched.\n",
}


def write_vault(folder: Path, files: Mapping[str, str | bytes] = SMALL) -> Path:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def config_folder(folder: Path) -> Path:
    """Settings that name the embedder without a model; what has been written into them since stays."""
    folder.mkdir(parents=True, exist_ok=True)
    own = folder / "mindnet.yaml"
    if not own.exists():
        own.write_text("embedding:\n  model: hashing\n", encoding="utf-8")
    return folder


def without_a_model(folder: Path) -> dict[str, str]:
    """The environment of a program that finds these settings, in a folder made below ``folder``."""
    config_folder(folder / "config" / "mindnet")
    return {"XDG_CONFIG_HOME": str(folder / "config")}


def open_workspace(vault: Path, data_dir: Path) -> Workspace:
    return Workspace(find_place(vault, data_dir, config_folder(data_dir.parent / "config"), {}, {}), {})
