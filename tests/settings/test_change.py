from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mindnet.errors import ConfigError, ConflictError, NotFoundError
from mindnet.settings import load_settings
from mindnet.settings.change import CHANGEABLE, change_setting
from mindnet.settings.files import flatten

OWN = """\
# My settings.
vault:
  exclude:
    - Archive/   # done with
    - "*.draft.md"
logs:
  keep_days: 90  # a quarter
"""


def change(folder: Path, key: str, value: Any, **env: str) -> Path:
    return change_setting(key, value, folder, env, load_settings(folder, env=env).origins)


def test_a_changed_value_is_in_force_and_whatever_else_stands_in_the_file_stays(tmp_path: Path) -> None:
    (tmp_path / "mindnet.yaml").write_text(OWN, encoding="utf-8")
    file = change(tmp_path, "mindnet.vault.private", ["Diary/", "#secret"])
    change(tmp_path, "mindnet.logs.keep_days", 30)
    assert load_settings(tmp_path, env={}).mindnet.vault.private == ["Diary/", "#secret"]
    assert load_settings(tmp_path, env={}).mindnet.vault.exclude == ["Archive/", "*.draft.md"]
    text = file.read_text(encoding="utf-8")
    for line in ("# My settings.", "# done with", '"*.draft.md"', "keep_days: 30  # a quarter"):
        assert line in text


def test_where_there_is_no_file_or_one_of_comments_alone_it_is_begun(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    change(folder, "llm.profiles.chat.model", "phi3:mini")
    assert load_settings(folder, env={}).llm.profiles.chat.model == "phi3:mini"
    (folder / "mindnet.yaml").write_text("# nothing yet", encoding="utf-8")
    file = change(folder, "mindnet.logs.enabled", False)
    assert load_settings(folder, env={}).mindnet.logs.enabled is False
    assert file.read_text(encoding="utf-8").startswith("# nothing yet\n")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("mindnet.logs.keep_days", -1),
        ("mindnet.vault.exclude", "not a list"),
        ("mindnet.logs.enabled", "perhaps"),
        ("llm.profiles.chat.model", ["a", "list"]),
    ],
)
def test_a_value_that_does_not_fit_is_refused_and_the_file_stays(tmp_path: Path, key: str, value: Any) -> None:
    (tmp_path / "mindnet.yaml").write_text(OWN, encoding="utf-8")
    with pytest.raises(ConfigError, match=key.split(".")[-1]):
        change(tmp_path, key, value)
    assert (tmp_path / "mindnet.yaml").read_text(encoding="utf-8") == OWN
    assert not (tmp_path / "llm.yaml").exists()


def test_a_file_that_is_broken_is_left_to_its_owner(tmp_path: Path) -> None:
    origins = load_settings(tmp_path, env={}).origins
    for broken in ("vault: [\n", "vault: none\n"):
        (tmp_path / "mindnet.yaml").write_text(broken, encoding="utf-8")
        with pytest.raises(ConfigError):
            change_setting("mindnet.vault.exclude", [], tmp_path, {}, origins)
        assert (tmp_path / "mindnet.yaml").read_text(encoding="utf-8") == broken


def test_what_a_variable_sets_is_not_changed_in_vain(tmp_path: Path) -> None:
    with pytest.raises(ConflictError, match="MINDNET_LOGS"):
        change(tmp_path, "mindnet.logs.enabled", True, MINDNET_LOGS="off")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("key", ["llm.backends.ollama.url", "mindnet.store.url", "mindnet.api.allowed_origins", "x"])
def test_where_notes_are_sent_and_who_may_call_is_changed_by_hand_alone(tmp_path: Path, key: str) -> None:
    with pytest.raises(NotFoundError):
        change(tmp_path, key, "http://elsewhere.example")


def test_a_link_to_a_file_elsewhere_stays_a_link(tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.yaml"
    kept.write_text(OWN, encoding="utf-8")
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "mindnet.yaml").symlink_to(kept)
    change(folder, "mindnet.logs.keep_days", 7)
    assert (folder / "mindnet.yaml").is_symlink()
    assert "keep_days: 7" in kept.read_text(encoding="utf-8")


def test_another_file_that_a_variable_names_is_the_one_that_is_changed(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text("vault: {private: [Diary/]}\n", encoding="utf-8")
    change(tmp_path, "mindnet.vault.private", [], MINDNET_MINDNET_FILE=str(own))
    assert load_settings(tmp_path, env={"MINDNET_MINDNET_FILE": str(own)}).mindnet.vault.private == []
    assert [file.name for file in tmp_path.iterdir()] == ["mine.yaml"]


def test_every_changeable_setting_is_one() -> None:
    settings = load_settings(None, env={})
    known = {
        f"{name}.{key}"
        for name in ("mindnet", "llm")
        for key in flatten(getattr(settings, name).model_dump(exclude_none=True))
    }
    assert known >= CHANGEABLE
