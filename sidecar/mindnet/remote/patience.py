"""Passing faults of a server are tried again, within bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_after_attempt,
    stop_after_delay,
    wait_exponential,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a request is made, and after how many seconds no further try begins."""

    attempts: int = 4
    seconds: float = 10.0
    first_wait: float = 0.1
    longest_wait: float = 2.0

    def ask(
        self,
        request: Callable[[], T],
        *,
        is_passing: Callable[[BaseException], bool],
        say_again: Callable[[BaseException | None], None],
    ) -> T:
        """The answer to ``request``, which can be made twice; raises its last failure.

        ``say_again`` is told why, before each further try.
        """

        def waiting(state: RetryCallState) -> None:
            say_again(state.outcome.exception() if state.outcome else None)

        retrying = Retrying(
            retry=retry_if_exception(is_passing),
            stop=stop_after_attempt(self.attempts) | stop_after_delay(self.seconds),
            wait=wait_exponential(multiplier=self.first_wait, max=self.longest_wait),
            before_sleep=waiting,
            reraise=True,
        )
        return retrying(request)
