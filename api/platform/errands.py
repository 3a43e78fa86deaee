"""Work that goes on beside the request: errands that no answer waits for, so that nobody learns from one what was done, and
questions that outlive a call."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from datetime import timedelta
from typing import Any, TypeVar

import structlog

from domain.errors import PortalError, Unavailable
from providers.errors import Refused
from providers.messages.haste import HASTE

Answer = TypeVar("Answer")

log = structlog.stdlib.get_logger()


class Errands:
    """Small and bounded by the limits of whoever asks. A process that is killed forgets them, and people ask again."""

    def __init__(self) -> None:
        self._under_way: set[asyncio.Task[None]] = set()

    def begin(self, what: str, errand: Coroutine[Any, Any, None]) -> None:
        """Does it beside the request; a refusal, or an outside system that is away, is logged as `what`."""
        task = asyncio.create_task(_done(what, errand))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    def adopt(self, request: asyncio.Task[None]) -> None:
        """What a request goes on doing after its answer. That it failed is logged: nobody else will know."""
        self._under_way.add(request)
        request.add_done_callback(self._over)

    async def drain(self, within: timedelta | None = None) -> None:
        """Waits for all that are under way, no longer than `within`; what is left then is cancelled."""
        try:
            async with asyncio.timeout(within.total_seconds() if within else None):
                while self._under_way:
                    await asyncio.wait(self._under_way)
        except TimeoutError:
            left = list(self._under_way)
            log.error("errands were cut", count=len(left))
            for task in left:
                task.cancel()

    def _over(self, request: asyncio.Task[None]) -> None:
        self._under_way.discard(request)
        if not request.cancelled() and (error := request.exception()):
            log.error("failed after its time", kind=type(error).__name__, exc_info=error)


async def _done(what: str, errand: Coroutine[Any, Any, None]) -> None:
    HASTE.set(None)
    try:
        await errand
    except (PortalError, Refused) as error:
        log.warning("errand was not done", what=what, code=error.code)
    except Exception as error:
        log.error("errand failed", what=what, kind=type(error).__name__)


QUESTION_WITHIN = timedelta(seconds=1.7)
"""A call of a screen ends after 4 s (shell spec 9), and some ask twice."""
ANSWER_KEPT = timedelta(seconds=20)
"""For whoever asks again."""


class StillAsking(Unavailable):
    """Somebody else's network is slow: the question goes on, and whoever asks again has its answer."""

    code = "still_asking"
    detail = "This takes longer than usual. Please try again in a moment."


class Questions:
    """Questions to a slow network. Each call waits a while for its answer; the same question is asked once at a time."""

    def __init__(self) -> None:
        self._asked: dict[Hashable, asyncio.Task[Any]] = {}

    async def answer(
        self,
        question: Hashable,
        ask: Callable[[], Coroutine[Any, Any, Answer]],
        within: timedelta = QUESTION_WITHIN,
    ) -> Answer:
        """What `ask` answers or raises; `question` names all that it depends on. Raises StillAsking."""
        task: asyncio.Task[Answer] = self._asked.get(question) or self._begin(question, ask)
        done, _ = await asyncio.wait({task}, timeout=within.total_seconds())
        if not done:
            raise StillAsking(retry_after=1)
        self._forget(question, task)
        return task.result()

    def _begin(
        self, question: Hashable, ask: Callable[[], Coroutine[Any, Any, Answer]]
    ) -> asyncio.Task[Answer]:
        task = asyncio.create_task(ask())
        self._asked[question] = task
        kept = ANSWER_KEPT.total_seconds()
        later = asyncio.get_running_loop().call_later
        task.add_done_callback(lambda _: later(kept, self._forget, question, task))
        return task

    def _forget(self, question: Hashable, task: asyncio.Task[Any]) -> None:
        if self._asked.get(question) is task:
            del self._asked[question]
        if not task.cancelled():
            task.exception()  # nobody may have come back for it
