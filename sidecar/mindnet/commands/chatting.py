"""`mindnet chat`: one question, or a conversation, in the terminal."""

from __future__ import annotations

import sys
import threading
from collections import deque
from typing import Annotated, Any

import typer
from rich.text import Text

from mindnet import terminal
from mindnet.api import chat_wire as wire
from mindnet.client import Daemon
from mindnet.commands import show_chat
from mindnet.commands.call import HERE, AsJson, ConfigDir, DataDir, Vault, call
from mindnet.commands.conversation import Conversation, Ended, Typed, conversation
from mindnet.errors import UsageError

HELP = "/sources shows the passages, /stop ends an answer, /new begins another conversation, /quit ends this one."
EXIT_CODES = {"usage": 2, "config": 2, "not_found": 1, "internal": 1}
"""Of a failed answer by its code; any other means that a model is missing."""
INTERRUPTED = 130


def chat(
    text: Annotated[str | None, typer.Argument(help="What you want to know; without it a conversation begins.")] = None,
    vault: Vault = HERE,
    session: Annotated[str | None, typer.Option("--session", help="Go on with this session.")] = None,
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=50, help="So many passages at most.")] = 8,
    note_type: Annotated[list[str] | None, typer.Option("--type", help="Only notes of this type.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Only notes with this tag.")] = None,
    path: Annotated[list[str] | None, typer.Option("--path", help="Only notes whose path starts so.")] = None,
    phrases: Annotated[
        str, typer.Option("--phrases", help="What is in quotation marks: auto, require or ignore.")
    ] = "auto",
    dates: Annotated[str, typer.Option("--dates", help="Times in the question: auto, apply or ignore.")] = "auto",
    include_private: Annotated[bool, typer.Option("--include-private")] = False,
    language: Annotated[str | None, typer.Option("--language", help="de or en [default: the question's].")] = None,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Ask your notes; the answer names its sources. With --json each event is one line of JSON."""
    this = call(vault, data_dir, config_dir, as_json)
    wanted: dict[str, Any] = {
        "session_id": session,
        "top_k": top_k,
        "filters": {"type": note_type or [], "tag": tag or [], "path": path or []},
        "phrases": phrases,
        "dates": dates,
        "include_private": include_private,
        "language": language,
    }
    with this.daemon_or_workspace(answering=True) as index:
        if not isinstance(index, Daemon):
            this.need_notes(index)
        with conversation(index) as talk:
            code = Chatting(talk, wanted, as_json=as_json).run(text)
    if code:
        raise typer.Exit(code)


class Chatting:
    """Shows what comes in, until the question is answered or the user has no more."""

    def __init__(self, talk: Conversation, wanted: dict[str, Any], *, as_json: bool) -> None:
        self._talk = talk
        self._wanted = wanted
        self._as_json = as_json
        self._sources: list[wire.SourceOut] = []
        self._typed: deque[str | None] = deque()
        self._code = 0
        self._line_open = False

    def run(self, text: str | None) -> int:
        """The exit code."""
        if text is not None:
            return self._answer(text)
        if not self._as_json:
            terminal.note(HELP)
        # The main thread shows; this one may wait for the keyboard until the process ends.
        threading.Thread(target=self._read, name="mindnet-keyboard", daemon=True).start()
        while (line := self._next_line()) is not None:
            if line.startswith("/"):
                if self._command(line.strip()):
                    break
            elif line.strip():
                self._answer(line)
        return 0

    def _read(self) -> None:
        for line in sys.stdin:
            self._talk.incoming.put(Typed(line.rstrip("\n")))
        self._talk.incoming.put(Typed(None))

    def _next_line(self) -> str | None:
        if self._typed:
            return self._typed.popleft()
        if not self._as_json and sys.stdin.isatty():
            terminal.err.print("> ", end="")
        while True:
            try:
                item = self._talk.incoming.get()
            except KeyboardInterrupt:
                return None
            if isinstance(item, Typed):
                return item.line

    def _command(self, line: str) -> bool:
        """Whether the conversation is over."""
        if line == "/quit":
            return True
        if line == "/new":
            self._wanted["session_id"] = None
            self._sources = []
        elif line == "/sources":
            terminal.out.print(show_chat.passages(self._sources))
        elif line != "/stop":
            terminal.note(HELP)
        return False

    def _answer(self, text: str) -> int:
        self._code = 0
        self._talk.ask(_request({**self._wanted, "message": text}))
        while True:
            try:
                item = self._talk.incoming.get()
            except KeyboardInterrupt:
                self._talk.stop()
                self._code = INTERRUPTED
                continue
            if isinstance(item, Ended):
                break
            if not isinstance(item, Typed):
                self._show(item)
            elif item.line is not None and item.line.strip() == "/stop":
                self._talk.stop()
            else:
                # Whatever else is typed meanwhile has its turn when the answer is over.
                self._typed.append(item.line)
        self._close_line()
        if item.error is not None:
            raise item.error
        return self._code

    def _show(self, event: wire.AnyChatEvent) -> None:
        match event:
            case wire.SourcesEvent():
                self._sources = event.sources
                self._wanted["session_id"] = event.session_id
            case wire.FailedEvent():
                self._code = EXIT_CODES.get(event.code, 3)
        if self._as_json:
            print(event.model_dump_json(by_alias=True), flush=True)
            return
        match event:
            case wire.SourcesEvent():
                for said in (*(one.said for one in event.phrases), *(one.said for one in event.dates)):
                    terminal.out.print(Text(said, "italic"))
            case wire.TokenEvent():
                terminal.out.print(event.text, end="", markup=False)
                terminal.out.file.flush()
                self._line_open = True
            case wire.DoneEvent():
                self._close_line()
                terminal.out.print(show_chat.done(event))
            case wire.FailedEvent():
                self._close_line()
                terminal.out.print(show_chat.passages(self._sources))
                terminal.problem(event.message, event.hint)

    def _close_line(self) -> None:
        if self._line_open:
            terminal.out.print()
            self._line_open = False


def _request(wanted: dict[str, Any]) -> wire.ChatRequest:
    try:
        return wire.ChatRequest.model_validate(wanted)
    except ValueError as error:
        raise UsageError(terminal.first_fault(error), hint="See `mindnet chat --help`.") from error
