"""What a worker does beside its runs, for as long as it lives."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping

import structlog

from observing.metrics import Metrics

log = structlog.stdlib.get_logger()

BEGIN_ANEW_AFTER = 60.0


async def kept_up(
    name: str,
    run: Callable[[], Awaitable[None]],
    metrics: Metrics,
    *,
    after: float = BEGIN_ANEW_AFTER,
) -> None:
    """Until cancelled: what fails in a way that it does not know is told of, and begun anew in `after` seconds. Nobody waits for
    it as for a relay, and one record that cannot be read must not stop every run."""
    while True:
        try:
            await run()
        except Exception as error:
            log.exception("a loop failed", loop=name, kind=type(error).__name__)
        else:
            log.error("a loop failed", loop=name, kind="ended")
        metrics.loop_failed(name)
        await asyncio.sleep(after)


async def until_one_ends(stop: asyncio.Event, loops: Iterable[asyncio.Task[None]]) -> None:
    """Waits for the signal, or for a loop that is not there any more."""
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({stopping, *loops}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()


async def end_all(loops: Mapping[str, asyncio.Task[None]]) -> BaseException | None:
    """Cancels them all and waits for each. Answers why the first of them failed, if one did; each is told of."""
    for task in loops.values():
        task.cancel()
    ended = await asyncio.gather(*loops.values(), return_exceptions=True)
    failed: list[BaseException] = []
    for name, error in zip(loops, ended, strict=True):
        if error is not None and not isinstance(error, asyncio.CancelledError):
            log.error("a loop had failed", loop=name, kind=type(error).__name__, exc_info=error)
            failed.append(error)
    return failed[0] if failed else None
