"""People, dealers and businesses for tests: each call makes new ones, so that tests never meet."""

import uuid
from datetime import UTC, datetime
from typing import Any

from argon2 import PasswordHasher
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions
from db.demo.people import PASSWORD
from db.identity.people import InstallerRow, PersonRow, find_user
from db.partner_tables import DealerRow, PartnerRow
from db.runs.flows import FlowRow
from domain.base import Frozen
from domain.identity.people import ADMIN_ACCESS, INSIDE_REP_GROUP, OUTSIDE_REP_GROUP, User
from domain.runs.kind import RunKind

__all__ = ["PASSWORD"]

PASSWORD_MEMORY_KIB = 64
"""Thousands of people sign in: hashes that cost what they should would be a tenth of all the time."""
_PASSWORD_HASH = PasswordHasher(time_cost=1, memory_cost=PASSWORD_MEMORY_KIB, parallelism=1).hash(
    PASSWORD
)


class Dealer(Frozen):
    """A dealer's account and the code of its business."""

    id: str
    partner_code: str


def a_name() -> str:
    """Twelve hexadecimal signs nobody else has: a letter in their middle, since so many digits may be a card number."""
    drawn = uuid.uuid4().hex
    return f"{drawn[:6]}a{drawn[6:11]}"


def an_email() -> str:
    """An e-mail address that nobody has."""
    return f"{a_name()}@people.example"


async def a_partner(
    sessions: Sessions, *, prefix: str = "N", country: str = "CA", channel: str = "dealer-1"
) -> str:
    """A business partner without a dealer account; answers its code."""
    code = f"{prefix}{a_name()}".upper()
    async with sessions.begin() as session:
        session.add(_partner(code, country, channel))
    return code


async def a_dealer(
    sessions: Sessions, *, prefix: str = "N", country: str = "CA", suffix: str = ""
) -> Dealer:
    """Of a new business; its code may end as the ERP is to treat it."""
    code = f"{prefix}{a_name()}{suffix}".upper()
    async with sessions.begin() as session:
        partner = _partner(code, country, "dealer-1")
        session.add(partner)
        await session.flush()
        dealer = DealerRow(id=a_name(), partner_id=partner.id, name=f"Dealer {code}")
        session.add(dealer)
    return Dealer(id=dealer.id, partner_code=code)


async def an_installer(
    sessions: Sessions,
    dealer: Dealer | None = None,
    *,
    is_owner: bool = False,
    is_purchaser: bool = False,
    is_retired: bool = False,
    is_confirmed: bool = True,
    reset_required: bool = False,
    **given: object,
) -> User:
    """An installer of the dealer, or of a new one; `given` are fields of a PersonRow."""
    dealer = dealer or await a_dealer(sessions)
    async with sessions.begin() as session:
        person = _person(
            dealer_id=dealer.id, is_retired=is_retired, reset_required=reset_required, **given
        )
        if not is_confirmed:
            person.confirmed_at = None
        session.add(person)
        await session.flush()
        session.add(InstallerRow(person_id=person.id, is_owner=is_owner, is_purchaser=is_purchaser))
    return await _known(sessions, person.id)


async def an_owner(sessions: Sessions, dealer: Dealer | None = None) -> User:
    return await an_installer(sessions, dealer, is_owner=True)


async def a_consumer(sessions: Sessions) -> User:
    """A consumer with an installer record, of a business of their own."""
    code = f"B2C{a_name()}".upper()
    async with sessions.begin() as session:
        partner = _partner(code, "CA", "msrp")
        session.add(partner)
        await session.flush()
        person = _person(partner_id=partner.id)
        session.add(person)
        await session.flush()
        session.add(InstallerRow(person_id=person.id))
    return await _known(sessions, person.id)


async def a_rep(sessions: Sessions, group: str) -> User:
    return await _one(sessions, _person(permission_groups=[group]))


async def an_inside_rep(sessions: Sessions) -> User:
    return await a_rep(sessions, INSIDE_REP_GROUP)


async def an_outside_rep(sessions: Sessions) -> User:
    return await a_rep(sessions, OUTSIDE_REP_GROUP)


async def an_admin(sessions: Sessions) -> User:
    return await _one(sessions, _person(access_type=ADMIN_ACCESS))


async def a_non_installer(sessions: Sessions) -> User:
    """A person of a dealer without an installer record."""
    dealer = await a_dealer(sessions)
    return await _one(sessions, _person(dealer_id=dealer.id))


async def a_registered_person(sessions: Sessions) -> User:
    """A person with a password who belongs to no business."""
    return await _one(sessions, _person())


def an_ended_run(
    kind: RunKind[Any],
    id_: str,
    view: Frozen,
    person: User | None,
    dealer: Dealer,
    site: str = "ca",
) -> FlowRow:
    """The row of a run of this person that was cancelled."""
    now = datetime.now(UTC)
    return FlowRow(
        id=id_,
        kind=kind.name,
        version=1,
        workflow_id=f"{kind.id_prefix}-{id_}",
        run_id=id_,
        rev=1,
        seq=1,
        state="cancelled",
        allowed=[],
        view=view.model_dump(mode="json"),
        device_key=None,
        site=site,
        dealer_id=person.dealer_id if person else None,
        owner_id=person.id if person else None,
        partner=dealer.partner_code,
        outcome="cancelled",
        created_at=now,
        updated_at=now,
        ended_at=now,
    )


async def _one(sessions: Sessions, person: PersonRow) -> User:
    async with sessions.begin() as session:
        session.add(person)
    return await _known(sessions, person.id)


async def _known(sessions: Sessions, person_id: str) -> User:
    async with sessions() as session:
        return await _find(session, person_id)


async def _find(session: AsyncSession, person_id: str) -> User:
    user = await find_user(session, person_id)
    assert user is not None
    return user


def _partner(code: str, country: str, channel: str) -> PartnerRow:
    return PartnerRow(
        id=a_name(),
        sap_bp_code=code,
        company_name=f"Business {code}",
        country=country,
        channel_slug=channel,
    )


def _person(**given: object) -> PersonRow:
    name = a_name()
    values: dict[str, object] = {
        "id": name,
        "email": f"{name}@people.example",
        "password_hash": _PASSWORD_HASH,
        "first_name": "Robin",
        "last_name": f"Test-{name}",
        "drone_user_id": f"drone-{name}",
        "confirmed_at": datetime.now(UTC),
        "permission_groups": [],
        "is_retired": False,
        "reset_required": False,
    }
    return PersonRow(**{**values, **given})
