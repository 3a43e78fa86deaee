"""Reps with businesses, and dealers with a primary person, for tests."""

from sqlalchemy import select, update

from db.base import Sessions
from db.identity.people import PersonRow
from db.partner_tables import PartnerAddressRow, PartnerRow
from db.partners.reps import RepPartnerRow
from domain.identity.people import DEALER_PRIMARY_GROUP, INSTALLER_GROUP, User
from tests.drivers.factories import Dealer, a_name, an_owner


async def a_primary(sessions: Sessions, dealer: Dealer) -> User:
    """The dealer's primary person, an owner."""
    owner = await an_owner(sessions, dealer)
    groups = [DEALER_PRIMARY_GROUP, INSTALLER_GROUP]
    async with sessions.begin() as session:
        await session.execute(
            update(PersonRow).where(PersonRow.id == owner.id).values(permission_groups=groups)
        )
    return owner.model_copy(update={"permission_groups": tuple(groups)})


async def let_see(sessions: Sessions, rep: User, *codes: str, is_contact: bool = False) -> None:
    """The businesses become the rep's."""
    async with sessions.begin() as session:
        for code in codes:
            session.add(
                RepPartnerRow(
                    person_id=rep.id, partner_id=await _id(sessions, code), is_contact=is_contact
                )
            )


async def lose_sight(sessions: Sessions, rep: User, code: str) -> None:
    async with sessions.begin() as session:
        row = await session.get(RepPartnerRow, (rep.id, await _id(sessions, code)))
        await session.delete(row)


async def rename(sessions: Sessions, code: str, name: str) -> None:
    async with sessions.begin() as session:
        await session.execute(
            update(PartnerRow).where(PartnerRow.sap_bp_code == code).values(company_name=name)
        )


async def an_address(sessions: Sessions, code: str, kind: str, *, is_default: bool) -> str:
    address_id = a_name()
    async with sessions.begin() as session:
        session.add(
            PartnerAddressRow(
                id=address_id,
                partner_id=await _id(sessions, code),
                kind=kind,
                is_default=is_default,
                name="Front door",
                street="12 Example Street",
                city="Kelowna",
                country_area="BC",
                postal_code="V1Y 2A3",
                country="CA",
            )
        )
    return address_id


async def _id(sessions: Sessions, code: str) -> str:
    async with sessions() as session:
        found = await session.scalar(select(PartnerRow.id).where(PartnerRow.sap_bp_code == code))
    assert found is not None
    return found
