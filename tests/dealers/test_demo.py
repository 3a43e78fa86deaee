"""The invented work of the demo dealers: it stands in the board's figures, and it earned something."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select, text

from db.base import Sessions
from db.dealers.payouts import list_months
from db.dealers.rewards import RewardRow, take_unrewarded
from db.demo.activations import COUNT, WALKED, add_finished_activations
from db.demo.people import HARBOUR, PRAIRIE
from db.devices.option_writes import option_suggestions
from db.devices.ownership import vehicles_of_device
from db.runs.flows import FlowRow
from db.vehicles.wiring import find_vehicle
from domain.devices.option_tables import OptionTable
from domain.kinds import ACTIVATION


async def test_finished_work_is_added_once_and_earned_something(demo_sessions: Sessions) -> None:
    async with demo_sessions.begin() as session:
        assert not await add_finished_activations(session, datetime.now(UTC))
        demo = (
            select(func.count())
            .select_from(FlowRow)
            .where(FlowRow.device_key.like("FT-%-200____1"))
        )
        assert (await session.scalar(demo) or 0) >= COUNT
        months, _ = await list_months(session, HARBOUR.id, None, None, limit=12, offset=0)
        assert len(months) >= 4
        assert all(month.amount > 0 for month in months)
        assert [month.state for month in months if month.state][:2] == ["refused", "paid"]
        theirs, _ = await list_months(session, PRAIRIE.id, None, None, limit=12, offset=0)
        assert "waiting" in {month.state for month in theirs}
        names = set(await session.scalars(select(RewardRow.installer_id).distinct()))
        assert {"ivan", "chloe", "olivia", "marcus"} <= names
        judged = await take_unrewarded(session, limit=1000)
        assert not any(run.device_key.startswith("FT-X1-200") for run in judged)
        oldest = await session.scalar(
            select(func.min(RewardRow.earned_at)).where(RewardRow.dealer_id == HARBOUR.id)
        )
        assert oldest is not None
        assert oldest < datetime.now(UTC) - timedelta(days=90)


async def test_most_of_the_finished_work_names_a_car_that_has_wiring(
    demo_sessions: Sessions,
) -> None:
    async with demo_sessions() as session:
        named, over = (
            await session.execute(
                text(
                    "select count(*) filter (where jsonb_typeof(view #> '{facts,vehicle}') = 'object'),"
                    " count(*) from flow where device_key like 'FT-%-200____1'"
                )
            )
        ).one()
        assert over * 0.8 < named < over
        (told,) = await vehicles_of_device(session, "FT-X1MAX-20000011")
        car = told.vehicle
        found = await find_vehicle(
            session, year=car.year, make_id=car.make_id, model_id=car.model_id
        )
        assert found is not None
        assert (found.make, found.model) == (car.make, car.model)
        assert found.image is not None
        assert await vehicles_of_device(session, "FT-X1MAX-20000061") == ()
        (runtime,) = await option_suggestions(
            session, product="ft-x1", year=2022, model_id=2469, table=OptionTable.CONTROLLER
        )
        assert (runtime.value, runtime.used, runtime.finished) == (25, 15, 17)


def test_the_steps_of_the_demo_work_are_those_of_the_present_flow() -> None:
    assert set(WALKED) <= set(ACTIVATION.labels)
