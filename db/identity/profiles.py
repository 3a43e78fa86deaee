"""Changes to a person's own record."""

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from db.identity.people import PersonRow


async def change_names(session: AsyncSession, person_id: str, **names: str | None) -> None:
    """`names` are `first_name` and `last_name`, either or both; None leaves a name as it is."""
    given = {name: text for name, text in names.items() if text is not None}
    if given:
        await session.execute(update(PersonRow).where(PersonRow.id == person_id).values(**given))
