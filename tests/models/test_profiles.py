"""Which model answers, by the settings and by what is installed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from mindnet.errors import ConfigError, ModelDownError, ModelMissingError
from mindnet.models.profiles import CHAT, VALIDATOR, Models, Profile, read_profiles
from mindnet.settings import load_settings
from modelserver import Handler, model_server, ollama, openai_protocol


def profiles(env: dict[str, str] | None = None, config: Path | None = None) -> dict[str, Profile]:
    env = env or {}
    return read_profiles(load_settings(config, env=env).llm.model_dump(exclude_none=True), env)


def chosen(handler: Handler, env: dict[str, str], profile: str = CHAT) -> tuple[str, int]:
    with model_server(handler) as server:
        urls = {"MINDNET_OLLAMA_URL": server.url, "MINDNET_OPENAI_URL": f"{server.url}/v1"}
        models = Models(lambda: profiles({**urls, **env}))
        found = asyncio.run(models.choose(profile))
    return found.model, found.num_ctx


def no_chat(*_: Any) -> None:
    raise AssertionError("choosing a model asks it nothing")


def test_the_most_wanted_of_the_installed_models_answers() -> None:
    assert chosen(ollama(no_chat, models=["gemma3:1b", "phi3:mini", "own:7b"]), {})[0] == "phi3:mini"


def test_where_none_is_wanted_the_first_that_can_talk_answers() -> None:
    assert chosen(ollama(no_chat, models=["nomic-embed-text:latest", "own:7b"]), {})[0] == "own:7b"


def test_a_named_model_is_taken_with_or_without_its_latest() -> None:
    assert chosen(ollama(no_chat, models=["own:latest"]), {"MINDNET_LLM_MODEL": "own"})[0] == "own:latest"


@pytest.mark.parametrize(
    ("installed", "named", "pull"),
    [(["phi3:mini"], "mistral", "ollama pull mistral"), ([], "", "ollama pull qwen2.5:7b")],
)
def test_a_missing_model_is_named_with_the_command_that_gets_it(installed: list[str], named: str, pull: str) -> None:
    with pytest.raises(ModelMissingError) as caught:
        chosen(ollama(no_chat, models=installed), {"MINDNET_LLM_MODEL": named})
    assert pull in caught.value.hint


def test_the_window_is_no_wider_than_what_the_model_reads() -> None:
    show = {"model_info": {"llama.context_length": 2048}}
    assert chosen(ollama(no_chat, show=show), {}) == ("small:latest", 2048)
    assert chosen(ollama(no_chat, show={"model_info": {"llama.context_length": 131_072}}), {})[1] == 8192


def test_a_server_without_a_list_is_asked_for_the_named_model() -> None:
    def only_chat(asked: Any, answering: Any) -> None:
        answering.json({"error": "unknown path"}, 404)

    assert chosen(only_chat, {"MINDNET_LLM_MODEL": "own:7b"})[0] == "own:7b"


def test_validation_uses_the_chat_s_model_with_its_own_temperature() -> None:
    found = profiles({"MINDNET_LLM_MODEL": "own:7b"})
    assert (found[VALIDATOR].model, found[VALIDATOR].temperature) == ("own:7b", 0.0)
    assert found[VALIDATOR].backend == found[CHAT].backend


def test_another_server_is_one_setting_away() -> None:
    handler = openai_protocol(no_chat, models=["served"])
    assert chosen(handler, {"MINDNET_LLM_BACKEND": "openai"})[0] == "served"


def test_a_backend_that_does_not_exist_is_named() -> None:
    with pytest.raises(ConfigError, match="there is no backend nowhere"):
        profiles({"MINDNET_LLM_BACKEND": "nowhere"})


def test_a_wrong_key_in_llm_yaml_names_file_line_and_nearest(tmp_path: Path) -> None:
    (tmp_path / "llm.yaml").write_text("profiles:\n  chat:\n    num_cxt: 4096\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"llm\.yaml, line 3") as caught:
        load_settings(tmp_path, env={})
    assert "num_ctx" in caught.value.hint


def test_a_template_without_its_place_for_the_sources_is_refused(tmp_path: Path) -> None:
    (tmp_path / "prompts.yaml").write_text("de:\n  rag_template: 'Frage: {question}'\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"prompts\.yaml, line 2.*context_str"):
        load_settings(tmp_path, env={})


def test_what_is_wrong_is_remembered_for_the_status() -> None:
    models = Models(lambda: profiles({"MINDNET_OLLAMA_URL": "http://127.0.0.1:1"}))
    (chat, _) = asyncio.run(models.look())
    assert chat.model is None
    assert isinstance(models.last[CHAT].fault, ModelDownError)


def test_a_server_elsewhere_is_marked_as_leaving_the_machine(caplog: pytest.LogCaptureFixture) -> None:
    models = Models(lambda: profiles({"MINDNET_OLLAMA_URL": "http://host.invalid:11434"}))
    assert all(one.leaves_machine for one in asyncio.run(models.look()))
    assert "sent there" in caplog.text
