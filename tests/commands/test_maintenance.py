"""The commands that keep an index in order, on the index itself and through the sidecar that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from commands.conftest import Site, make_site
from mindnet.client import Daemon
from mindnet.commands.call import call
from mindnet.errors import BusyError
from mindnet.store.files import index_folders
from serving import Served, serving

ALL_BUT_TEMPLATE = ["Folder/Deep.md", "Hub.md", "Leaf.md"]


@dataclass(frozen=True)
class Held:
    site: Site
    by: Served


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Held]:
    """A site whose data folder a sidecar holds."""
    site = make_site(tmp_path_factory.mktemp("held"))
    with serving(site.vault, site.data, **site.env) as served:
        yield Held(site, served)


def notes(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.md"))}


# ------------------------------------------------------------------ export and compare
def test_export_and_compare_close_the_circle(indexed: Site, tmp_path: Path) -> None:
    out = tmp_path / "out"
    report = indexed.json("export", "--out", out)
    assert (report["notes"], report["faults"], report["folder"]) == (3, [], str(out))
    assert report["bytes"] == sum(map(len, notes(out).values()))
    assert sorted(notes(out)) == ALL_BUT_TEMPLATE
    assert notes(out).items() <= notes(indexed.vault).items()
    compared = indexed.json("compare", indexed.vault, out)
    assert compared["same"]
    assert compared["left_out"] == ["Template.md"]
    (out / "Leaf.md").write_text("other\n")
    (out / "Hub.md").unlink()
    (out / "New.md").write_text("new")
    compared = indexed.json("compare", indexed.vault, out, code=1)
    assert (compared["missing"], compared["extra"]) == (["Hub.md"], ["New.md"])
    assert [(one["path"], one["line"]) for one in compared["differing"]] == [("Leaf.md", 1)]
    shown = indexed.run("compare", indexed.vault, out)
    assert shown.returncode == 1
    for part in ("Hub.md", "New.md", "Leaf.md:1", "- ---", "+ other"):
        assert part in shown.stdout


def test_export_goes_through_the_sidecar(held: Held, tmp_path: Path) -> None:
    done = held.site.run("export", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert f"The sidecar at {held.by.url}" in done.stderr
    assert notes(tmp_path / "out").items() <= notes(held.site.vault).items()
    assert sorted(notes(tmp_path / "out")) == ALL_BUT_TEMPLATE
    assert held.site.json("export", "--out", tmp_path / "part", "--prefix", "Folder")["notes"] == 1
    outside = held.site.run("export", "--out", tmp_path / "no", "--prefix", "../vault")
    assert outside.returncode == 2
    assert not (tmp_path / "no").exists()


def test_export_is_refused_where_it_would_do_harm(indexed: Site, tmp_path: Path) -> None:
    before = notes(indexed.vault)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    for out, why in ((indexed.vault / "out", "in the vault"), (tmp_path / "full", "not empty")):
        done = indexed.run("export", "--out", out, "--json")
        assert (done.returncode, done.stdout) == (2, "")
        assert why in done.stderr
    assert notes(indexed.vault) == before
    assert [file.name for file in (tmp_path / "full").iterdir()] == ["mine.txt"]


def test_export_of_a_vault_without_index_says_so(site: Site, tmp_path: Path) -> None:
    done = site.run("export", "--out", tmp_path / "out")
    assert done.returncode == 2
    assert "not indexed yet" in done.stderr


# ------------------------------------------------------------------ links
def test_links_that_lead_nowhere_are_listed_and_healed(indexed: Site) -> None:
    listed = indexed.json("stats", "--unresolved")
    assert [(one["target"], one["links"], one["path"], one["line"]) for one in listed["targets"]] == [
        ("Nowhere", 2, "Hub.md", 7)
    ]
    assert listed["edges"] == indexed.json("stats")["edges"]["unresolved"]
    assert "Nowhere  first in Hub.md:7" in indexed.run("stats", "--unresolved").stdout
    (indexed.vault / "Nowhere.md").write_text("here\n")
    report = indexed.json("heal")
    assert (report["before"], report["after"], report["written"]) == (listed["edges"], 0, 3)
    assert "Every link leads to a note" in indexed.run("stats", "--unresolved").stdout


def test_the_sidecar_lists_and_heals_as_well(held: Held) -> None:
    assert [one["target"] for one in held.site.json("stats", "--unresolved")["targets"]] == ["Nowhere"]
    report = held.site.json("heal")
    assert report["before"] == report["after"] > 0
    assert report["relinked"] == []
    assert "by themselves" in held.site.run("heal").stdout


# ------------------------------------------------------------------ reset
def test_reset_says_what_would_go_and_does_nothing(indexed: Site) -> None:
    before = sorted(path.name for path in indexed.data.iterdir())
    done = indexed.run("reset", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    for part in (*(folder.name for folder in index_folders(indexed.data).values()), "vectors.sqlite", "--yes"):
        assert part in done.stderr
    assert sorted(path.name for path in indexed.data.iterdir()) == before
    assert indexed.json("stats")["notes"] == 3


def test_wipe_deletes_the_index_and_nothing_else(indexed: Site) -> None:
    (indexed.data / "logs").mkdir()
    (indexed.data / "logs" / "feedback.jsonl").write_text("{}\n")
    vault = notes(indexed.vault)
    (built,) = index_folders(indexed.data).values()
    (indexed.data / f"damaged-20260101-000000-{built.name}").mkdir()
    report = indexed.json("reset", "--yes")
    assert {built.name, "index.json", "vectors.sqlite"} <= set(report["removed"])
    assert sorted(path.name for path in indexed.data.iterdir()) in (["lock", "logs"], ["logs"])
    assert notes(indexed.vault) == vault
    assert indexed.json("reset", "--yes")["removed"] == []
    again = indexed.json("import", "--apply")
    assert (again["notes"], again["embedded"], again["problems"]) == (3, again["chunks"], [])


def test_truncate_keeps_the_vectors(indexed: Site) -> None:
    report = indexed.json("reset", "--yes", "--mode", "truncate")
    assert (report["mode"], report["notes"], report["removed"]) == ("truncate", 3, [])
    again = indexed.json("import", "--apply")
    assert (again["notes"], again["embedded"], again["reused"]) == (3, 0, again["chunks"])
    assert again["problems"] == []


@pytest.mark.parametrize("mode", ["wipe", "truncate"])
def test_reset_leaves_an_index_alone_that_a_sidecar_holds(held: Held, mode: str) -> None:
    done = held.site.run("reset", "--yes", "--mode", mode)
    assert done.returncode == 3
    assert f"process {held.by.pid}" in done.stderr
    assert held.by.paths("Hub")


def test_an_unknown_mode_is_wrong_use(indexed: Site) -> None:
    assert indexed.run("reset", "--yes", "--mode", "everything").returncode == 2
    assert indexed.json("stats")["notes"] == 3


# ------------------------------------------------------------------ prefix
def test_a_prefix_that_is_not_the_sidecars_is_refused_and_its_own_is_taken(held: Held) -> None:
    config = Path(held.site.env["XDG_CONFIG_HOME"]) / "mindnet"
    with (
        pytest.raises(BusyError, match=rf"process {held.by.pid}\) keeps the collections of `mindnet`"),
        call(held.site.vault, held.site.data, config, False, prefix="other").daemon_or_workspace(),
    ):
        pass
    with call(held.site.vault, held.site.data, config, False, prefix="mindnet").daemon_or_workspace() as index:
        assert isinstance(index, Daemon)


# ------------------------------------------------------------------ check
def test_a_strict_check_lists_what_frontmatter_lacks_and_is_clean(indexed: Site) -> None:
    plain = indexed.json("check")
    assert plain["remarks"] == []
    strict = indexed.json("check", "--strict")
    assert strict["ok"]
    assert [(one["id"], one["message"]) for one in strict["remarks"]] == [
        (path, "the frontmatter has no `id`, `type`, `title`") for path in ("Folder/Deep.md", "Hub.md")
    ]
    shown = indexed.run("check", "--strict").stdout
    assert "Hub.md: the frontmatter has no `id`" in shown
    assert "Leaf.md" not in shown


def test_the_sidecar_checks_strictly_too(held: Held) -> None:
    assert {one["id"] for one in held.site.json("check", "--strict")["remarks"]} == {"Folder/Deep.md", "Hub.md"}
    assert held.site.json("check")["remarks"] == []


# ------------------------------------------------------------------ an index that is not there, or not of today
@pytest.mark.parametrize(
    "command",
    [("check",), ("heal",), ("stats",), ("stats", "--unresolved"), ("query", "x"), ("export", "--out", "OUT")],
    ids=" ".join,
)
def test_a_vault_that_was_never_imported_says_so_and_stays_without_a_folder(
    site: Site, tmp_path: Path, command: tuple[str, ...]
) -> None:
    name, *more = (str(tmp_path / "out") if part == "OUT" else part for part in command)
    done = site.run(name, *more)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{site.vault} is not indexed yet." in done.stderr
    assert "mindnet import --apply" in done.stderr
    assert not site.data.exists()


def test_what_writes_nothing_makes_no_folder(site: Site) -> None:
    for command in (("import",), ("payloads",), ("reset", "--yes"), ("reset", "--yes", "--mode", "truncate")):
        assert site.run(*command).returncode == 0
        assert not site.data.exists()


def test_after_an_import_that_did_not_come_to_a_first_note_there_is_no_index_either(site: Site) -> None:
    assert site.run("import", "--apply").returncode == 0
    assert site.run("reset", "--yes", "--mode", "truncate").returncode == 0
    for command in ("check", "heal", "stats"):
        done = site.run(command)
        assert (done.returncode, done.stdout) == (2, "")
        assert "not indexed yet" in done.stderr


def test_a_vault_without_notes_is_clean(site: Site) -> None:
    for file in site.vault.rglob("*.md"):
        file.unlink()
    assert site.run("import", "--apply").returncode == 0
    assert site.json("check")["ok"]


def test_files_that_moved_on_are_remarked_and_strictly_a_failure(indexed: Site) -> None:
    assert indexed.json("check")["remarks"] == []
    (indexed.vault / "Hub.md").write_text("changed\n")
    (indexed.vault / "New.md").write_text("new\n")
    (indexed.vault / "Leaf.md").unlink()
    report = indexed.json("check")
    assert (report["ok"], report["problems"]) == (True, [])
    assert [(one["code"], one["id"]) for one in report["remarks"]] == [
        ("file_changed", "Hub.md"),
        ("file_gone", "Leaf.md"),
        ("file_new", "New.md"),
    ]
    shown = indexed.run("check")
    assert shown.returncode == 0
    assert "3 files are not as in the index: mindnet import --apply, or serve" in shown.stdout
    assert "Hub.md: it has changed since the last import" in shown.stdout
    strict = indexed.json("check", "--strict", code=1)
    assert (strict["ok"], strict["problems"]) == (False, [])
    assert indexed.run("import", "--apply").returncode == 0
    assert indexed.json("check")["remarks"] == []


def test_an_import_that_keeps_what_is_gone_ends_well(indexed: Site) -> None:
    (indexed.vault / "Leaf.md").unlink()
    (indexed.vault / "New.md").write_text("new\n")
    assert indexed.json("import", "--apply", "--no-prune")["problems"] == []
    assert [one["code"] for one in indexed.json("check")["remarks"]] == ["file_gone"]


def test_one_of_a_thing_is_not_called_many(site: Site) -> None:
    for file in site.vault.rglob("*.md"):
        file.unlink()
    (site.vault / "Only.md").write_text("---\ntype: odd\n---\n\nText.\n")
    assert site.run("import", "--apply").returncode == 0
    assert "The index is clean: 1 note, 1 chunk, 1 edge, 1 fault." in site.run("check").stdout
    (site.vault / "Only.md").write_text("other")
    assert "1 file is not as in the index" in site.run("check").stdout


# ------------------------------------------------------------------ what compare says
def test_compare_names_the_folder_that_it_cannot_take(site: Site) -> None:
    gone = site.run("compare", site.vault, site.vault / "nope")
    assert gone.returncode == 2
    assert f"There is no folder {site.vault / 'nope'}." in gone.stderr
    file = site.run("compare", site.vault / "Hub.md", site.vault)
    assert f"{site.vault / 'Hub.md'} is a file, not a folder." in file.stderr
    for done in (gone, file):
        assert "Name two folders of notes" in done.stderr
        assert "--vault" not in done.stderr


def test_letters_that_differ_in_their_form_alone_are_shown_as_what_they_are(site: Site, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for folder, text in ((site.vault, "Caf\u00e9\n"), (other, "Cafe\u0301\n")):
        for file in folder.rglob("*.md"):
            file.unlink()
        (folder / "A.md").write_text(text, encoding="utf-8")
    shown = site.run("compare", site.vault, other).stdout
    assert "- Caf\\xe9" in shown
    assert "+ Cafe\\u0301" in shown
    assert "1 file differs" in shown
    assert "1 note is in both" in shown
