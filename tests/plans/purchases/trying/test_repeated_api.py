"""The same body again, without a key: charged once within a day, by the provider's own record (decision 37)."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import delete, func, select, update
from temporalio.client import Interceptor, OutboundInterceptor, StartWorkflowInput, WorkflowHandle

from api.platform.deps import Portal
from db.operations.audit import AuditRow
from db.platform.idempotency import IdempotencyRow
from tests.drivers.portal import a_key
from tests.drivers.whole_portal import Whole, another_portal, problem
from tests.plans.purchases.buying import BASIC, PREMIUM, SHIP_TO, Buyer, a_buyer, cents_of, devices
from workflows.client import connect
from workflows.ids import purchase_id


async def said(buyer: Buyer, lines: dict[str, str], **body: Any) -> httpx.Response:
    """POST /v1/payments without an Idempotency-Key."""
    sent = {
        "line_items": [{"device_key": key, "plan_id": plan} for key, plan in lines.items()],
        "address": SHIP_TO,
        **body,
    }
    return await buyer.browser.post("/v1/payments", json=sent)


def uuid_of(answer: httpx.Response) -> str:
    assert answer.status_code in (200, 202), answer.text
    return answer.json().get("uuid") or answer.json()["id"]


async def receipts(buyer: Buyer) -> list[dict[str, Any]]:
    answer = await buyer.browser.get("/v1/payments")
    assert answer.status_code == 200
    return answer.json()["results"]


async def charged(buyer: Buyer, uuid: str) -> int:
    """Cents that the provider took for this purchase; there is no other one."""
    assert [one["uuid"] for one in await receipts(buyer)] == [uuid]
    return await buyer.cents(uuid)


async def test_the_same_body_again_answers_the_first_receipt(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        device, other = devices(2)
        first = uuid_of(await said(buyer, {device: PREMIUM, other: BASIC}))
        run = await buyer.until(first, "confirmed")
        for lines in ({device: PREMIUM, other: BASIC}, {other: BASIC, device: PREMIUM}):
            again = await said(buyer, lines)
            assert again.status_code == 200
            assert again.json()["uuid"] == first
            assert again.json()["final_charge"] == run["view"]["final_charge"]
        assert await charged(buyer, first) == cents_of(run["view"]["final_charge"])


async def test_ten_at_once_charge_once(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        (device,) = devices()
        answers = await asyncio.gather(*(said(buyer, {device: PREMIUM}) for _ in range(10)))
        (uuid,) = {uuid_of(answer) for answer in answers}
        run = await buyer.until(uuid, "confirmed")
        assert await charged(buyer, uuid) == cents_of(run["view"]["final_charge"])


async def test_a_quote_that_is_bought_ten_times_at_once_is_charged_once(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        (device,) = devices()
        quote = await buyer.quoted({device: PREMIUM})
        sent = {"quote_uuid": quote["uuid"]}
        answers = await asyncio.gather(*(said(buyer, {device: PREMIUM}, **sent) for _ in range(10)))
        assert {uuid_of(answer) for answer in answers} == {quote["uuid"]}
        run = await buyer.until(quote["uuid"], "confirmed")
        again = await said(buyer, {device: PREMIUM}, **sent)
        assert (again.status_code, again.json()["uuid"]) == (200, quote["uuid"])
        assert await charged(buyer, quote["uuid"]) == cents_of(run["view"]["final_charge"])


class _LosesAStart(Interceptor):
    """Temporal takes a run, and nobody is told of it; once."""

    def __init__(self) -> None:
        self.left = [TimeoutError]

    def intercept_client(self, next: OutboundInterceptor) -> OutboundInterceptor:
        left = self.left

        class Outbound(OutboundInterceptor):
            async def start_workflow(self, input: StartWorkflowInput) -> WorkflowHandle[Any, Any]:
                begun = await super().start_workflow(input)
                if left:
                    raise left.pop()
                return begun

        return Outbound(next)


async def test_who_bought_is_recorded_once_though_the_start_was_lost(
    whole: Whole, temporal_address: str
) -> None:
    async with another_portal(whole) as other, a_buyer(other) as buyer:
        losing = await connect(temporal_address, interceptors=[_LosesAStart()])
        portal: Portal = other.app.state.portal
        other.app.state.portal = replace(portal, temporal=losing)
        (device,), key = devices(), uuid4().hex
        assert (await buyer.pay({device: PREMIUM}, key=key)).status_code == 503
        (told,) = await bought_by(whole, buyer)
        uuid = uuid_of(await buyer.pay({device: PREMIUM}, key=key))
        run = await buyer.until(uuid, "confirmed")
        assert await bought_by(whole, buyer) == [told] == [uuid]
        assert await charged(buyer, uuid) == cents_of(run["view"]["final_charge"])


async def bought_by(whole: Whole, buyer: Buyer) -> list[str | None]:
    """Each purchase, as often as it is recorded."""
    of = (AuditRow.action == "bought plans", AuditRow.actor == f"user:{buyer.user.id}")
    async with whole.sessions() as session:
        return list(await session.scalars(select(AuditRow.object_id).where(*of)))


async def test_other_plans_devices_or_people_are_another_purchase(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        device, other = devices(2)
        first = uuid_of(await said(buyer, {device: BASIC}))
        await buyer.until(first, "confirmed")
        upgraded = uuid_of(await said(buyer, {device: PREMIUM}))
        await buyer.until(upgraded, "confirmed")
        both = uuid_of(await said(buyer, {other: BASIC}))
        await buyer.until(both, "confirmed")
        async with a_buyer(whole, dealer=buyer.dealer) as colleague:
            renewed = uuid_of(await said(colleague, {other: BASIC}))
            await colleague.until(renewed, "confirmed")
            assert await colleague.cents(renewed) > 0
        assert len({first, upgraded, both, renewed}) == 4


async def test_another_end_date_is_another_purchase(whole: Whole) -> None:
    """It is a renewal of the first, cut to its day; the same day again is the same one."""
    async with a_buyer(whole) as buyer:
        (device,) = devices()
        first = uuid_of(await said(buyer, {device: PREMIUM}))
        run = await buyer.until(first, "confirmed")
        ends = datetime.fromisoformat(run["view"]["lines"][0]["ends_at"]) + timedelta(days=100)
        line = {"device_key": device, "plan_id": PREMIUM, "ends_on": ends.date().isoformat()}
        renewed = uuid_of(await said(buyer, {}, line_items=[line]))
        assert renewed != first
        run = await buyer.until(renewed, "confirmed")
        assert run["view"]["lines"][0]["ends_on"] == line["ends_on"]
        assert uuid_of(await said(buyer, {}, line_items=[line])) == renewed


async def test_a_quote_to_another_day_is_not_agreed_to(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        (device,) = devices()
        day = (datetime.now(UTC) + timedelta(days=100)).date()
        line = {"device_key": device, "plan_id": PREMIUM, "ends_on": day.isoformat()}
        quote = await buyer.quoted({}, line_items=[line])
        other = {**line, "ends_on": (day + timedelta(days=1)).isoformat()}
        for wished in (other, {**line, "ends_on": None}):
            refused = await said(buyer, {}, quote_uuid=quote["uuid"], line_items=[wished])
            assert problem(refused) == (409, "quote_changed")
        bought = await said(buyer, {}, quote_uuid=quote["uuid"], line_items=[line])
        assert uuid_of(bought) == quote["uuid"]


async def test_whoever_wants_the_same_again_sends_a_key(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        (device,) = devices()
        first = uuid_of(await said(buyer, {device: PREMIUM}))
        await buyer.until(first, "confirmed")
        renewed = uuid_of(await buyer.pay({device: PREMIUM}))
        await buyer.until(renewed, "confirmed")
        assert renewed != first
        assert await buyer.cents(renewed) > 0


async def test_after_a_day_the_same_body_buys_again(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        (device,) = devices()
        first = uuid_of(await said(buyer, {device: PREMIUM}))
        await buyer.until(first, "confirmed")
        async with whole.sessions.begin() as session:
            await session.execute(
                update(IdempotencyRow)
                .where(IdempotencyRow.actor == f"user:{buyer.user.id}")
                .values(claimed_at=func.now() - timedelta(hours=24, minutes=1))
            )
        assert uuid_of(await said(buyer, {device: PREMIUM})) != first


async def test_after_a_decline_the_same_body_may_be_paid_by_another_card(whole: Whole) -> None:
    async with a_buyer(whole, card="transactionDeclined") as buyer:
        (device,) = devices()
        declined = await said(buyer, {device: PREMIUM}, card_id=buyer.card)
        assert problem(declined)[0] == 409
        good = await buyer.another_card()
        uuid = uuid_of(await said(buyer, {device: PREMIUM}, card_id=good))
        run = await buyer.until(uuid, "confirmed")
        again = await said(buyer, {device: PREMIUM}, card_id=good)
        assert uuid_of(again) == uuid
        assert await buyer.cents(uuid) == cents_of(run["view"]["final_charge"])


async def run_id_of(buyer: Buyer, uuid: str) -> str | None:
    """The latest of its executions, once that is over."""
    handle = buyer.whole.stage.client.get_workflow_handle(purchase_id(uuid))
    await handle.result()
    return (await handle.describe()).run_id


async def lost(buyer: Buyer, key: str) -> None:
    """What was answered under this key: the process died before it was kept."""
    async with buyer.whole.sessions.begin() as session:
        row = IdempotencyRow
        await session.execute(
            delete(row).where(row.actor == f"user:{buyer.user.id}", row.key == key)
        )


async def test_a_key_whose_answer_was_lost_names_the_purchase_after_its_end(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        (device,), key = devices(), a_key()["Idempotency-Key"]
        uuid = uuid_of(await buyer.pay({device: PREMIUM}, key=key))
        run = await buyer.until(uuid, "confirmed")
        began = await run_id_of(buyer, uuid)
        await lost(buyer, key)
        again = await buyer.pay({device: PREMIUM}, key=key)
        assert (again.status_code, again.json()["uuid"]) == (200, uuid)
        assert again.json()["state"] == "confirmed"
        assert await run_id_of(buyer, uuid) == began
        assert await charged(buyer, uuid) == cents_of(run["view"]["final_charge"])


async def test_a_key_whose_quote_has_ended_begins_no_other(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        (device,), key = devices(), a_key()["Idempotency-Key"]
        uuid = uuid_of(await buyer.pay({device: PREMIUM}, validate="true", key=key))
        await buyer.ask(uuid, "cancel")
        await buyer.until(uuid, "cancelled")
        began = await run_id_of(buyer, uuid)
        await lost(buyer, key)
        again = await buyer.pay({device: PREMIUM}, validate="true", key=key)
        assert problem(again) == (410, "quote_expired")
        assert await run_id_of(buyer, uuid) == began


class _NotesStarts(Interceptor):
    """What Temporal is asked to begin."""

    def __init__(self) -> None:
        self.begun = list[str]()

    def intercept_client(self, next: OutboundInterceptor) -> OutboundInterceptor:
        begun = self.begun

        class Outbound(OutboundInterceptor):
            async def start_workflow(self, input: StartWorkflowInput) -> WorkflowHandle[Any, Any]:
                begun.append(input.id)
                return await super().start_workflow(input)

        return Outbound(next)


@pytest.mark.parametrize(
    ("validate", "end", "status"), [("true", "cancelled", 410), ("false", "confirmed", 200)]
)
async def test_a_purchase_that_was_begun_is_found_by_its_key_without_temporal(
    whole: Whole, temporal_address: str, validate: str, end: str, status: int
) -> None:
    """Which forgets it after its retention."""
    async with another_portal(whole) as other, a_buyer(other) as buyer:
        notes = _NotesStarts()
        noting = await connect(temporal_address, interceptors=[notes])
        portal: Portal = other.app.state.portal
        other.app.state.portal = replace(portal, temporal=noting)
        (device,), key = devices(), a_key()["Idempotency-Key"]
        uuid = uuid_of(await buyer.pay({device: PREMIUM}, validate=validate, key=key))
        if end == "cancelled":
            await buyer.ask(uuid, "cancel")
        await buyer.until(uuid, end)
        assert notes.begun == [purchase_id(uuid)]
        await lost(buyer, key)
        again = await buyer.pay({device: PREMIUM}, validate=validate, key=key)
        assert again.status_code == status, again.text
        assert notes.begun == [purchase_id(uuid)]
