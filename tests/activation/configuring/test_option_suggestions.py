"""What finished activations of the same vehicle and product have in common."""

from datetime import UTC, datetime
from typing import Any

import pytest

from db.base import Sessions
from db.devices.option_writes import option_suggestions, save_option_write
from db.runs.flows import FlowRow
from domain.devices.option_suggestions import OptionTally, suggestions_from
from domain.devices.option_tables import OptionTable
from tests.drivers.factories import a_name
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Whole

CAMRY: dict[str, Any] = {
    "year": 2022,
    "make_id": 448,
    "make": "Toyota",
    "model_id": 2469,
    "model": "Camry",
}
AT = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("used", "dealers", "finished", "is_told"),
    [
        (14, 6, 16, True),
        (5, 3, 9, True),
        (5, 3, 10, False),
        (4, 3, 4, False),
        (9, 2, 9, False),
    ],
)
def test_a_value_is_suggested_from_enough_activations_and_dealers(
    used: int, dealers: int, finished: int, *, is_told: bool
) -> None:
    tally = OptionTally(key="runtime", value=25, used=used, dealers=dealers)
    rare = OptionTally(key="runtime", value=3, used=1, dealers=1)
    told = [
        (one.value, one.used, one.finished) for one in suggestions_from([rare, tally], finished)
    ]
    assert told == ([(25, used, finished)] if is_told else [])


async def test_only_finished_activations_of_the_same_vehicle_and_product_count(
    sessions: Sessions,
) -> None:
    product, model = a_name(), 77
    async with sessions() as session:  # never committed: other tests list activations
        for number in range(7):
            flow = _flow(product, model, dealer=f"dealer-{number % 3}")
            session.add(flow)
            await session.flush()
            value = 45 if number == 6 else 25
            await save_option_write(session, flow.id, OptionTable.CONTROLLER, {"runtime": 15})
            await save_option_write(session, flow.id, OptionTable.CONTROLLER, {"runtime": value})
            await save_option_write(session, flow.id, OptionTable.KEYLOCKER, {"runtime": 1})
        for other in (
            _flow(product, model, dealer="dealer-9", outcome="abandoned"),
            _flow(product, model + 1, dealer="dealer-9"),
            _flow(a_name(), model, dealer="dealer-9"),
        ):
            session.add(other)
            await session.flush()
            await save_option_write(session, other.id, OptionTable.CONTROLLER, {"runtime": 45})
        told = await option_suggestions(
            session, product=product, year=2022, model_id=model, table=OptionTable.CONTROLLER
        )
        of_other_year = await option_suggestions(
            session, product=product, year=2021, model_id=model, table=OptionTable.CONTROLLER
        )
    assert [(one.key, one.value, one.used, one.finished) for one in told] == [("runtime", 25, 6, 7)]
    assert of_other_year == ()


async def test_what_others_wrote_is_told_at_the_step_once_the_vehicle_is_known(
    whole: Whole,
) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.walk_to(
            await installer.started(a_device_key()), "set-vehicle-details"
        )

        async def suggested() -> list[dict[str, Any]]:
            answer = await installer.browser.get(
                f"/v1/activations/{begun['id']}/option-suggestions", params={"table": "controller"}
            )
            assert answer.status_code == 200, answer.text
            return answer.json()

        product = begun["view"]["device"]["product_name"]
        others = [_flow(product, CAMRY["model_id"], dealer=a_name(), year=1999) for _ in range(5)]
        async with whole.sessions.begin() as session:
            session.add_all(others)
            await session.flush()
            for flow in others:
                await save_option_write(session, flow.id, OptionTable.CONTROLLER, {"runtime": 25})
        try:
            assert await suggested() == []
            answer = await installer.submit(begun, data=CAMRY | {"year": 1999})
            assert answer.status_code in (200, 202), answer.text
            await installer.until(begun["id"], lambda flow: flow["view"]["facts"]["vehicle"])
            assert await suggested() == [{"key": "runtime", "value": 25, "used": 5, "finished": 5}]
        finally:
            async with whole.sessions.begin() as session:
                for flow in others:
                    await session.delete(flow)


def _flow(
    product: str, model: int, *, dealer: str, outcome: str = "completed", year: int = 2022
) -> FlowRow:
    id_ = a_name()
    view: dict[str, Any] = {
        "device": {"product_name": product},
        "facts": {"vehicle": {"year": year, "model_id": model}},
    }
    return FlowRow(
        id=id_,
        kind="activation",
        version=2,
        workflow_id=f"act-{id_}",
        run_id=id_,
        rev=1,
        seq=1,
        state=outcome,
        allowed=[],
        view=view,
        site="ca",
        dealer_id=dealer,
        outcome=outcome,
        created_at=AT,
        updated_at=AT,
        ended_at=AT,
    )
