"""What an import says at its end: complete as JSON, readable in 80 columns."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from commands.conftest import Site
from mindnet import terminal
from mindnet.api import wire
from mindnet.commands import show
from mindnet.store.files import index_parts
from workspaces import write_vault

EDGES = wire.EdgeCounts(
    total=12_345,
    by_kind={"references": 9_000, "depends_on": 45, "never": 0},
    by_provenance={"explicit": 9_000, "rule": 300, "candidate:smart": 4},
    by_rule={"explicit:wikilink": 9_000, "edge_defaults:a_very_long_type_of_note:a_very_long_kind_of_edge": 300},
    unresolved=7,
    candidates=4,
)
TOTALS = {
    "explicit_total": 1, "inline_total": 2, "callout_total": 3, "defaults_total": 4, "smart_total": 5,
    "mirror_total": 6, "unresolved": 7, "candidates": 4,
}  # fmt: skip


def report(**more: object) -> wire.ImportReport:
    values = {
        "notes": 45, "chunks": 68, "edges": EDGES, "totals": TOTALS, "faults": [], "written": 3, "embedded": 2,
        "reused": 66, "removed": 1, "seconds": 2.34, "dry_run": False,
    }  # fmt: skip
    return wire.ImportReport.model_validate(values | more)


def shown(found: wire.ImportReport) -> list[str]:
    with terminal.out.capture() as capture:
        terminal.out.print(show.import_report(found))
    return capture.get().splitlines()


def row(lines: list[str], label: str, number: int) -> bool:
    return any(f"{label} {number}" in " ".join(line.split()) for line in lines)


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal.out, "_width", 80)


def test_every_number_of_the_report_is_there() -> None:
    lines = shown(report())
    for label, number in (
        ("references", 9_000),
        ("depends_on", 45),
        ("rule", 300),
        ("candidate:smart", 4),
        ("edge_defaults:a_very_long_type_of_note:a_very_long_kind_of_edge", 300),
        *((name.removesuffix("_total"), number) for name, number in TOTALS.items() if name.endswith("_total")),
    ):
        assert row(lines, label, number), label
    text = "\n".join(lines)
    for part in (
        "45  notes",
        "68  chunks",
        "12345  edges",
        "3  notes written",
        "1  notes removed",
        "2  windows embedded",
    ):
        assert part in text
    assert "7 edges lead to no note: mindnet stats --unresolved" in text
    assert "4 candidates wait for a decision" in text
    assert "never" not in text


def test_a_dry_run_does_not_claim_to_have_written() -> None:
    text = "\n".join(shown(report(dry_run=True)))
    assert "nothing was written, add --apply" in text
    assert "notes written" not in text


def test_faults_stand_below_their_file_within_the_width() -> None:
    message = "a sentence of many words that goes on until it is much longer than one line of a terminal is wide"
    faults = [
        wire.FaultOut(path=path, line=line, code="frontmatter", message=message)
        for path, line in (("Folder/A.md", 3), ("Folder/A.md", 12), ("B.md", 0))
    ]
    lines = shown(report(faults=faults))
    start = next(number for number, line in enumerate(lines) if "3 remarks on 2 files" in line)
    below = lines[start + 1 :]
    assert [line for line in below if line.strip() in ("Folder/A.md", "B.md")] == ["  Folder/A.md", "  B.md"]
    assert sum(line.startswith(("     3  a sentence", "    12  a sentence")) for line in below) == 2
    assert all(cell_len(line) <= 80 for line in below)
    assert " ".join(" ".join(below).split()).count(f"{message} [frontmatter]") == 3


def test_of_many_faults_the_rest_is_counted() -> None:
    faults = [wire.FaultOut(path=f"{n:02d}.md", line=1, code="c", message="m") for n in range(50)]
    text = "\n".join(shown(report(faults=faults)))
    assert "50 remarks on 50 files" in text
    assert "19.md" in text
    assert "20.md" not in text
    assert "and 30 more remarks: all with --json" in text


def test_problems_of_the_index_are_shown() -> None:
    problem = wire.CheckProblem(code="ghost", id="n1", message="stored, but no file of the vault has this note")
    assert "n1: stored, but no file of the vault has this note [ghost]" in "\n".join(shown(report(problems=[problem])))


def test_the_json_has_the_whole_report_and_a_dry_run_the_same_numbers(site: Site) -> None:
    write_vault(site.vault, {"Bad.md": "---\ntype: odd\n---\n\n[[Nowhere]] rel: nonsense [[Hub]]\n"})
    dry = site.json("import")
    assert index_parts(site.data) == []
    done = site.json("import", "--apply")
    assert dry.keys() == done.keys() >= {
        "notes", "chunks", "edges", "totals", "faults", "embedded", "reused", "removed", "seconds", "dry_run",
    }  # fmt: skip
    assert done["edges"].keys() == {"total", "by_kind", "by_provenance", "by_rule", "unresolved", "candidates"}
    for key in ("notes", "chunks", "edges", "totals", "faults"):
        assert dry[key] == done[key], key
    assert done["edges"]["total"] == sum(done["edges"]["by_kind"].values()) == sum(done["edges"]["by_rule"].values())
    assert {(fault["path"], fault["code"]) for fault in done["faults"]} == {
        ("Bad.md", "unknown_type"),
        ("Bad.md", "unknown_kind"),
    }
    assert (dry["dry_run"], done["dry_run"]) == (True, False)


def test_the_terminal_says_the_same_as_the_json(site: Site) -> None:
    numbers = site.json("import", "--apply")
    text = site.run("import", "--apply").stdout
    lines = text.splitlines()
    assert all(row(lines, rule, number) for rule, number in numbers["edges"]["by_rule"].items())
    assert all(row(lines, kind, number) for kind, number in numbers["edges"]["by_kind"].items())
    assert max(cell_len(line) for line in lines) <= 80
