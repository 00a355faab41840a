"""`mindnet serve`: one loopback port, a run file that tells of it, a clean end on SIGTERM and SIGINT."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import asdict

import uvicorn

from mindnet import __version__
from mindnet.api.app import create_app
from mindnet.api.service import Service
from mindnet.errors import BusyError, UsageError
from mindnet.indexing.report import Report
from mindnet.settings.folders import RunFile, read_token, remove_run_file, write_run_file
from mindnet.workspace import Workspace

log = logging.getLogger(__name__)
LOOPBACK = ("127.0.0.1", "localhost", "::1")
GRACE_SECONDS = 2


def listen(host: str, port: int) -> socket.socket:
    """A listening socket on loopback; any other address is refused."""
    if host not in LOOPBACK:
        raise UsageError(f"{host} is not a loopback address.", hint="The sidecar serves this machine only: 127.0.0.1.")
    family = socket.AF_INET6 if host == "::1" else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(128)
    except OSError as error:
        bound.close()
        raise BusyError(
            f"Port {port} on {host} cannot be taken: {error.strerror}.", hint="Choose another with --port, or 0."
        ) from error
    return bound


class _Server(uvicorn.Server):
    """Ends the event streams as soon as it is asked to stop: they would hold it open otherwise."""

    def __init__(self, config: uvicorn.Config, *, on_ready: Callable[[], None], on_exit: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready
        self._on_exit = on_exit

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._on_exit()
        await super().shutdown(sockets)


def serve(
    workspace: Workspace,
    *,
    host: str,
    port: int,
    on_ready: Callable[[RunFile, Service, Future[Report]], None],
) -> None:
    """Serves until the process is told to stop; ``on_ready`` is called once it answers."""
    token = read_token(workspace.place.data_dir)
    origins = workspace.place.settings.mindnet.api.allowed_origins
    service = Service(workspace)
    with contextlib.closing(listen(host, port)) as bound:
        address = f"[{host}]" if host == "::1" else host
        taken = bound.getsockname()[1]
        run = RunFile(f"http://{address}:{taken}", taken, os.getpid(), token, __version__, str(workspace.place.vault))
        config = uvicorn.Config(
            create_app(service, token=token, origins=origins),
            log_config=None,
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=GRACE_SECONDS,
        )

        def ready() -> None:
            write_run_file(workspace.place.data_dir, run)
            on_ready(run, service, service.start())

        # uvicorn catches both while it runs and raises them again when it has stopped: by then they
        # have done their work, and what is below must still be put in order.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)
        server = _Server(config, on_ready=ready, on_exit=service.end_streams)
        with _removing_run_file(workspace):
            try:
                server.run(sockets=[bound])
            finally:
                service.stop()


@contextlib.contextmanager
def _removing_run_file(workspace: Workspace) -> Iterator[None]:
    try:
        yield
    finally:
        remove_run_file(workspace.place.data_dir)


def run_line(run: RunFile) -> str:
    """What `serve` prints on stdout: the run file's content on one line."""
    return json.dumps(asdict(run))
