"""Names of files in a vault: one spelling for a path, and which endings are notes or attachments."""

from __future__ import annotations

import os
import posixpath
import unicodedata

#: Endings of the files that are read: Markdown, canvases, drawings of the old form. The one list of them.
NOTE_SUFFIXES = (".md", ".canvas", ".excalidraw")
#: Ending of a drawing that is a Markdown file.
DRAWING_SUFFIX = ".excalidraw.md"
#: iCloud leaves a hidden file with this ending where a file's content was moved off the machine.
PLACEHOLDER_SUFFIX = ".icloud"

#: Endings of files that Obsidian shows or links but that are no notes. A name with any other
#: ending ("Node.js", "v1.2") may well be a note's, whose file then ends in ``.md``.
ATTACHMENT_EXTENSIONS = frozenset(
    (
        *(
            "avif",
            "bmp",
            "eps",
            "gif",
            "heic",
            "heif",
            "ico",
            "jpeg",
            "jpg",
            "png",
            "psd",
            "svg",
            "tif",
            "tiff",
            "webp",
        ),
        *("3gp", "aac", "aif", "aiff", "flac", "m4a", "mp3", "oga", "ogg", "opus", "wav", "wma"),
        *("avi", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "ogv", "webm", "wmv"),
        *("doc", "docm", "docx", "epub", "mobi", "odg", "odp", "ods", "odt", "pdf", "ppt", "pptm", "pptx", "rtf"),
        *("xls", "xlsm", "xlsx", "csv", "tsv", "ics", "base"),
        *("7z", "bz2", "gz", "rar", "tar", "zip"),
    )
)


def nfc(text: str) -> str:
    """Give text in composed form (NFC), the one spelling that paths and names are compared in."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def vault_path(disk_path: str) -> str:
    """Give the vault path for a relative path on disk: NFC, ``/``, and free of lone surrogates.

    A name that is not valid UTF-8 on disk gets U+FFFD for its odd bytes, so that the path can be
    stored and sent; ``VaultFile.disk_path`` still opens the file.
    """
    path = disk_path if os.sep == "/" else disk_path.replace(os.sep, "/")
    if path.isascii():
        return path
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        path = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return unicodedata.normalize("NFC", path)


def is_note_name(name: str) -> bool:
    """Whether a file name ends as a note's does (``NOTE_SUFFIXES``), in any case."""
    return name.lower().endswith(NOTE_SUFFIXES)


def placeholder_of(name: str) -> str | None:
    """Give the name of the note that a file stands for until iCloud fetches it: ``.Plan.md.icloud`` is "Plan.md"."""
    own = name[1 : -len(PLACEHOLDER_SUFFIX)]
    return own if name.startswith(".") and name.endswith(PLACEHOLDER_SUFFIX) and is_note_name(own) else None


def file_title(path: str) -> str:
    """Give what a note is called by its file alone: the name without suffix (``Plan.excalidraw.md`` is "Plan")."""
    name = posixpath.basename(path)
    lower = name.lower()
    suffix = next((one for one in (DRAWING_SUFFIX, *NOTE_SUFFIXES) if lower.endswith(one) and lower != one), "")
    return name[: len(name) - len(suffix)]


def is_attachment_name(name: str) -> bool:
    """Whether a file name or link path ends like an attachment (``.png``, ``.pdf``, ``.base`` …)."""
    stem, dot, extension = name.rpartition(".")
    return bool(dot and stem) and extension.lower() in ATTACHMENT_EXTENSIONS
