"""The requests that mindnet makes of a Qdrant server, answered over a real socket by the client's local mode.

So whatever is written as JSON, and read back from it, is what a server would be sent. Bodies are
read by the client's own models, which refuse what they do not know.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from qdrant_client import QdrantClient, models


def application(client: QdrantClient) -> FastAPI:
    """The routes over ``client``, one request at a time."""
    app = FastAPI()
    lock = threading.Lock()

    def answer(work: Callable[[], object]) -> JSONResponse:
        with lock:
            try:
                result = work()
            except ValueError as error:
                status = 404 if "not found" in str(error) else 400
                return JSONResponse({"status": {"error": str(error)}, "time": 0.0}, status)
        plain = result.model_dump(mode="json") if isinstance(result, BaseModel) else result
        return JSONResponse({"result": plain, "status": "ok", "time": 0.0})

    @app.get("/")
    def version() -> JSONResponse:
        return JSONResponse(client.info().model_dump())

    @app.get("/collections")
    def names() -> JSONResponse:
        return answer(client.get_collections)

    @app.get("/aliases")
    def aliases() -> JSONResponse:
        return answer(client.get_aliases)

    @app.post("/collections/aliases")
    def change_aliases(body: models.ChangeAliasesOperation) -> JSONResponse:
        return answer(lambda: client.update_collection_aliases(body.actions))

    @app.get("/collections/{name}/exists")
    def exists(name: str) -> JSONResponse:
        return answer(lambda: {"exists": client.collection_exists(name)})

    @app.get("/collections/{name}")
    def info(name: str) -> JSONResponse:
        return answer(lambda: client.get_collection(name))

    @app.put("/collections/{name}")
    def create(name: str, body: models.CreateCollection) -> JSONResponse:
        return answer(lambda: client.create_collection(name, vectors_config=body.vectors, metadata=body.metadata))

    @app.delete("/collections/{name}")
    def delete(name: str) -> JSONResponse:
        return answer(lambda: client.delete_collection(name))

    @app.put("/collections/{name}/index")
    def index(name: str, body: models.CreateFieldIndex) -> JSONResponse:
        return answer(lambda: client.create_payload_index(name, body.field_name, body.field_schema))

    @app.post("/collections/{name}/points/batch")
    def batch(name: str, body: models.UpdateOperations) -> JSONResponse:
        def update() -> list[object]:
            return [one.model_dump(mode="json") for one in client.batch_update_points(name, body.operations)]

        return answer(update)

    @app.post("/collections/{name}/points")
    def retrieve(name: str, body: models.PointRequest) -> JSONResponse:
        def found() -> list[object]:
            records = client.retrieve(name, body.ids, _wanted(body.with_payload), body.with_vector or False)
            return [record.model_dump(mode="json") for record in records]

        return answer(found)

    @app.post("/collections/{name}/points/scroll")
    def scroll(name: str, body: models.ScrollRequest) -> JSONResponse:
        def page() -> models.ScrollResult:
            records, offset = client.scroll(
                name, body.filter, body.limit or 10, offset=body.offset, with_payload=_wanted(body.with_payload)
            )
            return models.ScrollResult(points=records, next_page_offset=offset)

        return answer(page)

    @app.post("/collections/{name}/points/count")
    def count(name: str, body: models.CountRequest) -> JSONResponse:
        return answer(lambda: client.count(name, body.filter))

    @app.post("/collections/{name}/points/query")
    def query(name: str, body: models.QueryRequest) -> JSONResponse:
        return answer(
            lambda: client.query_points(
                name,
                query=body.query,
                using=body.using,
                query_filter=body.filter,
                limit=body.limit or 10,
                with_payload=_wanted(body.with_payload),
            )
        )

    return app


def _wanted(payload: models.WithPayloadInterface | None) -> models.WithPayloadInterface:
    return True if payload is None else payload


@contextmanager
def answering(client: QdrantClient, port: int = 0) -> Iterator[str]:
    """Answers from when the block is entered until it is left; the value is the URL."""
    with socket.create_server(("127.0.0.1", port)) as bound:
        server = uvicorn.Server(uvicorn.Config(application(client), log_config=None, timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            # The socket listens already: a request waits until it is taken.
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def nobody_at(url: str) -> Iterator[None]:
    """Keeps the address of a server that has ended from being given to another one: nobody answers there."""
    with socket.socket() as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", int(url.rpartition(":")[2])))
        yield
