"""No request waits for a database that hangs (promise 14): after a few seconds it is answered without it."""

import asyncio
from typing import Protocol

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.platform.border.errors import RETRY_AFTER, plain_problem

PATIENCE = 3.5
"""Seconds that a request has before anybody asks what it waits for; an ordinary one takes milliseconds."""

LOOK_EVERY = 0.25


class Watch(Protocol):
    @property
    def is_hung(self) -> bool: ...


class DatabaseDeadline:
    """Answers 503 to what waits while the database hangs. Whatever was begun for it is cancelled and not waited for.

    What has begun to answer goes on, and so does what is slow for another reason.
    """

    def __init__(self, app: ASGIApp, *, patience: float = PATIENCE) -> None:
        self._app = app
        self._patience = patience
        self._given_up: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        portal = getattr(scope["app"].state, "portal", None) if scope["type"] == "http" else None
        if portal is None:
            await self._app(scope, receive, send)
            return
        watch: Watch = portal.database_watch
        has_begun = is_over = False

        async def send_in_time(message: Message) -> None:
            nonlocal has_begun
            if not is_over:
                has_begun = True
                await send(message)

        task = asyncio.ensure_future(self._app(scope, receive, send_in_time))
        try:
            await asyncio.wait([task], timeout=self._patience)
            while not task.done() and not has_begun:
                if watch.is_hung:
                    is_over = True
                    self._leave(task)
                    headers = {"Retry-After": str(RETRY_AFTER)}
                    answer = plain_problem(scope["state"]["request_id"], 503, headers)
                    await answer(scope, receive, send)
                    return
                await asyncio.wait([task], timeout=LOOK_EVERY)
            await task
        except asyncio.CancelledError:
            self._leave(task)
            raise

    def _leave(self, task: asyncio.Task[None]) -> None:
        """A cancelled query asks the database to stop it, which can take as long as the database hangs."""
        task.cancel()
        self._given_up.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._given_up.discard(task)
        if not task.cancelled():
            task.exception()
