"""A real ``mindnet serve`` that can be killed at any moment."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import httpx

from mindnet.api.wire import CheckReport, ImportReport, Mode, QueryAnswer, QueryRequest, Status

_MAIN = "from mindnet.cli import main; main()"
START = (sys.executable, "-c", _MAIN)
_SCRIPTS = str(Path(__file__).resolve().parents[1])
START_WITH_TWO_MODELS = (
    sys.executable,
    "-c",
    f"import sys; sys.path.append({_SCRIPTS!r}); from soaking.models import two_models; two_models(); {_MAIN}",
)
DEBOUNCE_MS = 40
CONFIGURATION = f"embedding: {{model: hashing}}\nwatch: {{debounce_ms: {DEBOUNCE_MS}}}\n"
"""An embedding that costs nothing and is the same everywhere, and little time between a change and its indexing."""
TWO_MODELS = CONFIGURATION.replace("model: hashing", "provider: auto")
"""Two such, one after the other, in a process that knows of them."""
PATIENCE = 120.0
POLL = 0.02


class DaemonError(Exception):
    """The daemon did not do what it must; the text says what, with what it printed."""


def environment() -> dict[str, str]:
    """The process's own environment without settings of a user."""
    return {key: value for key, value in os.environ.items() if not key.startswith("MINDNET_")}


class Daemon:
    """One process; it is killed at the latest when the block ends."""

    def __init__(self, vault: Path, data: Path, config: Path, log: Path, start: Sequence[str] = START) -> None:
        self._log = log
        self._client: httpx.Client | None = None
        place = ("--vault", str(vault), "--data-dir", str(data), "--config-dir", str(config))
        with log.open("wb") as stderr:
            self._process = subprocess.Popen(
                [*start, "serve", *place], stdout=subprocess.PIPE, stderr=stderr, env=environment()
            )

    def __enter__(self) -> Daemon:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    # -------------------------------------------------------------- its life
    def ready(self, within: float = PATIENCE) -> bool:
        """Waits for the line that says where it answers; False when the time is up, an error when it has ended."""
        if self._client is not None:
            return True
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], within)[0]:
            return False
        line = self._process.stdout.readline()
        if not line:
            raise DaemonError(f"serve ended at its start with {self._process.wait()}: {self.printed()}")
        run = json.loads(line)
        headers = {"Authorization": f"Bearer {run['token']}"}
        self._client = httpx.Client(base_url=run["url"], headers=headers, timeout=PATIENCE, trust_env=False)
        return True

    def kill(self) -> None:
        """Ends it as a power cut does."""
        if self._client is not None:
            self._client.close()
            self._client = None
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def stop(self) -> None:
        """Asks it to end and waits for it."""
        self._process.send_signal(signal.SIGTERM)
        try:
            code = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired as error:
            raise DaemonError(f"serve does not stop: {self.printed()}") from error
        if code != 0:
            raise DaemonError(f"serve ended with {code}: {self.printed()}")
        self.kill()

    def printed(self) -> str:
        """What it said on stderr so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    # -------------------------------------------------------------- asking it
    def status(self) -> Status:
        return Status.model_validate_json(self._get("/status"))

    def check(self) -> CheckReport:
        return CheckReport.model_validate_json(self._get("/check"))

    def search(self, question: str, *, mode: Mode, top_k: int) -> list[str]:
        """The texts of the hits, best first."""
        request = QueryRequest(query=question, mode=mode, top_k=top_k)
        answer = QueryAnswer.model_validate_json(self._post("/query", request.model_dump_json(by_alias=True)))
        return [hit.text for hit in answer.hits]

    def ingest(self, within: float = PATIENCE) -> ImportReport:
        """Has the whole vault looked at, and waits for it."""
        return ImportReport.model_validate_json(self._post("/ingest", "{}", within))

    def has_note(self, path: str) -> bool:
        return self._http.get("/notes", params={"path": path}).status_code == 200

    def wait_until_idle(self, within: float = PATIENCE) -> Status:
        """Waits until it says that it has nothing to do."""
        if not self.ready(within):
            raise DaemonError(f"serve does not answer: {self.printed()}")
        end = time.monotonic() + within
        while time.monotonic() < end:
            status = self.status()
            if status.state == "idle":
                return status
            if status.state == "error":
                raise DaemonError(f"serve is in error: {status.error}; {self.printed()}")
            time.sleep(POLL)
        raise DaemonError(f"serve is still {status.state}: {self.printed()}")

    def wait_for_note(self, path: str, *, there: bool) -> None:
        """Waits until the note at ``path`` is indexed, or is no longer."""
        end = time.monotonic() + PATIENCE
        while self.has_note(path) != there:
            if time.monotonic() > end:
                raise DaemonError(f"{path} is still {'not indexed' if there else 'indexed'}: {self.printed()}")
            time.sleep(POLL)

    @property
    def _http(self) -> httpx.Client:
        assert self._client is not None, "it has to be ready first"
        return self._client

    def _get(self, path: str) -> bytes:
        return self._content(path, self._http.get(path))

    def _post(self, path: str, body: str, within: float = PATIENCE) -> bytes:
        headers = {"Content-Type": "application/json"}
        return self._content(path, self._http.post(path, content=body, headers=headers, timeout=within))

    def _content(self, path: str, answer: httpx.Response) -> bytes:
        if answer.is_error:
            raise DaemonError(f"{path}: {answer.status_code} {answer.text}; {self.printed()}")
        return answer.content
