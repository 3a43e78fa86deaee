"""A worker dies between any two steps of an order: at each step once, before it had its effect or after (promises 1 and 2)."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from temporalio import activity
from temporalio.client import Client, Interceptor
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.exceptions import ApplicationError
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput
from temporalio.worker import Interceptor as WorkerInterceptor

from db.base import Sessions
from db.checkout.reservations import held_credit, held_pieces
from db.orders.mails import OrderMailRow
from db.orders.orders import order_of_token
from tests.checkout.placements.buying import on_hand_of
from tests.checkout.placements.runs import begun, ended
from tests.drivers.stage import SIMULATED, a_stage

WAYS: list[dict[str, Any]] = [
    {"card": "visa"},
    {"bank": "good"},
    {"type_": "COD"},
    {"type_": "TERMS"},
]


class Dying(Interceptor, WorkerInterceptor):
    """Of each run each activity is lost once; `after` it had its effect, though nobody is told of it."""

    def __init__(self, *, after: bool) -> None:
        self.after = after
        self.died: set[tuple[str, str]] = set()

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Dies(next, self)


class _Dies(ActivityInboundInterceptor):
    def __init__(self, next: ActivityInboundInterceptor, dying: Dying) -> None:
        super().__init__(next)
        self.dying = dying

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        info = activity.info()
        step = (str(info.workflow_id), info.activity_type)
        dies = step not in self.dying.died
        self.dying.died.add(step)
        if dies and not self.dying.after:
            raise ApplicationError("killed", type="killed")
        answer = await super().execute_activity(input)
        if dies:
            raise ApplicationError("killed", type="killed")
        return answer


@pytest.mark.whole
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_whatever_dies_in_between_an_order_is_made_paid_and_mailed_once(
    temporal: Client,
    sessions: Sessions,
    database_url: str,
    task_queue: str,
    tmp_path: Path,
    after: bool,
) -> None:
    dying = Dying(after=after)
    client = Client(
        temporal.service_client, data_converter=pydantic_data_converter, interceptors=[dying]
    )
    async with a_stage(client, sessions, database_url, task_queue, tmp_path) as stage:
        for way in WAYS:
            for held in (False, True):
                run = await begun(stage, held=held, **way)
                await ended(run, "confirmed")
                cents = round(run.start.total * 100)
                kept = [await run.kept(system) for system in ("cards", "gateway")]
                assert sum(kept) == (0 if "type_" in way else cents), way
                async with sessions() as session:
                    order = await order_of_token(session, run.token)
                    assert order is not None
                    mails = select(func.count()).where(OrderMailRow.token == run.token)
                    assert await session.scalar(mails) == 1
                    assert await held_pieces(session, [run.product.variant_id]) == {}
                    assert await held_credit(session, run.shop.code) == 0
                ledger = await stage.http.get(
                    f"{SIMULATED}/erp/_ledger", params={"reference": order.number}
                )
                assert [one["reference"] for one in ledger.json()["orders"]] == [order.number]
                assert await on_hand_of(sessions, run.product) == 8
    steps = {name for _, name in dying.died}
    assert {"check_and_reserve_placement", "authorise_payment", "record_order"} <= steps
    assert {"capture_payment", "end_placement"} <= steps
