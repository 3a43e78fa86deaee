"""Leaves a system alone that answers nobody, so that no page waits for it (promise 14, decision 99)."""

import time
from collections.abc import Callable, Hashable

SECONDS = 10.0
"""How long a system is left alone before one call tries it again."""


class Breaker:
    """Of one client in one process; for reads alone that something else can stand in for. What a system answers, a refusal or
    an error too, shows that it is there: only silence is counted, and the same asking once, so that one that it cannot answer
    keeps nobody else from it."""

    def __init__(
        self,
        silent: int,
        *,
        seconds: float = SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`silent` askings in a row without an answer open it."""
        self._most = silent
        self._seconds = seconds
        self._now = now
        self._unanswered: set[int] = set()
        self._rests_until = 0.0

    def lets_through(self) -> bool:
        """Whether the system may be asked. After its rest one call may; the others wait for what becomes of it, or for another
        rest."""
        if len(self._unanswered) < self._most:
            return True
        if self._now() < self._rests_until:
            return False
        self._rest()
        return True

    def answered(self) -> None:
        self._unanswered.clear()

    def was_silent(self, asking: Hashable) -> None:
        self._unanswered.add(hash(asking))
        self._rest()

    def _rest(self) -> None:
        self._rests_until = self._now() + self._seconds


def breaker_of(silent: int) -> Breaker | None:
    """None where no system is ever left alone."""
    return Breaker(silent) if silent else None
