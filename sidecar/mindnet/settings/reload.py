"""Settings that apply without a restart: read again when one of their files has changed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from mindnet.errors import ConfigError
from mindnet.settings.load import load_file, locating, source_files

log = logging.getLogger(__name__)
Value = TypeVar("Value")


class Reloading(Generic[Value]):
    """Called, it gives the current value of one configuration file.

    A file that became invalid keeps the last good value in force; ``fault`` then holds the
    sentence that names file and line.
    """

    def __init__(
        self,
        name: str,
        config_dir: Path | None,
        env: Mapping[str, str],
        build: Callable[[Mapping[str, Any]], Value],
    ) -> None:
        self._name = name
        self._config_dir = config_dir
        self._env = env
        self._build = build
        self._lock = threading.Lock()
        self._stamp = self._read_stamp()
        self._value = self._load()
        self.fault: str | None = None

    def __call__(self) -> Value:
        with self._lock:
            try:
                stamp = self._read_stamp()
                if stamp != self._stamp:
                    self._stamp = stamp
                    self._value = self._load()
                    self.fault = None
            except ConfigError as error:
                fault = f"{error.message} {error.hint}".strip()
                if fault != self.fault:
                    log.warning("%s The last valid settings stay in force.", fault)
                self.fault = fault
            return self._value

    def _load(self) -> Value:
        data = load_file(self._name, self._config_dir, env=self._env)
        with locating(source_files(self._name, self._config_dir, self._env)):
            return self._build(data.model_dump(exclude_none=True))

    def _read_stamp(self) -> tuple[tuple[str, int, int], ...]:
        stamps = []
        for file in source_files(self._name, self._config_dir, self._env):
            info = file.stat()
            stamps.append((str(file), info.st_mtime_ns, info.st_size))
        return tuple(stamps)
