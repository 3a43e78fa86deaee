"""Second factors: codes, challenges and trusted devices (shell spec 4; promises 32 and 33)."""

import re
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from domain.base import EXACT, Frozen, Utc
from domain.errors import Conflict, Invalid
from domain.identity.people import MfaType

CODE_LIFE = timedelta(minutes=10)
CODE_TRIES = 5
TOTP_STEP_SECONDS = 30
TRUST_LIFE = timedelta(days=365)
MOST_TRUSTED = 20
"""Browsers that a person trusts at once; our choice."""
SET_BEFORE_CHANGE = timedelta(days=1)
"""A factor switched on so shortly before a change of address was asked for counts as part of the change (our choice,
decision 38)."""

PHONE_INVALID = "Phone number invalid"

Code = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[0-9]{6}$")]
"""Six digits, from an app, a text message or a mail."""


class CodeMismatch(Invalid):
    """Wrong, used, expired, or another challenge's: the four are told apart by nothing."""

    code = "code_mismatch"
    detail = "Invalid verification code provided, please try again."


class MfaUnavailable(Conflict):
    code = "mfa_unavailable"
    detail = "Multi-factor authentication is not available."


class MfaInUse(Conflict):
    code = "mfa_in_use"
    detail = "Please turn off multi-factor authentication first."


class NoPhone(Conflict):
    code = "no_verified_phone"
    detail = "Please verify your phone number first."


class Challenge(Frozen):
    """A sign-in that waits for its second factor."""

    person_id: str
    kind: MfaType
    remembered: bool


class TrustedDevice(Frozen):
    """A browser that may leave out the second factor."""

    id: str
    name: str
    created_at: Utc
    last_used_at: Utc
    expires_at: Utc


_PHONE = re.compile(r"^\+(1|61|52)[0-9]{10}\Z")


def dialled(text: str) -> str:
    """A number with its country's code, without what it is spaced by. Raises ValueError for what is none."""
    phone = re.sub(r"[\s().-]", "", text)
    if not _PHONE.match(phone):
        raise ValueError(PHONE_INVALID)
    return phone


Phone = Annotated[str, StringConstraints(max_length=40), AfterValidator(dialled), EXACT]
"""Country code (+1, +61 or +52) and exactly ten digits (shell spec 5)."""


def masked_phone(phone: str) -> str:
    """All but the last two digits hidden."""
    return "•" * (len(phone) - 3) + phone[-2:]


def totp_steps(now: datetime) -> tuple[int, ...]:
    """The time steps whose code is taken: the present one and its neighbours, for clocks that are a little off."""
    step = int(now.timestamp()) // TOTP_STEP_SECONDS
    return (step, step - 1, step + 1)
