"""What an order costs the database and the ERP: a promise to pay is recorded and ended in few statements, and one call."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from activities.checkout.placements import Ending, PlacementActivities
from activities.orders.confirmations import Confirmations
from activities.orders.orders import OrderActivities, Storing
from db.base import make_engine, make_sessions
from db.checkout.cart import latest_cart
from db.checkout.reservations import held_pieces
from domain.billing.payments import PaymentType
from domain.kinds import PLACEMENT
from domain.paper.seller import DEMO_SELLER
from domain.runs.projection import Projection
from tests.checkout.placements.buying import on_hand_of
from tests.checkout.placements.runs import Run, submitted
from tests.drivers.database.statements import statements_on
from tests.drivers.whole_portal import Whole
from workflows import ids


@dataclass
class Worker:
    """The activities of an order on a line of their own, and what they asked the ERP."""

    engine: AsyncEngine
    orders: OrderActivities
    placements: PlacementActivities
    asked: list[str]


@pytest.fixture
async def worker(whole: Whole, database_url: str) -> AsyncGenerator[Worker]:
    engine, asked = make_engine(database_url), list[str]()
    sessions, stage = make_sessions(engine), whole.stage

    async def note(request: httpx.Request) -> None:
        if request.url.path.endswith("/Orders"):
            asked.append(request.method)

    hooks = stage.http.event_hooks
    stage.http.event_hooks = {"request": [note]}
    systems = stage.systems
    confirmations = Confirmations(sessions, systems.messenger, DEMO_SELLER)
    orders = OrderActivities(sessions, systems.erp_orders, confirmations)
    yield Worker(engine, orders, PlacementActivities(sessions), asked)
    stage.http.event_hooks = hooks
    await engine.dispose()


async def test_an_order_is_recorded_and_ended_in_few_statements(
    whole: Whole, worker: Worker
) -> None:
    run = await submitted(whole.stage, type_="COD", held=True)
    before = await on_hand_of(whole.sessions, run.product)
    with statements_on(worker.engine) as asked:
        recorded = await worker.orders.record(storing_of(run))
    assert recorded.order.erp_number is not None
    assert worker.asked == ["POST"]
    assert len(asked) <= 11, asked
    with statements_on(worker.engine) as asked:
        await worker.placements.end(ending_of(run))
    assert len(asked) <= 4, asked
    async with whole.sessions() as session:
        assert await held_pieces(session, [run.product.variant_id]) == {}
        assert await latest_cart(session, run.shop.buyer.id, run.shop.code) is None
    assert await on_hand_of(whole.sessions, run.product) == before - 2


async def test_an_order_that_an_earlier_try_has_stored_is_looked_for_at_the_erp(
    whole: Whole, worker: Worker
) -> None:
    run = await submitted(whole.stage, type_="COD", held=True)
    stored = await worker.orders.store(storing_of(run))
    recorded = await worker.orders.record(storing_of(run))
    assert worker.asked == ["GET", "POST"]
    assert recorded.order.id == stored.id
    again = await worker.orders.record(storing_of(run))
    assert again == recorded
    assert worker.asked == ["GET", "POST"], "the ERP has it"


def storing_of(run: Run) -> Storing:
    return Storing(
        flow_id=run.token,
        workflow_id=ids.placement_id(run.token),
        turn=run.start.turn,
        type=PaymentType.COD,
        shown="Cash on delivery",
    )


def ending_of(run: Run) -> Ending:
    about = PLACEMENT.about(run.start)
    projection = Projection(
        id=run.token,
        kind="placement",
        version=4,
        workflow_id=ids.placement_id(run.token),
        run_id="",
        rev=5,
        seq=0,
        state="confirmed",
        allowed=(),
        view={},
        site=about.site,
        dealer_id=about.dealer_id,
        owner_id=about.person_id,
        partner=about.partner,
        outcome="confirmed",
        at=datetime.now(UTC),
        ended=True,
    )
    return Ending(projection=projection, turn=run.start.turn, placed=True, portal_url="http://p")
