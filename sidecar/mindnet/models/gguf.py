"""A GGUF file run by the sidecar itself, in a process of its own: a model that crashes takes nothing else with it."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from mindnet.errors import ModelDownError, ModelError, ModelMissingError, ModelRefusedError, ModelTimeoutError
from mindnet.models.openai_server import OpenAIServer
from mindnet.models.port import Message, Piece, Request

Answer = TypeVar("Answer")
LOAD_SECONDS = 300.0
END_SECONDS = 10.0
CHILD = "mindnet.models.gguf_child"


class GgufModel:
    """The one model of a file; its process starts with the first request, and again after a crash."""

    def __init__(self, file: Path, *, num_ctx: int, threads: int = 0) -> None:
        self._file = file
        self._num_ctx = num_ctx
        self._threads = threads
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._server: OpenAIServer | None = None

    @property
    def place(self) -> str:
        return str(self._file)

    @property
    def pid(self) -> int | None:
        """Of the process while there is one."""
        return self._process.pid if self._process else None

    async def models(self) -> tuple[str, ...]:
        """The file's name without its ending; raises ``ModelMissingError`` when there is no such file."""
        if not self._file.name:
            raise ModelMissingError("No model file is named.", hint="Name one as `file` of the backend in llm.yaml.")
        if not self._file.is_file():
            raise ModelMissingError(
                f"There is no model file {self._file}.", hint="Correct `file` of the backend in llm.yaml."
            )
        return (self._file.stem,)

    async def context_size(self, model: str) -> int | None:
        return await self._ask(lambda server: server.context_size(model))

    async def count_text(self, model: str, text: str) -> int | None:
        return await self._ask(lambda server: server.count_text(model, text))

    async def count_prompt(self, model: str, messages: Sequence[Message]) -> int | None:
        return await self._ask(lambda server: server.count_prompt(model, messages))

    async def stream(self, request: Request) -> AsyncIterator[Piece]:
        await self._ask(lambda server: server.models())
        async for piece in (await self._running()).stream(request):
            yield piece

    def close(self) -> None:
        with self._lock:
            self._end()

    async def _ask(self, question: Callable[[OpenAIServer], Awaitable[Answer]]) -> Answer:
        """The answer of the process, which is begun anew if it is gone: that is heard before it is seen."""
        try:
            return await question(await self._running())
        except ModelDownError:
            await asyncio.to_thread(self.close)
            return await question(await self._running())

    async def _running(self) -> OpenAIServer:
        await self.models()
        return await asyncio.to_thread(self._start)

    def _start(self) -> OpenAIServer:
        with self._lock:
            if self._process is not None and self._process.poll() is None and self._server is not None:
                return self._server
            self._end()
            key = secrets.token_urlsafe(24)
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", CHILD],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                # Threads that spin while they wait take the processor from everything else.
                env={**os.environ, "OMP_WAIT_POLICY": "passive", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
            self._process = process
            try:
                told = self._tell(process, key)
            except BaseException:
                self._end()
                raise
            self._server = OpenAIServer(f"{told['url']}/v1", api_key=key, hint="Ask again: the model is started anew.")
            return self._server

    def _tell(self, process: subprocess.Popen[str], key: str) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        wanted = {
            "file": str(self._file),
            "name": self._file.stem,
            "num_ctx": self._num_ctx,
            "threads": self._threads,
            "key": key,
        }
        too_long = threading.Timer(LOAD_SECONDS, process.kill)
        too_long.start()
        try:
            process.stdin.write(json.dumps(wanted) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            late = not too_long.is_alive()
            too_long.cancel()
            too_long.join()
        if not line:
            raise self._silent(late)
        told: dict[str, Any] = json.loads(line)
        if told.get("fault") == "library":
            raise ModelRefusedError(
                "The library that runs GGUF files is not installed.",
                hint="Run `pip install xllamacpp` where mindnet is installed.",
            )
        if "fault" in told:
            raise ModelRefusedError(
                f"{self._file} cannot be loaded: {told['message']}.",
                hint="Check that it is a whole GGUF file, and that the model fits into memory.",
            )
        return told

    def _silent(self, late: bool) -> ModelError:
        if late:
            return ModelTimeoutError(
                f"{self._file.name} was not loaded within {LOAD_SECONDS:.0f} s.", hint="Choose a smaller model."
            )
        return ModelDownError(
            f"The process of {self._file.name} ended while it loaded the model.",
            hint="Choose a smaller model, or lower num_ctx in llm.yaml: most often memory ran out.",
        )

    def _end(self) -> None:
        process, self._process, self._server = self._process, None, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()
