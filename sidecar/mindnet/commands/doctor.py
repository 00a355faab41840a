"""`mindnet doctor`: what is reachable, what is wrong and how to mend it, and where each setting comes from."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from mindnet.api import chat_wire
from mindnet.api.chat_convert import models_report
from mindnet.api.config_out import settings_of
from mindnet.api.config_wire import SettingOut
from mindnet.api.wire import Wire
from mindnet.client import Daemon
from mindnet.commands import show_chat
from mindnet.commands.call import HERE, AsJson, Call, ConfigDir, DataDir, Vault, call
from mindnet.embedding.servers import leaves_machine, place_of
from mindnet.errors import MissingError
from mindnet.models.profiles import Models, read_profiles
from mindnet.settings.files import shipped_folder
from mindnet.settings.load import FILES
from mindnet.workspace.place import choice_of, embedder_of
from mindnet.workspace.stages import lacking

READ_BY_EYE = tuple(name for name in FILES if name != "prompts")
"""Prompts are whole pages of text; the file itself is where to read them."""


class DoctorReport(Wire):
    ok: bool
    embedding: chat_wire.ModelCondition
    models: list[chat_wire.ModelCondition]
    settings: list[SettingOut]


def doctor(
    vault: Vault = HERE,
    every_setting: Annotated[
        bool, typer.Option("--settings", help="List every setting, the shipped ones too.")
    ] = False,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Say what is reachable and where settings come from. Exit code 1 when something is wrong."""
    this = call(vault, data_dir, config_dir, as_json)
    embedding, found = _embedding(this), _models(this)
    report = DoctorReport(
        ok=all(one.ok for one in (embedding, *found)),
        embedding=embedding,
        models=found,
        settings=settings_of(this.place.settings, READ_BY_EYE),
    )
    this.show(report, _text(this, report, every_setting=every_setting))
    if not report.ok:
        raise typer.Exit(1)


def _embedding(this: Call) -> chat_wire.ModelCondition:
    """The embedding model that the settings come to: one on a server is asked for there, any other is tried."""
    settings = this.place.settings
    choice = choice_of(settings, this.env)
    place = place_of(choice)
    embedder, fault = None, None
    try:
        embedder = embedder_of(settings, this.env)
        if place is None:
            embedder.embed_query("")
    except MissingError as error:
        embedder, fault = None, error
    return chat_wire.ModelCondition(
        profile="embedding",
        backend=choice.provider,
        place=place or "on this machine",
        model=embedder.name if embedder else None,
        num_ctx=embedder.max_tokens if embedder else None,
        leaves_machine=place is not None and leaves_machine(place),
        ok=fault is None,
        code=fault.code if fault else "",
        message=fault.message if fault else "",
        hint=fault.hint if fault else lacking(settings),
    )


def _models(this: Call) -> list[chat_wire.ModelCondition]:
    daemon = Daemon.find(this.place.data_dir)
    if daemon is not None:
        try:
            return daemon.get("/models", chat_wire.ModelsReport).models
        finally:
            daemon.close()
    profiles = read_profiles(this.place.settings.llm.model_dump(exclude_none=True), this.env)
    models = Models(lambda: profiles)
    try:
        return models_report(asyncio.run(models.look())).models
    finally:
        models.close()


def _text(this: Call, report: DoctorReport, *, every_setting: bool) -> RenderableType:
    own = str(shipped_folder())
    shown = [one for one in report.settings if every_setting or not one.origin.startswith((own, "default"))]
    parts: list[RenderableType] = [
        Text(f"Your settings: {this.place.config_dir}   Data: {this.place.data_dir}"),
        show_chat.models([report.embedding, *report.models]),
    ]
    parts += [Text(f"{one.key} = {one.value}  ({one.origin})", "dim") for one in shown]
    return Group(*parts)
