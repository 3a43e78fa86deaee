"""Work that no answer waits for, so that nobody learns from an answer, or from how long it takes, what was done."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

from domain.errors import PortalError
from providers.errors import Refused

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

    async def settled(self) -> None:
        """Waits for all that are under way."""
        while self._under_way:
            await asyncio.gather(*self._under_way, return_exceptions=True)


async def _done(what: str, errand: Coroutine[Any, Any, None]) -> None:
    try:
        await errand
    except (PortalError, Refused) as error:
        log.warning("errand was not done", what=what, code=error.code)
    except Exception as error:
        log.error("errand failed", what=what, kind=type(error).__name__)
