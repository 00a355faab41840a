"""What single commands do after a change of settings: a question is answered as before, an import builds anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.conftest import Site
from contract.rest import answering, nobody_at
from contract.stores import LocalClient
from mindnet.store.files import index_folders
from serving import serving


def change_chunks(site: Site) -> None:
    config = Path(site.env["XDG_CONFIG_HOME"]) / "mindnet"
    (config / "types.yaml").write_text(
        "chunk_profiles: {medium: {max_tokens: 24, split_level: 2, overlap_tokens: 0}}\n"
    )


def test_a_question_is_answered_from_the_old_index_until_an_import_has_built_the_new_one(indexed: Site) -> None:
    (old,) = index_folders(indexed.data)
    change_chunks(indexed)
    done = indexed.run("query", "deep text")
    assert done.returncode == 0
    assert "Folder/Deep.md" in done.stdout
    assert "chunk settings (types.yaml) have changed" in done.stderr
    assert "mindnet import --apply" in done.stderr
    assert list(index_folders(indexed.data)) == [old]
    assert indexed.json("check")["problems"] == []
    report = indexed.json("import", "--apply")
    assert (report["notes"], report["problems"]) == (3, [])
    (new,) = index_folders(indexed.data)
    assert new != old
    assert "have changed" not in indexed.run("query", "deep text").stderr
    assert indexed.json("check")["problems"] == []


def test_the_sidecar_changes_over_by_itself(indexed: Site) -> None:
    (old,) = index_folders(indexed.data)
    change_chunks(indexed)
    with serving(indexed.vault, indexed.data, **indexed.env) as served:
        assert served.client.get("/status").json()["rebuild"] is None
        assert served.paths("deep text")[0] == "Folder/Deep.md"
        (new,) = index_folders(indexed.data)
        assert new != old


def test_truncate_empties_an_index_for_other_settings_too(indexed: Site) -> None:
    change_chunks(indexed)
    assert indexed.json("reset", "--yes", "--mode", "truncate")["notes"] == 3
    report = indexed.json("import", "--apply")
    assert (report["notes"], report["problems"]) == (3, [])
    assert len(index_folders(indexed.data)) == 1


# ------------------------------------------------------------------ reset on a server
def on(site: Site, url: str) -> Site:
    return Site(site.vault, site.data, {**site.env, "QDRANT_URL": url})


def names(client: LocalClient) -> set[str]:
    return {one.name for one in client.get_collections().collections}


def test_wipe_deletes_the_collections_on_the_server_and_nobody_elses(site: Site) -> None:
    client = LocalClient()
    client.create_collection("theirs", vectors_config={})
    client.create_collection("mindnet_0123456789ab_notes", vectors_config={}, metadata={"mindnet_vault": "another"})
    with answering(client) as url:
        refused = on(site, url).run("import", "--apply")
        assert refused.returncode == 3
        assert "belongs to the vault another" in refused.stderr
        client.delete_collection("mindnet_0123456789ab_notes")
        there = on(site, url)
        assert there.run("import", "--apply").returncode == 0
        client.create_collection("mindnet_0123456789ab_notes", vectors_config={}, metadata={"mindnet_vault": "another"})
        assert f"mindnet_* at {url}" in there.run("reset").stderr
        assert len(names(client)) == 5
        report = there.json("reset", "--yes")
        assert len(report["collections"]) == 3
        assert names(client) == {"theirs", "mindnet_0123456789ab_notes"}
        assert client.get_aliases().aliases == []
    assert {path.name for path in site.data.iterdir()} <= {"lock"}


def test_wipe_deletes_what_is_on_the_server_though_the_data_folder_is_lost(site: Site, tmp_path: Path) -> None:
    client = LocalClient()
    with answering(client) as url:
        assert on(site, url).run("import", "--apply").returncode == 0
        elsewhere = Site(site.vault, tmp_path / "other data", {**site.env, "QDRANT_URL": url})
        assert len(elsewhere.json("reset", "--yes")["collections"]) == 3
        assert names(client) == set()


@pytest.mark.parametrize("configured", [True, False])
def test_wipe_without_the_server_removes_the_files_only_when_it_is_not_configured_any_more(
    site: Site, configured: bool
) -> None:
    with answering(LocalClient()) as url:
        assert on(site, url).run("import", "--apply").returncode == 0
    with nobody_at(url):
        done = (on(site, url) if configured else site).run("reset", "--yes")
    assert f"{url} does not answer" in done.stderr
    assert done.returncode == (3 if configured else 0)
    assert bool(index_folders(site.data)) == configured
    assert ("stay there" in done.stderr) == (not configured)
