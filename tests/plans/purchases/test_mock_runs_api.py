"""A mock run touches no ledger and no payment table, also many at once (promise 11)."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from sqlalchemy import text

from api.platform.throttling.runs import MOCK_PURCHASE, RunTries
from dev.testing import is_whole
from tests.activation.people.test_openings_api import limited
from tests.drivers.all_that_is_written import Work, changed_by
from tests.drivers.stage import SIMULATED
from tests.drivers.whole_portal import Whole, problem
from tests.plans.purchases.buying import BASIC, PREMIUM, a_buyer, devices

ITS_OWN = {"flow", "transition", "purchase_start", "idempotency", "throttle"}
AT_ONCE = 50 if is_whole() else 15


async def rows_of_tables(whole: Whole, partner_code: str) -> dict[str, int]:
    """How many rows concern the business, or nobody in particular."""
    async with whole.sessions() as session:
        counts = {
            "payment": "select count(*) from payment where partner_code = :code",
            "payment_entry": "select count(*) from payment_entry e join payment p on p.id = e.payment_id"
            " where p.partner_code = :code",
            "receipt": "select count(*) from receipt where partner_code = :code",
            "subscription": "select count(*) from subscription where partner_code = :code",
            "intent": "select count(*) from intent i join flow f on f.id = i.flow_id where f.partner = :code",
            "device_reservation": "select count(*) from device_reservation d join flow f on f.id = d.flow_id"
            " where f.partner = :code and f.kind = 'purchase'",
        }
        return {
            table: int(await session.scalar(text(count), {"code": partner_code}) or 0)
            for table, count in counts.items()
        }


async def ledger_lines(whole: Whole) -> int:
    answer = await whole.stage.http.get(f"{SIMULATED}/cards/_ledger")
    return len(answer.json()["intents"])


async def test_many_mock_runs_at_once_leave_every_table_and_ledger_as_it_was(
    whole: Whole,
) -> None:
    async with a_buyer(whole) as buyer:
        code = buyer.dealer.partner_code
        before, lines = await rows_of_tables(whole, code), await ledger_lines(whole)
        device, other = devices(2)
        cart = {device: PREMIUM, other: BASIC}
        with limited(whole, wrong_per_hour=AT_ONCE):
            answers = await asyncio.gather(
                *(buyer.pay(cart, validate="true") for _ in range(AT_ONCE))
            )
        assert {answer.status_code for answer in answers} <= {200, 202, 503}
        taken = [answer.json() for answer in answers if answer.status_code != 503]
        uuids = {one.get("uuid") or one["id"] for one in taken}
        runs = [await buyer.until(uuid, "quoted") for uuid in uuids]
        assert len({run["view"]["quote_hash"] for run in runs}) == 1
        assert await rows_of_tables(whole, code) == before
        assert await ledger_lines(whole) == lines
        assert await buyer.plan_of(device) is None
        assert set(before.values()) == {0}


async def test_a_mock_run_writes_down_itself_and_nothing_else(whole: Whole) -> None:
    """It is a run that may be bought, so that its own row is there; it takes nothing and tells nobody."""

    @asynccontextmanager
    async def fresh() -> AsyncGenerator[Work]:
        async with a_buyer(whole) as buyer:

            async def mock_run() -> None:
                await buyer.quoted({devices(1)[0]: PREMIUM})

            yield mock_run

    assert await changed_by(whole.stage, fresh) <= ITS_OWN


async def test_mock_runs_are_limited_per_person(whole: Whole) -> None:
    """Beyond the limit none begins; a purchase that was quoted is bought all the same."""
    async with a_buyer(whole) as buyer:
        device, other = devices(2)
        uuid = (await buyer.quoted({device: PREMIUM}))["uuid"]
        for _ in range(MOCK_PURCHASE.tries - 1):
            await RunTries(whole.sessions).count_mock_purchase(f"user:{buyer.user.id}")
        refused = await buyer.pay({other: BASIC}, validate="true")
        assert problem(refused) == (429, "throttled")
        assert int(refused.headers["retry-after"]) > 0
        async with whole.sessions() as session:
            count = text("select count(*) from flow where kind = 'purchase' and owner_id = :owner")
            assert await session.scalar(count, {"owner": buyer.user.id}) == 1
        assert (await buyer.confirmed(uuid)).status_code in (200, 202)
