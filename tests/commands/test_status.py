"""What `mindnet status` says with a sidecar and without one, and that asking changes nothing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from commands.conftest import Site
from mindnet.commands.show_status import TEXTS
from mindnet.settings.folders import hold
from serving import serving, until
from workspaces import open_workspace, write_vault

ODD: dict[str, str | bytes] = {"Bad.md": "---\ntitle: [x\n---\n\nText\n", "Old.md": "Gr\u00f6\u00dfe".encode("latin-1")}


def files_of(folder: Path) -> dict[str, tuple[int, int]]:
    found = {str(path.relative_to(folder)): path.stat() for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name: (status.st_size, status.st_mtime_ns) for name, status in found.items()}


def test_a_vault_without_an_index_is_told_from_one_that_is_up_to_date_and_one_that_is_not(site: Site) -> None:
    empty = site.json("status")
    assert (empty["state"], empty["notes"], empty["pending"]["new"], empty["changed_at"]) == ("none", 0, 4, None)
    report = site.json("import", "--apply")
    now = site.json("status")
    assert (now["state"], now["url"], now["error"]) == ("current", None, None)
    assert [now[key] for key in ("notes", "chunks")] == [report["notes"], report["chunks"]]
    assert now["edges"] == report["edges"]["total"]
    assert not any(now["pending"].values())
    assert now["changed_at"] is not None
    write_vault(site.vault, {"New.md": "# New\n", "Leaf.md": "other text, of another length"})
    (site.vault / "Hub.md").unlink()
    behind = site.json("status")
    assert (behind["state"], behind["pending"]) == ("behind", {"new": 1, "changed": 1, "gone": 1, "begun": 0})
    assert behind["notes"] == report["notes"]


def test_remarks_are_counted_by_code_with_the_first_of_each(site: Site) -> None:
    many: dict[str, str | bytes] = {f"N{number}.md": b"Gr\xf6\xdfe" for number in range(5)}
    write_vault(site.vault, {**ODD, **many})
    report = site.json("import", "--apply")
    faults = site.json("status")["faults"]
    assert next(iter(faults)) == "encoding"
    assert {code: group["count"] for code, group in faults.items()} == {"encoding": 6, "frontmatter": 1}
    assert [fault["path"] for fault in faults["encoding"]["first"]] == ["N0.md", "N1.md", "N2.md"]
    assert sum(group["count"] for group in faults.values()) == len(report["faults"])


def test_asking_writes_nothing_and_waits_for_nobody(indexed: Site) -> None:
    before = files_of(indexed.data)
    assert indexed.json("status")["state"] == "current"
    assert files_of(indexed.data) == before
    lock = hold(indexed.data)
    try:
        held = indexed.json("status")
        assert (held["state"], held["pid"], held["notes"]) == ("busy", os.getpid(), 3)
    finally:
        lock.release()


def test_an_index_that_is_being_written_is_read_as_it_was_last_committed(indexed: Site) -> None:
    write_vault(indexed.vault, {"New.md": "# New\n"})
    with open_workspace(indexed.vault, indexed.data) as workspace:
        workspace.pipeline.update(None)
        assert indexed.json("status")["notes"] == 4
    assert indexed.json("status")["notes"] == 4


def test_an_index_that_cannot_be_read_is_said_to_be_so(indexed: Site) -> None:
    (manifest,) = indexed.data.rglob("index.sqlite")
    manifest.write_bytes(b"no database at all, and long enough to be looked at" * 100)
    now = indexed.json("status")
    assert now["state"] == "unreadable"
    assert "index.sqlite" in now["error"]
    assert "next start builds the index anew" in now["error"]
    assert indexed.run("reset", "--yes").returncode == 0
    assert indexed.json("import", "--apply")["notes"] == 3


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("chosen", ["flag", "terminal"])
def test_a_person_reads_it_in_their_language(indexed: Site, language: str, chosen: str) -> None:
    write_vault(indexed.vault, ODD)
    indexed.run("import", "--apply")
    flag = ("--language", language) if chosen == "flag" else ()
    locale = {"LC_ALL": "de_DE.UTF-8" if language == "de" else "C"} if chosen == "terminal" else {}
    text = Site(indexed.vault, indexed.data, {**indexed.env, **locale}).run("status", *flag).stdout
    say = TEXTS[language]
    for key in ("current", "vault", "data_dir", "notes", "chunks", "edges", "nothing", "changed_at", "faults"):
        assert say[key] in text, key
    assert "Old.md: The file is not UTF-8" in text
    assert str(indexed.vault) in text


def test_both_languages_say_the_same_things() -> None:
    assert TEXTS["de"].keys() == TEXTS["en"].keys()
    for key, text in TEXTS["en"].items():
        assert text.count("{") == TEXTS["de"][key].count("{"), key


def test_a_language_that_there_is_not_is_refused(site: Site) -> None:
    done = site.run("status", "--language", "fr")
    assert (done.returncode, "de or en" in done.stderr) == (2, True)


def test_a_sidecar_is_asked_where_one_runs_and_names_what_it_could_not_read(site: Site) -> None:
    write_vault(site.vault, ODD)
    (site.vault / "Nowhere link.md").symlink_to("Nowhere at all.md")
    with serving(site.vault, site.data, **site.env) as served:
        now = site.json("status")
        assert (now["state"], now["url"], now["pid"]) == ("idle", served.url, served.pid)
        assert (now["notes"], now["faults"].keys()) == (5, {"broken_link", "encoding", "frontmatter"})
        shutil.rmtree(site.vault / "Folder")
        until(lambda: served.client.get("/status").json()["notes"] == 4)
        assert site.json("status")["notes"] == 4
    assert site.json("status")["url"] is None
