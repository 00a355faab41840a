"""`mindnet chat` and `mindnet doctor`, as somebody at a terminal sees them."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mindnet.cli import main
from models.smollm import model_file
from modelserver import Answering, Asked, Handler, ModelServer, delta, model_server, openai_protocol, say, saying
from running import Done, run
from serving import serving, until
from workspaces import config_folder

DEMO = Path(__file__).resolve().parents[2] / "demo-vault"
QUESTION = "Which salt level keeps sauerkraut safe?"
NOBODY = "http://127.0.0.1:1"


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo vault's index, made with an embedder that needs no model: it is opened anew for each command."""
    folder = tmp_path_factory.mktemp("chat")
    config_folder(folder / "config" / "mindnet")
    done = mindnet(folder / "data", "import", "--apply")
    assert done.returncode == 0, done.stderr
    return folder / "data"


def mindnet(data_dir: Path, *arguments: str, server: ModelServer | None = None, **env: str) -> Done:
    if server is not None:
        env = {"MINDNET_LLM_BACKEND": "openai", "MINDNET_OPENAI_URL": f"{server.url}/v1", **env}
    settings = {"XDG_CONFIG_HOME": str(data_dir.parent / "config"), **env}
    command = ["mindnet", *arguments, "--vault", str(DEMO), "--data-dir", str(data_dir)]
    return run(main, command, settings, columns=200)


def as_events(done: Done) -> list[dict[str, Any]]:
    assert done.stdout, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_an_answer_is_followed_by_where_its_citations_lead(data_dir: Path) -> None:
    with model_server(saying("Two per", "cent [1].")) as server:
        done = mindnet(data_dir, "chat", QUESTION, server=server)
    assert done.returncode == 0, done.stderr
    answer, cited, *_ = done.stdout.splitlines()
    assert answer == "Two percent [1]."
    assert cited.startswith("[1] ")
    path, _, line = cited.rsplit("  ", 1)[1].rpartition(":")
    assert (DEMO / path).read_text(encoding="utf-8").splitlines()[int(line) - 1].strip()


def test_with_json_each_event_is_a_line(data_dir: Path) -> None:
    with model_server(saying("Two per", "cent [1].")) as server:
        told = as_events(mindnet(data_dir, "chat", QUESTION, "--json", server=server))
    assert [one["event"] for one in told] == ["sources", "token", "token", "done"]
    assert told[-1]["answer"] == "Two percent [1]."


def test_without_a_model_the_sources_come_with_what_to_start(data_dir: Path) -> None:
    done = mindnet(data_dir, "chat", QUESTION, MINDNET_OLLAMA_URL=NOBODY)
    assert done.returncode == 3
    assert "[1] " in done.stdout
    assert "Salt.md:" in done.stdout
    assert "ollama serve" in done.stderr
    told = as_events(mindnet(data_dir, "chat", QUESTION, "--json", MINDNET_OLLAMA_URL=NOBODY))
    assert [one["event"] for one in told] == ["sources", "failed"]
    assert told[0]["sources"]
    assert told[1]["code"] == "model_down"


def test_a_running_sidecar_answers_for_the_command(data_dir: Path) -> None:
    with model_server(saying("From the sidecar [1].")) as server:
        env = {"MINDNET_LLM_BACKEND": "openai", "MINDNET_OPENAI_URL": f"{server.url}/v1"}
        env["XDG_CONFIG_HOME"] = str(data_dir.parent / "config")
        with serving(DEMO, data_dir, **env) as served:
            # The command itself knows of no model server: it has none to ask.
            done = mindnet(data_dir, "chat", QUESTION, MINDNET_OLLAMA_URL=NOBODY)
            unknown = mindnet(data_dir, "chat", QUESTION, "--session", "none", MINDNET_OLLAMA_URL=NOBODY)
            doctor = mindnet(data_dir, "doctor", MINDNET_OLLAMA_URL=NOBODY)
            assert len(served.client.get("/chat/sessions").json()["sessions"]) >= 1
    assert "From the sidecar [1]." in done.stdout
    assert done.returncode == doctor.returncode == 0
    assert unknown.returncode != 0
    assert "no chat session none" in unknown.stderr


