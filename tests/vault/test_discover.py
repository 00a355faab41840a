from __future__ import annotations

import json
import os
import time
import unicodedata
from pathlib import Path

import pytest

from mindnet.errors import VaultError
from mindnet.vault.discover import discover, load_ignore_rules, vault_file

NEEDS_UNIX = pytest.mark.skipif(os.name == "nt", reason="links and odd names need a Unix file system")


def write(vault: Path, *names: str) -> None:
    for name in names:
        (vault / name).parent.mkdir(parents=True, exist_ok=True)
        (vault / name).write_text("x", encoding="utf-8")


def found(vault: Path, *exclude: str) -> list[str]:
    return [file.path for file in discover(vault, load_ignore_rules(vault, exclude))[0]]


def fault_codes(vault: Path, *exclude: str) -> list[str]:
    return [fault.code for fault in discover(vault, load_ignore_rules(vault, exclude))[1]]


def test_all_markdown_files_are_found_in_order(tmp_path: Path) -> None:
    write(tmp_path, "b.md", "a/x.MD", "a.md", "a b/ü.md", "bild.png", "md", "x.md.txt", "a/tief/er/z.Md")
    assert found(tmp_path) == ["a b/ü.md", "a.md", "a/tief/er/z.Md", "a/x.MD", "b.md"]


def test_canvases_and_drawings_are_found_beside_them(tmp_path: Path) -> None:
    write(
        tmp_path, "b.Canvas", "c.excalidraw", "d.excalidraw.md", "a.md", "e.base", ".canvas", "canvas", "f.canvas.png"
    )
    assert found(tmp_path) == ["a.md", "b.Canvas", "c.excalidraw", "d.excalidraw.md"]
    assert vault_file(tmp_path, "b.Canvas") is not None
    assert vault_file(tmp_path, "e.base") is None


def test_dot_folders_and_files_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, ".obsidian/x.md", ".trash/x.md", "a/.git/x.md", ".versteckt.md", "a/x.y.md")
    assert found(tmp_path) == ["a/x.y.md"]


def test_obsidians_excluded_files_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, "Archiv/x.md", "Archivar.md", "Alt/y.md", "Alt/z.md", "Log 2024.md", "Log x.md", "Grün/a.md")
    settings = {"userIgnoreFilters": ["Archiv/", "Alt/y.md", r"/^Log \d+/", unicodedata.normalize("NFD", "Grün")]}
    write(tmp_path, ".obsidian/app.json")
    (tmp_path / ".obsidian/app.json").write_text(json.dumps(settings), encoding="utf-8")
    assert found(tmp_path) == ["Alt/z.md", "Archivar.md", "Log x.md"]


@pytest.mark.parametrize(
    ("entry", "kept"),
    [
        ("arch", ["x/archiv.md"]),
        ("ARCHIV/", ["Archivar.md", "x/archiv.md"]),
        ("/^x\\/ARCHIV/", ["Archiv/y.md", "Archivar.md"]),
        ("/", ["Archiv/y.md", "Archivar.md", "x/archiv.md"]),
    ],
)
def test_an_excluded_text_is_the_beginning_of_a_path_in_any_case(tmp_path: Path, entry: str, kept: list[str]) -> None:
    write(tmp_path, "Archiv/y.md", "Archivar.md", "x/archiv.md", ".obsidian/app.json")
    (tmp_path / ".obsidian/app.json").write_text(json.dumps({"userIgnoreFilters": [entry]}), encoding="utf-8")
    assert found(tmp_path) == kept


def test_globs_exclude_as_in_a_gitignore(tmp_path: Path) -> None:
    write(tmp_path, "a/x.md", "a/keep.md", "b/tmp-1.md", "b/y.md", "node/m/z.md")
    assert found(tmp_path, "node/", "tmp-*.md", "/a/*", "!keep.md") == ["a/keep.md", "b/y.md"]


def test_rules_know_files_and_folders_alike(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["Archiv/", "/(?<jahr>\\\\d{4})-alt/"]}')
    rules = load_ignore_rules(tmp_path, ["*.tmp.md"])
    ignored = ["Archiv", "Archiv/x.md", "b/2024-alt/x.md", "x.tmp.md", ".trash", "a/.x/y.md"]
    assert [path for path in [*ignored, "Archive.md", "a.md", "a/b.md"] if rules.ignores(path)] == ignored


