"""A vault of everything that is odd about files: what each is called, what it holds, and what is to be said of it."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Odd:
    """One odd file: its vault path, a word that stands in it alone (none: it cannot be found), codes of its faults."""

    path: str
    word: str | None = None
    codes: frozenset[str] = frozenset()


_SYLLABLES = ("bra", "keu", "lom", "zir", "fun", "gos", "tev", "mak")

TEXT = "# Überlauf\n\nDie Straße zur Zisterne heißt {word}.\n"
ENCODED: Mapping[str, tuple[bytes, str, tuple[str, ...]]] = {
    "UTF-8.md": (b"", "utf-8", ()),
    "UTF-8 mit Marke.md": (b"\xef\xbb\xbf", "utf-8", ()),
    "UTF-16 LE.md": (b"\xff\xfe", "utf-16-le", ()),
    "UTF-16 BE.md": (b"\xfe\xff", "utf-16-be", ()),
    "UTF-32 LE.md": (b"\xff\xfe\x00\x00", "utf-32-le", ()),
    "UTF-16 LE ohne Marke.md": (b"", "utf-16-le", ("encoding",)),
    "UTF-16 BE ohne Marke.md": (b"", "utf-16-be", ("encoding",)),
    "Latin-1.md": (b"", "latin-1", ("encoding",)),
}
"""Mark, codec and expected codes."""

WRITTEN: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Ende CRLF.md": ("# Ende\r\n\r\nWort {word}\r\n", ()),
    "Ende CR.md": ("# Ende\r\rWort {word}\r", ()),
    "Ende gemischt.md": ("# Ende\r\n\rWort {word}\n\r\nSchluss", ()),
    "NUL.md": ("# Loch\n\nvor\0nach {word}\n", ("nul",)),
    "Kopf offen.md": ("---\ntitle: Nie zu\n\nText {word}\n", ("frontmatter_unclosed",)),
    "Kopf kaputt.md": ("---\ntitle: [a\nb: 'c\n---\nText {word}\n", ("frontmatter",)),
    "Kopf doppelt.md": ("---\ntitle: Eins\ntitle: Zwei\n---\nText {word}\n", ("frontmatter_duplicate",)),
    "Kopf mit Verweisen.md": ("---\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n---\nText {word}\n", ()),
    "Kopf ist Liste.md": ("---\n- a: 1\n- b\n---\nText {word}\n", ("frontmatter",)),
    "😀 Gefühle ❤️‍🔥.md": ("# Herz\n\nText {word}\n", ()),
    " Leerraum vorn und hinten .md": ("Text {word}\n", ()),
    "Zeichen'\"[]#^|&%20.md": ("Text {word}\n", ()),
    "Zeile\numbruch.md": ("Text {word}\n", ()),
    "Ordner.md/Notiz darin.md": ("Text {word}\n", ()),
    "Groß.md": ("Text {word}\n", ()),
    "groß.md": ("Text {word}\n", ("case_clash",)),
    f"{'lang' * 62}.md": ("Text {word}\n", ()),
    "/".join([*(f"Tiefe {level}" for level in range(40)), "Grund.md"]): ("Text {word}\n", ()),
}
"""Content and expected codes, by vault path; a name is as long and a path as deep as most systems allow."""


def make_odd_vault(folder: Path, *, large_bytes: int = 300_000, line_bytes: int = 1_000_000) -> tuple[Odd, ...]:
    """Make the files in ``folder`` (made if need be), and say what is to be expected of each.

    ``Zu.md`` and the folder ``Zu`` may not be read by their owner: whoever removes the vault opens the folder before.
    Needs a Unix file system that takes any name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    words = _words()
    made: list[Odd] = []

    def write(path: str, content: bytes, word: str | None, *codes: str, disk_path: str = "") -> None:
        file = folder / (disk_path or path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        made.append(Odd(path, word, frozenset(codes)))

    for path, (mark, codec, codes) in ENCODED.items():
        word = next(words)
        write(path, mark + TEXT.format(word=word).encode(codec), word, *codes)
    for path, (text, codes) in WRITTEN.items():
        word = next(words)
        write(path, text.format(word=word).encode(), word, *codes)
    write("Windows-1252.md", f"„Anführung“ – {(word := next(words))}".encode("cp1252"), word, "encoding")
    write("Kein Codec.md", b"Gr\xf6\x8f " + (word := next(words)).encode(), word, "encoding")
    write("Kaputt.canvas", b'{"nodes": [', None, "json_syntax")
    write("Leer.md", b"", None)
    write("Weiß.md", b" \n\t\r\n", None)
    line = "Ein Satz ohne Ende und immer weiter "
    write("Eine Zeile.md", f"{line * (line_bytes // len(line))}{(word := next(words))}".encode(), word)
    part = "## Abschnitt\n\n" + "Die Zisterne füllt sich, wenn es regnet.\n\n" * 20
    large = part * (large_bytes // len(part.encode()))
    codes = ("large",) if large_bytes >= 10_000_000 else ()
    write("Viel Text.md", f"{large}\n{(word := next(words))}\n".encode(), word, *codes)
    for path, disk_path in (("Küche/Süßes.md", unicodedata.normalize("NFD", "Küche/Süßes.md")), ("Öl.md", "")):
        write(path, f"Text {(word := next(words))}".encode(), word, disk_path=disk_path)
    (folder / unicodedata.normalize("NFD", "Öl.md")).write_bytes(b"dasselbe Wort in anderer Form")
    made[-1] = Odd("Öl.md", made[-1].word, frozenset(("duplicate_path",)))
    odd_name = os.fsdecode(os.fsencode(folder) + b"/Gr\xfcn.md")
    Path(odd_name).write_text(f"Text {(word := next(words))}", encoding="utf-8")
    made.append(Odd("Gr\ufffdn.md", word))
    return (*made, *_links(folder, words), *_no_files(folder), *_closed(folder))


def _links(folder: Path, words: Iterator[str]) -> Iterator[Odd]:
    outside = folder.parent / f"{folder.name} außerhalb"
    outside.mkdir(exist_ok=True)
    (outside / "Geheim.md").write_text("Nicht aus dem Vault.\n", encoding="utf-8")
    (folder / "Ziel").mkdir()
    (folder / "Ziel/Echt.md").write_text(f"Text {(word := next(words))}\n", encoding="utf-8")
    yield Odd("Ziel/Echt.md", word)
    for name, target, codes in (
        ("Link hinein.md", "Ziel/Echt.md", ()),
        ("Link ins Leere.md", "Nirgends.md", ("broken_link",)),
        ("Link auf sich.md", "Link auf sich.md", ("circular_link",)),
        ("Ziel/Kreis", "..", ("circular_link",)),
        ("Ordnerlink", "Ziel", ()),
        ("Link hinaus.md", os.path.relpath(outside / "Geheim.md", folder), ("link_outside",)),
        ("Ordner hinaus", os.path.relpath(outside, folder), ("link_outside",)),
    ):
        (folder / name).symlink_to(target)
        if codes:
            yield Odd(name, None, frozenset(codes))
    yield Odd("Link hinein.md", word)
    yield Odd("Ordnerlink/Echt.md", word)


def _no_files(folder: Path) -> Iterator[Odd]:
    os.mkfifo(folder / "Rohr.md")
    yield Odd("Rohr.md", None, frozenset(("not_a_file",)))
    os.mknod(folder / "Buchse.md", stat.S_IFSOCK | 0o600)
    yield Odd("Buchse.md", None, frozenset(("not_a_file",)))
    (folder / ".Wolke.md.icloud").write_bytes(b"bplist00")
    yield Odd("Wolke.md", None, frozenset(("placeholder",)))


def _closed(folder: Path) -> Iterator[Odd]:
    (folder / "Zu").mkdir()
    (folder / "Zu/Darin.md").write_text("Nicht zu sehen.\n", encoding="utf-8")
    (folder / "Zu.md").write_text("Nicht zu lesen.\n", encoding="utf-8")
    (folder / "Zu.md").chmod(0)
    (folder / "Zu").chmod(0)
    yield Odd("Zu.md", None, frozenset(("permission",)))
    yield Odd("Zu", None, frozenset(("unreadable_folder",)))


def _words() -> Iterator[str]:
    """Words of no language, each another one."""
    return (a + b + c + "in" for a in _SYLLABLES for b in _SYLLABLES for c in _SYLLABLES)
