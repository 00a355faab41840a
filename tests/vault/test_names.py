"""What a file's name says."""

from __future__ import annotations

import pytest

from mindnet.vault.names import file_title, is_attachment_name


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("a/Moor.md", "Moor"),
        ("Moor.MD", "Moor"),
        ("Pläne/Hof.canvas", "Hof"),
        ("Netz.excalidraw.md", "Netz"),
        ("Netz.excalidraw", "Netz"),
        ("v1.2.md", "v1.2"),
        ("x.md.md", "x.md"),
        ("x.canvas.md", "x.canvas"),
        ("a.b/Node.js", "Node.js"),
        ("a/.canvas", ".canvas"),
    ],
)
def test_a_note_is_called_by_its_file_without_the_suffix(path: str, title: str) -> None:
    assert file_title(path) == title


def test_a_canvas_is_no_attachment() -> None:
    assert [name for name in ("a.canvas", "a.excalidraw", "a.base", "a.png") if is_attachment_name(name)] == [
        "a.base",
        "a.png",
    ]
