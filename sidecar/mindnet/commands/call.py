"""What every command has in common: its options, the index it speaks to, how it answers and how it fails."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from pydantic import BaseModel
from rich.console import RenderableType

from mindnet import terminal
from mindnet.api import wire
from mindnet.client import Daemon
from mindnet.embedding.port import Embedder
from mindnet.errors import BusyError, MindnetError, UsageError, folder_fault
from mindnet.indexing.check import is_indexed
from mindnet.settings.load import environment
from mindnet.store import files
from mindnet.store.ahead import read_ahead
from mindnet.workspace import Place, Workspace, find_place
from mindnet.workspace.embedders import embedder_at
from mindnet.workspace.shelf import held_prefixes

Vault = Annotated[Path, typer.Option("--vault", envvar="MINDNET_VAULT", help="Folder of the vault.")]
DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Where the index is kept [default: your user data folder].")
]
ConfigDir = Annotated[Path | None, typer.Option("--config-dir", help="Folder of your own settings files.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout and nothing else there.")]
Prefix = Annotated[str | None, typer.Option("--prefix", help="First part of the names of the three collections.")]
HERE = Path()
PREFIX = "store.prefix"


@dataclass(frozen=True, slots=True)
class Call:
    """The options that every command takes, resolved."""

    place: Place
    env: Mapping[str, str]
    as_json: bool

    @contextlib.contextmanager
    def daemon_or_workspace(self, *, building: bool = False, answering: bool = False) -> Iterator[Daemon | Workspace]:
        """The daemon that holds the data folder if there is one, else the index itself.

        Only who is ``building`` an index may begin one, or one under another prefix than there is: for
        others nothing is made, and a vault without one raises ``UsageError``. ``answering``: questions will be asked.
        """
        daemon = Daemon.find(self.place.data_dir)
        if daemon is not None:
            with contextlib.closing(daemon):
                self._same_prefix(daemon)
                yield daemon
            return
        if not building:
            self.same_prefix()
            if not files.has_index(self.place.data_dir):
                raise self._not_indexed()
        read_ahead(self.place.data_dir)
        embedder = self.loading_embedder() if answering else None
        with Workspace(self.place, self.env, building=building, embedder=embedder) as workspace:
            if workspace.rebuilt:
                terminal.note(workspace.rebuilt)
            yield workspace

    def loading_embedder(self) -> Embedder:
        """The embedder of the index that answers, whose model is loaded while all else opens."""
        embedder = embedder_at(self.place, self.env, answering=True)
        embedder.prepare()
        return embedder

    @property
    def asked_prefix(self) -> str | None:
        """The collections' prefix if it was given by flag: it then must be that of the index."""
        settings = self.place.settings
        given = settings.origins.get(f"mindnet.{PREFIX}") == "command line"
        return settings.mindnet.store.prefix if given else None

    def same_prefix(self) -> None:
        """Raises ``UsageError`` when another prefix was asked for than the index in the data folder has."""
        held = held_prefixes(self.place.data_dir)
        if self.asked_prefix is not None and held and self.asked_prefix not in held:
            raise UsageError(
                f"The index in {self.place.data_dir} has the collections of `{', '.join(sorted(held))}`, "
                f"not of `{self.asked_prefix}`.",
                hint="Leave --prefix out, or name another --data-dir.",
            )

    def _same_prefix(self, daemon: Daemon) -> None:
        if self.asked_prefix is None:
            return
        held = daemon.get("/stats", wire.Statistics).prefix
        if held != self.asked_prefix:
            raise BusyError(
                f"The sidecar at {daemon.run.url} (process {daemon.run.pid}) keeps the collections of `{held}`, "
                f"not of `{self.asked_prefix}`.",
                hint="Stop it, or leave --prefix out.",
            )

    def need_notes(self, workspace: Workspace) -> None:
        """Raises ``UsageError`` for a vault with notes of which an import has indexed none."""
        if not is_indexed(workspace.pipeline):
            raise self._not_indexed()

    def _not_indexed(self) -> UsageError:
        return UsageError(
            f"{self.place.vault} is not indexed yet.", hint="Run `mindnet import --apply` or `mindnet serve`."
        )

    def show(self, answer: BaseModel, text: RenderableType) -> None:
        answer_with(answer, text, as_json=self.as_json)


def answer_with(answer: BaseModel, text: RenderableType, *, as_json: bool) -> None:
    """Prints the answer as JSON, or ``text`` for a person."""
    if as_json:
        print(answer.model_dump_json(by_alias=True))
    else:
        terminal.out.print(text)


def call(
    vault: Path,
    data_dir: Path | None,
    config_dir: Path | None,
    as_json: bool,
    *,
    prefix: str | None = None,
    flags: Mapping[str, Any] | None = None,
    make: bool = False,
) -> Call:
    """The call of a command; only one that may write into the data folder has it made."""
    env = environment()
    given = {**(flags or {}), **({} if prefix is None else {PREFIX: prefix})}
    return Call(find_place(vault, data_dir, config_dir, env, given, make=make), env, as_json)


def _speak_utf8() -> None:
    """File names, arguments and output are UTF-8 whatever the locale.

    Where Python has taken another encoding for file names (``LC_ALL=C`` without UTF-8 mode), only a new start can
    change that; the process stays the same one.
    """
    if sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")


def run(command: Callable[[], object]) -> NoReturn:
    """Runs a program to its end; an expected failure is one sentence on stderr and its exit code."""
    _speak_utf8()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    try:
        command()
    except MindnetError as error:
        terminal.failure(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader has gone (`mindnet payloads | head`): nothing is left to say.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        fault = folder_fault(error.filename, error) if error.filename else None
        if fault is None:
            raise
        terminal.failure(fault)
        sys.exit(fault.exit_code)
    sys.exit(0)


def run_door(command: Callable[..., None]) -> NoReturn:
    """One command as a program of its own: what the files in ``scripts/`` do."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(command)
    run(app)
