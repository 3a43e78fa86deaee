"""Serial numbers that a person names in vain, at whichever door (decision 34)."""

from collections.abc import Iterable

from sqlalchemy.ext.asyncio import AsyncSession

from db.platform.throttles import HOUR, Counter, Limit, count

LOOKUP = Counter(kind="lookup", window=HOUR)
NAMED = Counter(kind="lookup-of", window=HOUR)


def lookups(wrong_per_hour: int) -> Limit:
    return Limit(**LOOKUP.model_dump(), tries=wrong_per_hour)


async def count_wrong_lookups(
    session: AsyncSession, person_id: str, device_keys: Iterable[str]
) -> None:
    """Counts those of a list. One that was counted within the hour tells nothing new, and is not counted again. Nothing is
    refused here: the next look is. The caller commits at once."""
    named = [(NAMED, f"{person_id} {key}") for key in sorted(set(device_keys))]
    if not named:
        return
    new = sum(one.tries == 1 for one in await count(session, named))
    if new:
        await count(session, [(LOOKUP, person_id)], times=new)
