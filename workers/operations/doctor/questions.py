"""A harmless question to a part that the portal needs, and what is said of its answer: never a key, nor what was asked."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass

import httpx

from domain.base import Frozen
from domain.errors import PortalError
from providers.errors import Refused, Unavailable

SECONDS = 10
NOT_TAKEN = frozenset({401, 403, 530, 534, 535})
"""Statuses of HTTP and of SMTP."""
VERSIONS = ("Stripe-Version", "OData-Version", "Server")
"""Headers in which systems say what they are, the most telling first."""

AWAY = "does not answer"

_responses: ContextVar[list[httpx.Response]] = ContextVar("responses")


class Answer(Frozen):
    """A good one: what it shows, and what answered in which version, where it says so."""

    said: str
    version: str | None = None


class Missing(Exception):
    """A question's own finding."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """`look_at` names the settings and commands that mend it."""

    name: str
    ask: Callable[[], Awaitable[Answer]]
    look_at: str


class Finding(Frozen):
    """What came of a question; `said` says what is missing where it is not well."""

    name: str
    is_well: bool
    said: str
    look_at: str
    milliseconds: int
    version: str | None = None


async def find_out(questions: Sequence[Question]) -> list[Finding]:
    """All of them at once, in the order in which they are read."""
    return list(await asyncio.gather(*(_finding(question) for question in questions)))


def listen(client: httpx.AsyncClient) -> None:
    """Has each question know what was answered to it: a client in front of a system may make little of it."""
    hooks = client.event_hooks
    client.event_hooks = {**hooks, "response": [*hooks["response"], _note]}


async def _note(response: httpx.Response) -> None:
    _responses.get().append(response)


def answered() -> None:
    """For a client that takes every fault for "it knows nothing". Raises Missing unless the last answer was a good one."""
    responses = _responses.get()
    if not responses:
        raise Missing(AWAY)
    if not responses[-1].is_success:
        raise Missing(_of_status(responses[-1].status_code))


async def _finding(question: Question) -> Finding:
    responses: list[httpx.Response] = []
    _responses.set(responses)
    began = time.monotonic()
    version: str | None = None
    try:
        async with asyncio.timeout(SECONDS):
            answer = await question.ask()
    except Exception as error:  # whatever is wrong is the answer
        is_well, said = False, _of(error, is_there=bool(responses))
    else:
        is_well, said, version = True, answer.said, answer.version
    return Finding(
        name=question.name,
        is_well=is_well,
        said=said,
        look_at=question.look_at,
        milliseconds=round((time.monotonic() - began) * 1000),
        version=version or _version(responses),
    )


def _of(error: Exception, *, is_there: bool) -> str:
    match error:
        case Missing():
            return str(error)
        case Unavailable(answered=int(status)):
            return _of_status(status)
        case Unavailable():
            return "answers, and not as agreed" if is_there else AWAY
        case Refused(code=code):
            return f"answers, and refuses the question ({code})"
        case PortalError():
            return f"answers, and not as agreed ({error.code})"
        case TimeoutError():
            return f"{AWAY} within {SECONDS} s"
        case _:
            found = "answers, and not as agreed" if is_there else AWAY
            return f"{found} ({type(error).__name__})"


def _of_status(status: int) -> str:
    if status in NOT_TAKEN:
        return f"answers, and does not take the key ({status})"
    return f"answers with an error ({status})"


def _version(responses: Sequence[httpx.Response]) -> str | None:
    versions = (one.headers.get(name) for name in VERSIONS for one in reversed(responses))
    return next((value for value in versions if value), None)
