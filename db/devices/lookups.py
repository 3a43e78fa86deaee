"""Serial numbers that a person names in vain, at whichever door (decision 34)."""

from collections.abc import Iterable
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from db.platform.throttles import Limit, count_first_tries, count_tries

HOUR = timedelta(hours=1)
NAMED = Limit(kind="lookup-of", tries=1, window=HOUR)


def lookups(wrong_per_hour: int) -> Limit:
    return Limit(kind="lookup", tries=wrong_per_hour, window=HOUR)


async def count_wrong_lookups(
    session: AsyncSession, person_id: str, device_keys: Iterable[str]
) -> None:
    """Counts those of a list. One that was counted within the hour tells nothing new, and is not counted again. Nothing is
    refused here: the next look is. The caller commits at once."""
    named = [(NAMED, f"{person_id} {key}") for key in sorted(set(device_keys))]
    if not named:
        return
    first = await count_first_tries(session, named)
    if first:
        await count_tries(session, [(lookups(0), person_id)], times=first)
