"""Changes to a person's own record."""

from collections.abc import Mapping

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from db.identity.people import PersonRow


async def change_record(
    session: AsyncSession, person_id: str, changes: Mapping[str, str | None]
) -> None:
    """Sets the fields named; the caller has judged them."""
    await session.execute(update(PersonRow).where(PersonRow.id == person_id).values(**changes))
