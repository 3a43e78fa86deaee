"""Vehicles that an operator brings by a file, into an empty database."""

from collections.abc import AsyncGenerator

import pytest
from sqlalchemy import func, select

from db.base import Sessions, make_engine, make_sessions
from db.operations.audit import AuditRow
from db.vehicle_list import NOTHING_NEW, carry_out
from db.vehicles.vehicles import MakeRow, is_vehicle, makes_of, models_of
from db.vehicles.wiring import find_vehicle
from dev.servers import Servers
from domain.errors import FaultyFile
from domain.vehicles.listed import listed_models

HEAD = "make,model,first_year,last_year\n"
CARS = f"{HEAD}Toyota,Camry,1983,2027\nToyota,Corolla,1968,2027\nHonda,Civic,1973,2005\n"


@pytest.fixture
async def empty(servers: Servers, worker_id: str) -> AsyncGenerator[Sessions]:
    with servers.database(f"listed_{worker_id}") as (url, _):
        engine = make_engine(url)
        yield make_sessions(engine)
        await engine.dispose()


async def years_of(sessions: Sessions, make: str, model: str, *years: int) -> list[bool]:
    """Whether it may be chosen, and its page opened, in each of these."""
    found: list[bool] = []
    async with sessions() as session:
        for year in years:
            makes = {one.name: one.id for one in await makes_of(session, year)}
            if make not in makes:
                found.append(False)
                continue
            models = {one.name: one.id for one in await models_of(session, year, makes[make])}
            if model not in models:
                found.append(False)
                continue
            ids = {"make_id": makes[make], "model_id": models[model]}
            is_known = await is_vehicle(session, year=year, make=make, model=model, **ids)
            found.append(is_known and await find_vehicle(session, year=year, **ids) is not None)
    return found


async def test_what_the_file_lists_may_be_chosen_and_opened(empty: Sessions) -> None:
    told = await carry_out(empty, CARS, only_check=True)
    assert await years_of(empty, "Toyota", "Camry", 2020) == [False], "nothing was changed by it"
    assert await carry_out(empty, CARS) == told
    assert told == ["added 2 makes and 3 models, changed the years of 0"]
    assert await years_of(empty, "Toyota", "Camry", 1982, 1983, 2027) == [False, True, True]
    assert await years_of(empty, "Honda", "Civic", 2005, 2006) == [True, False]


async def test_the_second_time_nothing_is_changed_and_nothing_noted(empty: Sessions) -> None:
    await carry_out(empty, CARS)
    assert await carry_out(empty, CARS.replace("Toyota", "TOYOTA")) == [NOTHING_NEW]
    async with empty() as session:
        noted = await session.scalar(select(func.count()).select_from(AuditRow))
        names = (await session.scalars(select(MakeRow.name).order_by(MakeRow.name))).all()
    assert (noted, names) == (1, ["Honda", "Toyota"])


async def test_a_later_file_adds_models_and_years_and_takes_nothing_away(empty: Sessions) -> None:
    await carry_out(empty, CARS)
    later = f"{HEAD.replace(',', ';')}Honda;Civic;1973;2027\nHonda;Fit;2007;2020\n"
    assert await carry_out(empty, later) == ["added 0 makes and 1 models, changed the years of 1"]
    assert await years_of(empty, "Honda", "Civic", 2005, 2027) == [True, True]
    assert await years_of(empty, "Honda", "Fit", 2007) == [True]
    assert await years_of(empty, "Toyota", "Camry", 2020) == [True]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("Toyota,Camry,1983\n", "line 2: 3 columns, and not 4"),
        ("Toyota,Camry,soon,2027\n", "line 2, first_year: "),
        ("Toyota,Camry,1983,2040\n", "line 2, last_year: "),
        ("Toyota,Camry,2027,1983\n", "line 2, last_year: last_year is before first_year"),
        ("\nToyota,,1983,2027\n", "line 3, model: "),
        ("Toyota,Camry,1983,2027\ntoyota,CAMRY,1990,1991\n", "line 3, model: toyota CAMRY stands"),
    ],
)
def test_what_is_wrong_is_told_by_line_and_column(rows: str, said: str) -> None:
    with pytest.raises(FaultyFile) as faulty:
        listed_models(HEAD + rows)
    (fault,) = faulty.value.faults
    assert fault.startswith(said)


def test_a_file_of_other_columns_is_refused() -> None:
    with pytest.raises(FaultyFile, match="line 1: the columns are make, model"):
        listed_models("year,make,model\n2020,Toyota,Camry\n")


async def test_a_make_beyond_the_first_hundreds_of_a_year_may_be_chosen(empty: Sessions) -> None:
    tuners = "".join(f"Tuner {number:03},One,2000,2027\n" for number in range(250))
    await carry_out(empty, f"{HEAD}{tuners}Volvo,XC60,2008,2027\n", only_check=False)
    assert await years_of(empty, "Volvo", "XC60", 2022) == [True]