@pytest.mark.parametrize(
    "settings", ["{", "[]", '{"userIgnoreFilters": 1}', '{"userIgnoreFilters": [null, "", "/"]}', "\xff"]
)
def test_settings_that_make_no_sense_exclude_nothing(tmp_path: Path, settings: str) -> None:
    write(tmp_path, "a.md", ".obsidian/app.json")
    (tmp_path / ".obsidian/app.json").write_text(settings, encoding="latin-1")
    assert found(tmp_path) == ["a.md"]


def test_broken_settings_are_reported(tmp_path: Path) -> None:
    write(tmp_path, "a.md", ".obsidian/app.json")
    (tmp_path / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["/(/"]}')
    assert fault_codes(tmp_path) == ["ignore_filter"]
    (tmp_path / ".obsidian/app.json").write_text("{")
    assert fault_codes(tmp_path) == ["ignore_settings"]


@NEEDS_UNIX
def test_links_are_followed_inside_the_vault_only(tmp_path: Path) -> None:
    vault, outside = tmp_path / "vault", tmp_path / "vault-outside"
    write(vault, "a/x.md", "b/y.md")
    write(outside, "secret.md")
    (vault / "out").symlink_to(outside, target_is_directory=True)
    (vault / "out.md").symlink_to(outside / "secret.md")
    (vault / "in.md").symlink_to(vault / "a/x.md")
    (vault / "a/loop").symlink_to(vault, target_is_directory=True)
    (vault / "a/self").symlink_to(vault / "a", target_is_directory=True)
    (vault / "a/b").symlink_to(vault / "b", target_is_directory=True)
    (vault / "b/a").symlink_to(vault / "a", target_is_directory=True)
    (vault / "broken.md").symlink_to(vault / "nowhere.md")
    paths = found(vault)
    assert {"a/x.md", "b/y.md", "in.md", "a/b/y.md", "b/a/x.md"} == set(paths)
    faults = discover(vault, load_ignore_rules(vault, []))[1]
    assert [(fault.path, fault.code) for fault in faults] == [
        ("a/loop", "circular_link"),
        ("a/self", "circular_link"),
        ("broken.md", "broken_link"),
        ("out", "link_outside"),
        ("out.md", "link_outside"),
    ]
    assert vault_file(vault, "out.md") is None
    assert vault_file(vault, "out/secret.md") is None
    assert vault_file(vault, "../vault-outside/secret.md") is None


@NEEDS_UNIX
def test_names_are_composed_but_open_as_they_are_on_disk(tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "Küche/Süßes.md")
    write(tmp_path, name)
    (file,) = discover(tmp_path, load_ignore_rules(tmp_path, []))[0]
    assert file.path == "Küche/Süßes.md"
    assert (tmp_path / file.disk_path).read_text() == "x"
    assert vault_file(tmp_path, "Küche/Süßes.md") == file
    assert vault_file(tmp_path, name) == file


@NEEDS_UNIX
def test_two_unicode_forms_of_one_name_are_one_path_and_reported(tmp_path: Path) -> None:
    write(tmp_path, "ü.md", unicodedata.normalize("NFD", "ü.md"))
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("this file system takes both forms for one name")
    assert found(tmp_path) == ["ü.md"]
    assert fault_codes(tmp_path) == ["duplicate_path"]


@NEEDS_UNIX
def test_a_scan_and_a_single_look_take_the_same_of_two_unicode_forms(tmp_path: Path) -> None:
    """Else it would depend on the order of events what is indexed under the one path that both have."""
    composed, other = "Gärten/Öl.md", unicodedata.normalize("NFD", "Gärten/Öl.md")
    mixed = f"{other.split('/')[0]}/Öl.md"
    write(tmp_path, composed, other, mixed, f"{other.split('/')[0]}/Nur hier ü.md")
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("this file system takes both forms for one name")
    rules = load_ignore_rules(tmp_path, [])
    scanned = discover(tmp_path, rules)[0]
    assert [file.path for file in scanned] == ["Gärten/Nur hier ü.md", "Gärten/Öl.md"]
    assert [file.disk_path for file in scanned] == [f"{other.split('/')[0]}/Nur hier ü.md", composed]
    assert discover(tmp_path, rules, "Gärten")[0] == scanned
    assert [vault_file(tmp_path, file.path) for file in scanned] == scanned


