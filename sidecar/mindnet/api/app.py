"""The HTTP application: routes, errors as problem details, and the guard in front."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Sequence
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException

from mindnet import __version__
from mindnet.api import reports, wire
from mindnet.api.chat import chat_routes
from mindnet.api.config_wire import ConfigOut, SettingChange
from mindnet.api.feedback import feedback_routes
from mindnet.api.notes import note_routes
from mindnet.api.security import APP_ORIGINS, Guard, problem
from mindnet.api.service import Service
from mindnet.api.waiting import Waiting
from mindnet.errors import MindnetError

PROBLEMS = {status: {"model": wire.Problem} for status in (400, 401, 403, 404, 409, 413, 422)}


def create_app(service: Service | None, *, token: str, origins: Sequence[str] = ()) -> FastAPI:
    """The application for ``service``; without one it only describes itself (its OpenAPI schema)."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if service is not None:
            service.events.bind(asyncio.get_running_loop())
        asking = asyncio.create_task(service.validation.run()) if service and service.validation.state.enabled else None
        yield
        if asking is not None:
            asking.cancel()
            await asyncio.wait([asking])
        if service is not None:
            await service.workspace.chat.stopped()

    app = FastAPI(
        title="mindnet",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses=PROBLEMS,  # type: ignore[arg-type]
    )
    allowed = [*APP_ORIGINS, *origins]
    if service is not None:
        app.add_middleware(Waiting, courtesy=service.workspace.courtesy)
    app.add_middleware(Guard, token=token, origins=allowed)
    # Outermost, so that a page that may call can also read why it was refused.
    app.add_middleware(
        CORSMiddleware,
        allow_origins=allowed,
        allow_methods=["GET", "POST", "PATCH", "DELETE"],
        allow_headers=["Authorization", "Content-Type"],
        allow_private_network=True,
    )
    _handle_errors(app)
    _routes(app, service)
    note_routes(app, lambda: _bound(service))
    feedback_routes(app, lambda: _bound(service))
    chat_routes(app, lambda: _bound(service).workspace.chat)
    return app


def _bound(service: Service | None) -> Service:
    assert service is not None, "an application without a service only describes itself"
    return service


def _routes(app: FastAPI, bound: Service | None) -> None:
    def service() -> Service:
        return _bound(bound)

    @app.get("/health", operation_id="health", tags=["status"])
    def health() -> wire.Health:
        """Answers without a token: is anybody there, and of which version?"""
        return wire.Health(version=__version__)

    @app.get("/status", operation_id="status", tags=["status"])
    def status() -> wire.Status:
        """What the sidecar is doing, and how much it holds."""
        return service().status()

    @app.get("/events", operation_id="events", tags=["status"], response_class=EventSourceResponse)
    async def events() -> AsyncIterable[wire.SidecarEvent]:
        """The status now, then each change of it and each note indexed or removed."""
        first = wire.StatusEvent(status=await asyncio.to_thread(service().status))
        async for event in service().events.listen(first):
            yield ServerSentEvent(data=event, event=event.event)  # type: ignore[misc]

    @app.post("/query", operation_id="query", tags=["retrieval"])
    def query(request: wire.QueryRequest) -> wire.QueryAnswer:
        """Hits for a question, each with its score broken down when ``explain`` is set."""
        return service().query(request)

    @app.post("/ingest", operation_id="ingest", tags=["indexing"])
    def ingest(request: wire.IngestRequest) -> wire.ImportReport:
        """Indexes the paths, or the whole vault, and answers when it is done."""
        return service().ingest(request.paths, prune=request.prune, prune_all=request.prune_all)

    @app.post("/validate", operation_id="validate", tags=["indexing"])
    async def validate(request: wire.ValidateRequest) -> wire.Validated:
        """Has the language model judge proposed links now, some at a time."""
        return await service().validate(request.limit, again=request.again)

    @app.get("/check", operation_id="check", tags=["indexing"])
    def check(strict: bool = False, files: bool = True) -> wire.CheckReport:
        """Is what is stored whole and, with ``files``, the same as the vault?

        With ``strict`` also: which notes lack what, and is the vault still as it was?
        """
        return service().check(strict=strict, files=files)

    @app.post("/heal", operation_id="heal", tags=["indexing"])
    def heal() -> reports.HealReport:
        """Brings the index up to date and links anew every note whose stored links are not."""
        return service().heal()

    @app.get("/unresolved", operation_id="unresolved", tags=["indexing"])
    def unresolved() -> reports.UnresolvedReport:
        """Links that lead nowhere, by their target."""
        return service().unresolved()

    @app.get("/export", operation_id="exportPage", tags=["indexing"])
    def export_page(below: str = "", after: str = "") -> reports.ExportPage:
        """Notes as the store holds them, a page at a time: those in the folder ``below``, behind the path ``after``."""
        return service().export_page(below, after)

    @app.get("/config", operation_id="config", tags=["status"])
    def config() -> ConfigOut:
        """The vocabulary in force: kinds with their other names, and types; and the settings."""
        return service().config()

    @app.patch("/config", operation_id="changeSetting", tags=["status"])
    def change_setting(change: SettingChange) -> ConfigOut:
        """Writes one of the changeable settings into the user's file, and tells the settings as they are then."""
        return service().change_setting(change)

    @app.get("/stats", operation_id="stats", tags=["status"])
    def stats() -> wire.Statistics:
        """Numbers of the whole index."""
        return service().statistics()


def _handle_errors(app: FastAPI) -> None:
    def answer(found: wire.Problem) -> JSONResponse:
        return JSONResponse(found.model_dump(), found.status, media_type="application/problem+json")

    @app.exception_handler(MindnetError)
    async def expected(_: Request, error: MindnetError) -> JSONResponse:
        return answer(problem(error.status, error.code, error.message, error.hint))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"][1:])) or str(first["loc"][0])
        return answer(problem(422, "invalid", f"{place}: {first['msg']}", f"Correct `{place}` in the request."))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        detail = f"{request.method} {request.url.path}: {error.detail}"
        return answer(problem(error.status_code, "http", detail, "See the API description for what there is."))

    @app.exception_handler(Exception)
    async def unexpected(_: Request, error: Exception) -> JSONResponse:
        return answer(
            problem(500, "internal", f"An unexpected fault: {error}", "See the sidecar's log, and report it.")
        )
