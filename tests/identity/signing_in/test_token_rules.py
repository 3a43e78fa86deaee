"""Access tokens: proved once, and judged by the clock each time."""

from datetime import datetime, timedelta, tzinfo
from typing import ClassVar

import jwt
import pytest

from domain.identity.people import InvalidToken, TokenExpired
from providers.security.tokens import ACCESS_LIFE, Tokens

SECRET = "of these tests alone, and long enough for a key"


class _Clock(datetime):
    later: ClassVar[timedelta] = timedelta()

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # pyright: ignore[reportIncompatibleMethodOverride] of no subclass
        return datetime.now(tz) + cls.later


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> type[_Clock]:
    monkeypatch.setattr(_Clock, "later", timedelta())
    return _Clock


def test_a_token_that_was_taken_before_runs_out_all_the_same(clock: type[_Clock]) -> None:
    tokens = Tokens(SECRET, now=clock)
    token = tokens.access(person_id="olivia", sign_in_id="of-olivia").token
    assert tokens.sign_in_of(token) == "of-olivia"
    clock.later = ACCESS_LIFE
    with pytest.raises(TokenExpired):
        tokens.sign_in_of(token)
    assert tokens.sign_in_once_of(token) == "of-olivia"


def test_a_signature_is_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens, prove, proved = Tokens(SECRET), jwt.decode_complete, list[str]()

    def noted(token: str, *args: object, **more: object) -> object:
        proved.append(token)
        return prove(token, *args, **more)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(jwt, "decode_complete", noted)
    token = tokens.access(person_id="olivia", sign_in_id="of-olivia").token
    assert [tokens.sign_in_of(token) for _ in range(3)] == ["of-olivia"] * 3
    assert proved == [token]


def test_what_is_refused_is_refused_again() -> None:
    tokens = Tokens(SECRET)
    forged = Tokens(SECRET + "!").access(person_id="olivia", sign_in_id="of-olivia").token
    for _ in range(2):
        with pytest.raises(InvalidToken):
            tokens.sign_in_of(forged)