@NEEDS_UNIX
def test_a_name_that_is_no_utf8_gets_a_path_that_can_be_sent(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/Gr\xfcn.md")).write_text("x")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (file,) = discover(tmp_path, load_ignore_rules(tmp_path, []))[0]
    assert file.path == "Gr\ufffdn.md"
    assert (tmp_path / file.disk_path).read_text() == "x"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_forbidden_folder_is_reported(tmp_path: Path) -> None:
    write(tmp_path, "zu/x.md", "a.md")
    (tmp_path / "zu").chmod(0)
    try:
        assert (found(tmp_path), fault_codes(tmp_path)) == (["a.md"], ["unreadable_folder"])
    finally:
        (tmp_path / "zu").chmod(0o700)


def test_a_vault_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(VaultError):
        discover(tmp_path / "weg", load_ignore_rules(tmp_path / "weg", []))


def test_one_file_is_looked_up(tmp_path: Path) -> None:
    write(tmp_path, "a/x.md", "b.txt")
    (tmp_path / "c.md").mkdir()
    file = vault_file(tmp_path, "a/x.md")
    assert file is not None
    assert (file.path, file.size) == ("a/x.md", 1)
    assert [vault_file(tmp_path, name) for name in ("a/y.md", "b.txt", "c.md", "a")] == [None] * 4


def test_a_thousand_files_are_found_at_once(tmp_path: Path) -> None:
    for folder in range(10):
        write(tmp_path, *(f"{folder}/{number}.md" for number in range(100)))
    rules = load_ignore_rules(tmp_path, ["nothing/"])
    start = time.process_time()
    files, _ = discover(tmp_path, rules)
    assert len(files) == 1000
    assert time.process_time() - start < 1  # 50,000 files: seconds, not minutes


def below(vault: Path, folder: str, *exclude: str) -> list[str]:
    return [file.path for file in discover(vault, load_ignore_rules(vault, exclude), folder)[0]]


def test_one_folder_is_looked_at_alone(tmp_path: Path) -> None:
    write(tmp_path, "a/b/x.md", "a/b/c/y.md", "a/bc/z.md", "b/x.md")
    assert below(tmp_path, "a/b") == ["a/b/c/y.md", "a/b/x.md"]
    assert below(tmp_path, "") == ["a/b/c/y.md", "a/b/x.md", "a/bc/z.md", "b/x.md"]


@pytest.mark.parametrize("folder", ["gone", "a/x.md", "a/x.md/b", "../other", "a/../../other", ".trash", "a/left out"])
def test_nothing_is_below_what_is_no_folder_of_the_vault(tmp_path: Path, folder: str) -> None:
    vault = tmp_path / "vault"
    write(vault, "a/x.md", ".trash/x.md", "a/left out/x.md")
    write(tmp_path, "other/x.md")
    assert discover(vault, load_ignore_rules(vault, ["left out/"]), folder) == ([], [])


@NEEDS_UNIX
def test_a_folder_is_found_however_the_disk_spells_it(tmp_path: Path) -> None:
    write(tmp_path, unicodedata.normalize("NFD", "Gärten/Büsche/Öl.md"))
    assert below(tmp_path, "Gärten/Büsche") == ["Gärten/Büsche/Öl.md"]


@NEEDS_UNIX
def test_a_folder_that_leads_out_of_the_vault_or_in_a_circle_is_safe(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    write(vault, "a/x.md")
    write(tmp_path, "other/x.md")
    (vault / "out").symlink_to(tmp_path / "other", target_is_directory=True)
    (vault / "a/self").symlink_to(vault / "a", target_is_directory=True)
    assert below(vault, "out") == []
    assert below(vault, "a") == ["a/x.md"]
