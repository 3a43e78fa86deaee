"""Effects that happen once: each is noted before it is asked for, and its outcome after."""

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from db.base import Sessions, one_statement
from db.runs import intents
from domain import errors
from domain.base import Frozen
from domain.runs.projection import Projection


class Call(Frozen):
    """The run on whose behalf an effect is carried out; `busy` is how it looks meanwhile (`workers/interceptors.py`)."""

    flow_id: str
    workflow_id: str
    busy: Projection | None = None


class NotNoted(errors.Unavailable):
    """The effect is there, but the database was away when its outcome was to be written. A repeat finds both."""


_begun: ContextVar[list[str]] = ContextVar("begun")


@contextmanager
def effects_begun() -> Generator[list[str]]:
    """The keys of the effects that are begun meanwhile, by this activity and no other."""
    keys: list[str] = []
    token = _begun.set(keys)
    try:
        yield keys
    finally:
        _begun.reset(token)


class Intents:
    """Intent row, effect, outcome: two statements round every effect."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def once(
        self, key: str, kind: str, call: Call, effect: Callable[[], Awaitable[None]]
    ) -> None:
        """Nothing is asked of anybody when the outcome is known already. Raises NotNoted after the effect."""
        if await self.begin(key, kind, call):
            return
        await effect()
        await self.complete(key)

    async def begin(self, key: str, kind: str, call: Call) -> bool:
        """Whether it has happened already."""
        if (begun := _begun.get(None)) is not None:
            begun.append(key)
        async with one_statement(self._sessions) as session:
            outcome: dict[str, Any] | None = await intents.begin_intent(
                session, key=key, flow_id=call.flow_id, kind=kind
            )
        return outcome is not None

    async def complete(self, key: str) -> None:
        """Raises NotNoted."""
        try:
            async with one_statement(self._sessions) as session:
                await intents.complete_intent(session, key, {"done": True})
        except (SQLAlchemyError, OSError) as error:
            raise NotNoted from error
