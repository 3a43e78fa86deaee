"""The demo people, their dealers and businesses. Every name is invented; all have the same password."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.identity.people import InstallerRow, PersonRow
from db.partner_tables import DealerRow, PartnerRow
from domain.identity.people import (
    ADMIN_ACCESS,
    DEALER_PRIMARY_GROUP,
    INSIDE_REP_GROUP,
    INSTALLER_GROUP,
    OUTSIDE_REP_GROUP,
)

PASSWORD = "Turnkey-2026!"
PASSWORD_HASH = "$argon2id$v=19$m=47104,t=1,p=1$LBBgp+nCXch3uUHqGR49Dw$zroSRB0vqQwpFzrNftX6ABJzZTXw3zFqtSF7CwdVZzg"
"""Of PASSWORD; kept, because hashing belongs to the providers, and a test shows that it fits."""

CONFIRMED_AT = datetime(2026, 1, 5, 15, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Business:
    """A partner with its dealer account."""

    id: str
    code: str
    name: str
    country: str
    channel: str


@dataclass(frozen=True)
class Somebody:
    """`what` is the line that the sign-in list shows. `partner_id` is for consumers only."""

    id: str
    first_name: str
    last_name: str
    what: str
    dealer_id: str | None = None
    is_installer: bool = False
    is_owner: bool = False
    is_purchaser: bool = False
    is_retired: bool = False
    partner_id: str | None = None
    groups: list[str] = field(default_factory=list[str])
    access_type: str | None = None

    @property
    def email(self) -> str:
        return f"{self.first_name}.{self.last_name}@turnkey.example".lower()


HARBOUR = Business("harbour", "N1001", "Harbour Car Audio", "CA", "dealer-2")
PRAIRIE = Business("prairie", "N1002", "Prairie Remote Start", "CA", "dealer-1")
BUSINESSES = (HARBOUR, PRAIRIE)

PEOPLE = (
    Somebody(
        id="olivia",
        first_name="Olivia",
        last_name="Marchand",
        what="owner of Harbour Car Audio",
        dealer_id=HARBOUR.id,
        is_installer=True,
        is_owner=True,
        groups=[DEALER_PRIMARY_GROUP, INSTALLER_GROUP],
    ),
    Somebody(
        id="ivan",
        first_name="Ivan",
        last_name="Petrov",
        what="installer at Harbour Car Audio",
        dealer_id=HARBOUR.id,
        is_installer=True,
        groups=[INSTALLER_GROUP],
    ),
    Somebody(
        id="chloe",
        first_name="Chloe",
        last_name="Tremblay",
        what="installer and purchaser at Harbour Car Audio",
        dealer_id=HARBOUR.id,
        is_installer=True,
        is_purchaser=True,
        groups=[INSTALLER_GROUP],
    ),
    Somebody(
        id="marcus",
        first_name="Marcus",
        last_name="Okafor",
        what="installer at Prairie Remote Start",
        dealer_id=PRAIRIE.id,
        is_installer=True,
        groups=[INSTALLER_GROUP],
    ),
    Somebody(
        id="ines",
        first_name="Ines",
        last_name="Delgado",
        what="inside sales rep",
        groups=[INSIDE_REP_GROUP],
    ),
    Somebody(
        id="owen",
        first_name="Owen",
        last_name="Clarke",
        what="outside sales rep",
        groups=[OUTSIDE_REP_GROUP],
    ),
    Somebody(
        id="ada",
        first_name="Ada",
        last_name="Nwosu",
        what="administrator",
        access_type=ADMIN_ACCESS,
    ),
)


def tax_number_of(code: str, country: str) -> str:
    """Invented: a Canadian business number, else an American one."""
    digits = str(Random(code).randint(100_000_000, 999_999_999))
    return f"{digits[:5]} {digits[5:]} RT0001" if country == "CA" else f"{digits[:2]}-{digits[2:]}"


async def has_people(session: AsyncSession) -> bool:
    return bool(await session.scalar(select(func.count()).select_from(PersonRow)))


async def add_people(session: AsyncSession) -> None:
    """Adds whoever is missing; nobody is changed."""
    for business in BUSINESSES:
        await _add(
            session,
            PartnerRow,
            id=business.id,
            sap_bp_code=business.code,
            company_name=business.name,
            country=business.country,
            channel_slug=business.channel,
            tax_number=tax_number_of(business.code, business.country),
        )
        await _add(session, DealerRow, id=business.id, partner_id=business.id, name=business.name)
    for person in PEOPLE:
        await add_person(session, person)


async def add_person(session: AsyncSession, person: Somebody) -> None:
    await _add(
        session,
        PersonRow,
        id=person.id,
        email=person.email,
        password_hash=PASSWORD_HASH,
        first_name=person.first_name,
        last_name=person.last_name,
        dealer_id=person.dealer_id,
        partner_id=person.partner_id,
        is_retired=person.is_retired,
        drone_user_id=f"drone-{person.id}",
        permission_groups=person.groups,
        access_type=person.access_type,
        confirmed_at=CONFIRMED_AT,
    )
    if person.is_installer:
        await _add(
            session,
            InstallerRow,
            person_id=person.id,
            is_owner=person.is_owner,
            is_purchaser=person.is_purchaser,
        )


async def _add(
    session: AsyncSession,
    table: type[PartnerRow] | type[DealerRow] | type[PersonRow] | type[InstallerRow],
    **values: object,
) -> None:
    await session.execute(insert(table).values(**values).on_conflict_do_nothing())
