"""Changes to a person's own record."""

from collections.abc import Mapping

from sqlalchemy import or_, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.identity.people import PersonRow
from domain.letters.language import Language


async def change_record(
    session: AsyncSession, person_id: str, changes: Mapping[str, str | None]
) -> None:
    """Sets the fields named; the caller has judged them."""
    await session.execute(update(PersonRow).where(PersonRow.id == person_id).values(**changes))


async def change_phone(session: AsyncSession, person_id: str, phone: str) -> None:
    await session.execute(
        update(PersonRow).where(PersonRow.id == person_id).values(phone_number=phone)
    )


async def note_place(
    session: AsyncSession, person_id: str, address: str, language: Language | None
) -> None:
    """Where the person has just proved to be themselves, and what the portal speaks there, if it says so."""
    spoken = PersonRow.language if language is None else language.value
    await session.execute(
        update(PersonRow)
        .where(
            PersonRow.id == person_id,
            or_(
                PersonRow.last_address.is_distinct_from(address),
                PersonRow.language.is_distinct_from(spoken),
            ),
        )
        .values(last_address=address, language=spoken)
    )
