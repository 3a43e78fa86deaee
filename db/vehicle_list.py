"""The vehicles that people choose from, from a file: `python -m db.vehicle_list --help`.

Without makes and models no activation gets past the step of the vehicle. An operator of the installation brings them in a file
of CSV with the columns make, model, first_year and last_year. Activations and carts name what was chosen, so nothing is taken
away: models are added, and their years change. May be repeated; what is done is audited.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions
from db.operations.audit import record
from db.operators import OPERATOR
from db.operators_files import command, parser
from db.platform.copying import copy_rows
from db.vehicles.vehicles import MakeRow, ModelRow
from domain.vehicles.listed import ListedModel, listed_models
from domain.vehicles.vehicles import FIRST_YEAR
from settings import Settings

NOTHING_NEW = "Every vehicle of the file is there."

_ADD_VEHICLES = text(
    f"""
    insert into vehicle (id, model_id, year, vehicle_description)
    select m.id * 100 + y - {FIRST_YEAR}, m.id, y, y || ' ' || k.name || ' ' || m.name
    from vehicle_model m join vehicle_make k on k.id = m.make_id
    cross join generate_series(m.first_year, m.last_year) y
    where m.id = any(:models)
    on conflict do nothing
    """
)
"""Of each of their years; what stands in the lists of one is found by it."""


async def carry_out(sessions: Sessions, written: str, *, only_check: bool = False) -> list[str]:
    """All of it or nothing; what there is to say of it. Raises FaultyFile."""
    models = listed_models(written)
    async with sessions.begin() as session:
        said = await _take(session, models)
        if only_check:
            await session.rollback()
    return said or [NOTHING_NEW]


async def _take(session: AsyncSession, models: Sequence[ListedModel]) -> list[str]:
    await session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended("vehicles", 0))))
    makes, new_makes = await _with_makes(session, models)
    known = {
        (row.make_id, row.name.casefold()): row for row in await session.scalars(select(ModelRow))
    }
    number = max((row.id for row in known.values()), default=0)
    new: list[tuple[object, ...]] = []
    touched: list[int] = []
    for one in models:
        make_id = makes[one.make.casefold()]
        row = known.get((make_id, one.model.casefold()))
        if row is None:
            number += 1
            new.append((number, make_id, one.model, one.first_year, one.last_year))
            touched.append(number)
        elif (row.first_year, row.last_year) != (one.first_year, one.last_year):
            years = {"first_year": one.first_year, "last_year": one.last_year}
            await session.execute(update(ModelRow).where(ModelRow.id == row.id).values(**years))
            touched.append(row.id)
    if not touched:
        return []
    await copy_rows(session, MakeRow, "id name", new_makes)
    await copy_rows(session, ModelRow, "id make_id name first_year last_year", new)
    await session.execute(_ADD_VEHICLES, {"models": touched})
    counts: dict[str, Any] = {
        "makes": len(new_makes),
        "models": len(new),
        "years": len(touched) - len(new),
    }
    await record(session, "listed vehicles", actor=OPERATOR, more=counts)
    return [
        f"added {counts['makes']} makes and {counts['models']} models, "
        f"changed the years of {counts['years']}"
    ]


async def _with_makes(
    session: AsyncSession, models: Sequence[ListedModel]
) -> tuple[dict[str, int], list[tuple[object, ...]]]:
    """The id of each make, and the rows of those that are new."""
    ids = {row.name.casefold(): row.id for row in await session.scalars(select(MakeRow))}
    number = max(ids.values(), default=0)
    new: list[tuple[object, ...]] = []
    for one in models:
        if one.make.casefold() not in ids:
            number += 1
            ids[one.make.casefold()] = number
            new.append((number, one.make))
    return ids, new


def main() -> None:
    options = parser("db.vehicle_list", __doc__).parse_args()
    command(options, carry_out, Settings().database_url)


if __name__ == "__main__":
    main()
