"""`mindnet validate`, as somebody at a terminal sees it, alone and beside a sidecar."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands.conftest import Site, make_site
from serving import serving
from validation.judging import TEN, Judge, at, judging, target_of
from workspaces import write_vault

DEMO = Path(__file__).resolve().parents[2] / "demo-vault"


@pytest.fixture
def judge() -> Iterator[Judge]:
    with judging() as one:
        yield one


def site_of_ten(folder: Path, env: dict[str, str]) -> Site:
    site = make_site(folder)
    shutil.rmtree(site.vault)
    write_vault(site.vault, TEN)
    site = Site(site.vault, site.data, {**site.env, **env})
    assert site.run("import", "--apply").returncode == 0
    return site


def test_all_that_is_open_is_judged_and_counted(judge: Judge, tmp_path: Path) -> None:
    site = site_of_ten(tmp_path, judge.env)
    done = site.run("validate")
    assert done.returncode == 0, done.stderr
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines == ["10 proposed links judged now", "6 confirmed", "4 rejected", "0 waiting"]
    again = site.json("validate")
    assert again["asked"] == 0
    assert (again["validation"]["confirmed"], again["validation"]["rejected"]) == (6, 4)
    assert len(judge.questions) == 10
    assert site.run("check").returncode == 0
    assert site.json("stats")["edges"]["by_provenance"]["smart"] == 6


def test_without_a_server_it_says_what_to_do_and_fails(tmp_path: Path) -> None:
    site = site_of_ten(tmp_path, at("http://127.0.0.1:1"))
    done = site.run("validate")
    assert done.returncode == 3
    assert "10 waiting, 10 of them counting meanwhile" in " ".join(done.stdout.split())
    assert "No model server answers" in done.stdout
    assert site.json("validate", code=3)["validation"]["fault_code"] == "model_down"


def test_a_candidate_that_could_not_be_judged_is_named_and_the_command_fails(judge: Judge, tmp_path: Path) -> None:
    judge.verdict = lambda asked: '{"answer": "yes"}' if target_of(asked) != "Salt" else "{}"
    site = site_of_ten(tmp_path, judge.env)
    done = site.run("validate")
    assert done.returncode == 3
    assert "1 left out, since no model could be asked" in " ".join(done.stdout.split())
    assert "9 confirmed" in " ".join(done.stdout.split())
    faults = site.json("status")["faults"]
    assert faults.keys() == {"candidate_refused"}


def test_beside_a_sidecar_the_sidecar_asks(judge: Judge, tmp_path: Path) -> None:
    site = site_of_ten(tmp_path, judge.env)
    with serving(site.vault, site.data, **site.env):
        assert site.json("validate")["asked"] == 10
        assert site.json("stats")["edges"]["by_provenance"]["smart"] == 6


def test_the_candidates_of_the_demo_vault_are_judged(judge: Judge, tmp_path: Path) -> None:
    site = make_site(tmp_path)
    shutil.rmtree(site.vault)
    shutil.copytree(DEMO, site.vault)
    site = Site(site.vault, site.data, {**site.env, **judge.env})
    assert site.run("import", "--apply").returncode == 0
    waiting = site.json("stats")["edges"]["candidates"]
    assert waiting > 0
    assert site.json("validate")["validation"]["confirmed"] == waiting
    assert site.json("stats")["edges"]["candidates"] == 0
    assert site.run("check").returncode == 0
    assert any("Notiz: Sauerteig-Winter" in one.prompt for one in judge.questions)


def test_the_status_says_what_the_model_has_judged(judge: Judge, tmp_path: Path) -> None:
    judge.verdict = lambda asked: '{"answer": "yes"}' if target_of(asked) != "Salt" else "{}"
    site = site_of_ten(tmp_path, judge.env)
    assert site.json("status")["validation"] is None
    with serving(site.vault, site.data, **site.env):
        assert "proposed links" not in _status(site, "en")
        site.json("validate", code=3)
        assert "proposed links 9 confirmed, 1 left out, since no model could be asked" in _status(site, "en")
        assert site.json("status")["validation"]["confirmed"] == 9


def test_the_status_says_what_waits_for_a_model_and_why(tmp_path: Path) -> None:
    site = site_of_ten(tmp_path, at("http://127.0.0.1:1"))
    with serving(site.vault, site.data, **site.env):
        site.json("validate", code=3)
        told = _status(site, "de")
        assert "10 beurteilt das Modell noch, 10 davon zählen bis dahin, gefragt wird nur mit mindnet validate" in told
        assert "No model server answers" in told


def _status(site: Site, language: str) -> str:
    return " ".join(site.run("status", "--language", language).stdout.split())
