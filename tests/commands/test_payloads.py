"""`mindnet payloads`: everything that would be stored, checked against its schema, without a store."""

from __future__ import annotations

import json

import pytest

from commands.conftest import Site
from mindnet.commands import importing
from mindnet.store.files import index_parts
from mindnet.store.port import Collection


def test_each_line_is_a_payload_and_nothing_is_written(site: Site) -> None:
    done = site.run("payloads")
    assert done.returncode == 0
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    counts = {name: sum(line["collection"] == name for line in lines) for name in ("notes", "chunks", "edges")}
    report = site.json("import")
    assert counts == {"notes": report["notes"], "chunks": report["chunks"], "edges": report["edges"]["total"]}
    assert index_parts(site.data) == []


def test_a_payload_against_the_schema_fails(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(collection: Collection, payload: object) -> str | None:
        return "scope: Field required" if collection == "edges" else None

    monkeypatch.setattr(importing, "payload_fault", fault)
    done = site.run("payloads")
    assert done.returncode == 1
    assert "Hub.md: a payload for edges is not as its schema says: scope: Field required" in done.stderr


def test_the_schema_can_be_had(site: Site) -> None:
    done = site.run("payloads", "--schema")
    assert json.loads(done.stdout).keys() == {"notes", "chunks", "edges"}
