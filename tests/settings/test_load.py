from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mindnet.errors import ConfigError
from mindnet.retrieval.intents import Intents
from mindnet.settings import load_settings
from mindnet.settings.files import shipped_folder
from mindnet.settings.load import ENVIRONMENT, FILES, environment
from mindnet.settings.reload import Reloading
from mindnet.workspace import registries


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / f"{name}.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_every_shipped_file_is_valid_and_each_of_its_keys_is_explained() -> None:
    settings = load_settings(None, env={})
    assert settings.mindnet.watch.debounce_ms == 250
    for name in FILES:
        text = (shipped_folder() / f"{name}.yaml").read_text(encoding="utf-8")
        assert text.startswith("#"), f"{name}.yaml says at its head what it is for"


def test_user_file_beats_shipped_environment_beats_user_flag_beats_all(tmp_path: Path) -> None:
    file = write(tmp_path, "mindnet", "watch:\n  debounce_ms: 300\napi:\n  port: 4000\nstore:\n  prefix: own\n")
    settings = load_settings(tmp_path, env={"MINDNET_DEBOUNCE_MS": "400"}, flags={"api.port": 5000})
    assert (settings.mindnet.watch.debounce_ms, settings.mindnet.api.port) == (400, 5000)
    assert settings.mindnet.store.prefix == "own"
    assert settings.mindnet.watch.polling is False
    assert settings.origins["mindnet.watch.debounce_ms"] == "MINDNET_DEBOUNCE_MS"
    assert settings.origins["mindnet.api.port"] == "command line"
    assert settings.origins["mindnet.store.prefix"] == str(file)


def test_unknown_key_names_file_line_and_nearest(tmp_path: Path) -> None:
    file = write(tmp_path, "mindnet", "# mine\nwatch:\n  debounce: 300\n")
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, env={})
    assert caught.value.message == f"{file}, line 3: unknown key `watch.debounce`."
    assert caught.value.hint == "Did you mean `debounce_ms`?"


def test_a_key_that_is_like_no_other_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    write(tmp_path, "mindnet", "watch:\n  colour: red\n")
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, env={})
    assert caught.value.hint == "Known here: debounce_ms, polling."


@pytest.mark.parametrize(
    ("name", "text", "line", "key", "hint"),
    [
        ("edges", "# mine\nkinds:\n  foo:\n    inverse: dependson\n", 4, "kinds.foo.inverse", "`depends_on`"),
        ("edges", "kinds:\n  foo: {}\n  bar:\n    weight: 1\n    inverse: nope\n", 5, "kinds.bar.inverse", ""),
        ("edges", "matrix:\n  concept:\n    value: usess\n", 3, "matrix.concept.value", "`uses`"),
        ("edges", "matrix:\n  concept:\n    source: next\n", 3, "matrix.concept.source", ""),
        ("types", "types:\n  concept:\n    chunk_profile: meduim\n", 3, "types.concept.chunk_profile", "`medium`"),
    ],
)
def test_a_name_that_is_not_there_names_file_and_line(
    tmp_path: Path, name: str, text: str, line: int, key: str, hint: str
) -> None:
    file = write(tmp_path, name, text)
    with pytest.raises(ConfigError, match=f"^{re.escape(f'{file}, line {line}: `{key}`: ')}") as caught:
        registries(load_settings(tmp_path, env={}))
    assert hint in caught.value.hint
    assert "Did you mean" not in caught.value.message


def test_a_broken_pattern_of_an_intent_names_file_and_line(tmp_path: Path) -> None:
    file = write(tmp_path, "intents", "WHY:\n  boosts: {}\n  patterns: ['(']\n")
    with pytest.raises(ConfigError, match=re.escape(f"{file}, line 3: `WHY.patterns`: ")):
        Reloading("intents", tmp_path, {}, Intents.from_mapping)


def test_wrong_type_names_file_and_line(tmp_path: Path) -> None:
    file = write(tmp_path, "mindnet", "watch:\n  polling: false\n  debounce_ms: soon\n")
    with pytest.raises(ConfigError, match="line 3") as caught:
        load_settings(tmp_path, env={})
    assert str(file) in caught.value.message


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("types:\n  concept: {retriever_weight: 0.05}\n", "types.concept.retriever_weight"),
        ("status:\n  draft: 0.4\n", "status.draft"),
        ("status:\n  draft: skp\n", "status.draft"),
    ],
)
def test_a_weight_out_of_its_range_names_its_key_and_line(tmp_path: Path, text: str, key: str) -> None:
    write(tmp_path, "types", text)
    with pytest.raises(ConfigError, match=f"line 2: `{key}`"):
        load_settings(tmp_path, env={})


def test_broken_yaml_names_file_and_line(tmp_path: Path) -> None:
    file = write(tmp_path, "mindnet", "watch:\n  polling: [1,\n")
    with pytest.raises(ConfigError, match="line") as caught:
        load_settings(tmp_path, env={})
    assert str(file) in caught.value.message


def test_wrong_environment_value_names_the_variable() -> None:
    with pytest.raises(ConfigError, match="MINDNET_DEBOUNCE_MS"):
        load_settings(None, env={"MINDNET_DEBOUNCE_MS": "soon"})


def test_a_list_in_the_environment_is_split_at_commas() -> None:
    settings = load_settings(None, env={"MINDNET_ALLOWED_ORIGINS": "http://a:1, http://b:2"})
    assert settings.mindnet.api.allowed_origins == ["http://a:1", "http://b:2"]


def test_types_file_from_the_environment_must_exist() -> None:
    with pytest.raises(ConfigError, match="MINDNET_TYPES_FILE"):
        load_settings(None, env={"MINDNET_TYPES_FILE": "/nowhere/types.yaml"})


def test_every_variable_leads_to_a_key_that_exists() -> None:
    for owner, key in ENVIRONMENT.values():
        node: Any = load_settings(None, env={})
        for step in (owner, *key.split(".")):
            node = node[step] if isinstance(node, Mapping) else getattr(node, step)


def test_dotenv_file_yields_to_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("COLLECTION_PREFIX=from_file\nMINDNET_POLLING=true\n")
    monkeypatch.setenv("COLLECTION_PREFIX", "from_process")
    found = environment(tmp_path)
    assert found["COLLECTION_PREFIX"] == "from_process"
    assert found["MINDNET_POLLING"] == "true"
