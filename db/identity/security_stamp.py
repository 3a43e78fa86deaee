"""One stamp per person: whatever opens a person's account carries the stamp of its making, and holds while it is the
person's present one (docs/decisions/0038-security-stamp.md).

`db.identity.sign_ins.renew_stamp` gives a new one.
"""

from sqlalchemy import ColumnElement, ScalarSelect, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped

from db.identity.people import PersonRow


class Stamped:
    """A table of secrets: each row belongs to a person and carries their stamp of that moment."""

    person_id: Mapped[str]
    stamp: Mapped[int]


def stamp_of(person_id: str) -> ScalarSelect[int]:
    """The person's present stamp, for a row that is being written."""
    return select(PersonRow.security_stamp).where(PersonRow.id == person_id).scalar_subquery()


def is_current(row: type[Stamped]) -> ColumnElement[bool]:
    """Whether nothing has ended the secret since it was made."""
    present = select(PersonRow.security_stamp).where(PersonRow.id == row.person_id)
    return row.stamp == present.correlate(row).scalar_subquery()


async def lock_stamp(session: AsyncSession, person_id: str) -> int | None:
    """The present stamp, which nobody renews until the transaction ends: for a secret that changes the account, so that
    of two changes at once the later one sees the earlier."""
    query = select(PersonRow.security_stamp).where(PersonRow.id == person_id).with_for_update()
    return await session.scalar(query)