class Keyboard:
    """What a user types, line by line, when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        read, self._write = os.pipe()
        self._stream = os.fdopen(read, encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", self._stream)

    def type(self, *lines: str) -> None:
        os.write(self._write, "".join(f"{line}\n" for line in lines).encode())

    def close(self) -> None:
        """Waits for who reads it, then leaves nothing open."""
        os.close(self._write)
        until(lambda: not any(thread.name == "mindnet-keyboard" for thread in threading.enumerate()))
        self._stream.close()


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Keyboard]:
    made = Keyboard(monkeypatch)
    yield made
    made.close()


def test_a_conversation_shows_sources_and_goes_on_until_it_is_ended(data_dir: Path, keyboard: Keyboard) -> None:
    keyboard.type(QUESTION, "/sources", "And for kimchi?", "/new", QUESTION, "/quit", "never asked")
    with model_server(saying("Answer [1].")) as server:
        done = mindnet(data_dir, "chat", server=server)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Answer [1].") == 3
    assert "Salt.md:" in done.stdout
    sessions = [line.rsplit(" ", 1)[1] for line in done.stdout.splitlines() if " · session " in line]
    assert sessions[0] == sessions[1] != sessions[2]
    assert len(server.chats) == 4, "the follow-up takes two"


def shown() -> str:
    """What the command that is running has printed so far."""
    return sys.stdout.getvalue() if isinstance(sys.stdout, io.StringIO) else ""


def test_stop_ends_an_answer_that_is_being_given(data_dir: Path, keyboard: Keyboard) -> None:
    closed = threading.Event()

    def silent(_: Asked, answering: Answering) -> None:
        answering.begin("text/event-stream")
        answering.chunk(delta(content="Half an answer"))
        until(lambda: "Half an answer" in shown())
        keyboard.type("/stop", "/quit")
        if answering.gone(2.0):
            closed.set()

    keyboard.type(QUESTION)
    with model_server(openai_protocol(silent)) as server:
        done = mindnet(data_dir, "chat", server=server)
    assert closed.is_set()
    assert "Half an answer" in done.stdout


def test_a_session_goes_on_from_one_command_to_the_next(data_dir: Path) -> None:
    answers = iter([["Two percent [1]."], ["Is kimchi safe at two percent of salt?"], ["Yes [1]."]])
    handler: Handler = openai_protocol(lambda _, answering: say(answering, next(answers)))
    with model_server(handler) as server:
        first = as_events(mindnet(data_dir, "chat", QUESTION, "--json", server=server))
        session = first[-1]["session_id"]
        second = as_events(mindnet(data_dir, "chat", "And kimchi?", "--session", session, "--json", server=server))
    assert second[0]["question"] == "Is kimchi safe at two percent of salt?"
    assert second[-1]["session_id"] == session


def test_a_real_model_answers_from_the_demo_vault(data_dir: Path) -> None:
    config = config_folder(data_dir.parent / "gguf")
    (config / "llm.yaml").write_text(
        "profiles:\n  chat: {backend: gguf, num_ctx: 768, max_tokens: 16, temperature: 0}\n", encoding="utf-8"
    )
    told = as_events(
        mindnet(
            data_dir, "chat", "How long does koji need?", "--top-k", "2", "--json", "--config-dir", str(config),
            MINDNET_GGUF_FILE=str(model_file()),
        )
    )  # fmt: skip
    assert [one["title"] for one in told[0]["sources"]] == ["Koji", "Koji"], told
    tokens = [one["text"] for one in told if one["event"] == "token"]
    assert len(tokens) > 3
    done = told[-1]
    assert done["answer"] == "".join(tokens)
    assert done["counted_exactly"]
    assert done["sent_tokens"] == done["prompt_tokens"] <= 768
    assert done["notices"][0].startswith("The answer was cut off") if done["ended"] == "length" else True


def test_doctor_says_what_is_wrong_what_to_do_and_where_values_come_from(data_dir: Path) -> None:
    wrong = mindnet(data_dir, "doctor", MINDNET_OLLAMA_URL=NOBODY)
    assert wrong.returncode == 1
    assert "ollama serve" in wrong.stdout
    assert f"llm.backends.ollama.url = {NOBODY}  (MINDNET_OLLAMA_URL)" in wrong.stdout
    with model_server(saying()) as server:
        fine = mindnet(data_dir, "doctor", "--json", server=server)
    report = json.loads(fine.stdout)
    assert (fine.returncode, report["ok"]) == (0, True)
    assert {one["model"] for one in report["models"]} == {"small"}
    assert all(one["origin"] for one in report["settings"])
