"""Live views: the present one at once, then each change, for as long as one may look."""

import asyncio
from collections.abc import Generator
from contextlib import AsyncExitStack
from datetime import timedelta

import pytest
from sqlalchemy import update

from api.platform.live import MOST_STREAMS
from api.runs.events import KINDS, MOST_RUNS, READ_BY, Pace
from db.identity.people import PersonRow
from domain.identity.policy import POLICY
from tests.billing.invoice_payments.factories import a_paid
from tests.billing.invoices.factories import an_invoice, mirrored
from tests.drivers.factories import (
    Dealer,
    a_dealer,
    a_name,
    an_installer,
    an_outside_rep,
    an_owner,
)
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole, iccid_of, problem
from tests.orders.erp.test_webhook_api import a_shipment, post_events
from tests.orders.factories import a_line, an_order
from tests.plans.test_api import a_subscription
from tests.runs.events.streams import PATIENCE, Stream, following


@pytest.fixture
def quick(whole: Whole) -> Generator[None]:
    """Heartbeats that a test can wait for."""
    whole.app.state.pace = Pace(heartbeat=timedelta(milliseconds=200))
    yield
    whole.app.state.pace = None


async def test_the_present_view_comes_at_once_and_each_change_after_it(
    whole: Whole, address: str
) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        async with following(address, installer, f"activation:{begun['id']}") as stream:
            assert stream.answer.headers["content-type"].startswith("text/event-stream")
            assert stream.answer.headers["cache-control"] == "no-store"
            assert "gzip" in stream.answer.request.headers["accept-encoding"]
            assert "content-encoding" not in stream.answer.headers
            shown = await stream.event()
            assert shown == await installer.look(begun["id"])
            await installer.submit(begun)
            changed = await stream.event()
            assert changed is not None
            assert (changed["state"], changed["rev"]) == ("set-vehicle-details", begun["rev"] + 1)


async def test_an_accepted_start_arrives_on_the_stream(whole: Whole, address: str) -> None:
    async with whole.signed_in() as installer:
        answer = await installer.start(a_device_key(traits="001"))
        assert answer.status_code == 202
        async with following(address, installer, f"activation:{answer.json()['id']}") as stream:
            assert (await stream.until("power-on-device"))["allowed"]


async def test_two_runs_are_followed_over_one_connection(whole: Whole, address: str) -> None:
    async with whole.signed_in() as installer:
        runs = [await installer.started(a_device_key()) for _ in range(2)]
        follow = ",".join(f"activation:{run['id']}" for run in runs)
        async with following(address, installer, follow) as stream:
            shown = [await stream.event(), await stream.event()]
            assert {flow["id"] for flow in shown if flow} == {run["id"] for run in runs}
            await installer.submit(runs[1])
            assert (await stream.until("set-vehicle-details"))["id"] == runs[1]["id"]


async def test_a_guest_follows_with_the_secret(whole: Whole, address: str) -> None:
    key = a_device_key()
    async with whole.anonymous() as anybody:
        begun = await anybody.started(key, iccid_last_digits=iccid_of(key))
    async with (
        whole.anonymous(begun["resume_token"]) as guest,
        following(address, guest, f"activation:{begun['id']}") as stream,
    ):
        assert await stream.event() == await guest.look(begun["id"])


async def test_a_strangers_run_is_not_there(whole: Whole) -> None:
    async with whole.signed_in() as owner, whole.signed_in() as stranger:
        begun = await owner.started(a_device_key())
        for id_ in (begun["id"], "0" * 32):
            answer = await stranger.browser.get(
                "/v1/events", params={"follow": f"activation:{id_}"}
            )
            assert problem(answer) == (404, "not_found")


def test_whatever_may_be_followed_has_an_operation_that_reads_it() -> None:
    assert set(READ_BY) == {*KINDS, "team", "order"}
    assert set(READ_BY.values()) <= set(POLICY)


@pytest.mark.parametrize(
    "follow",
    [
        "",
        "activation",
        "activation:",
        "invoice:1",
        "activation:1,",
        ",".join(["activation:1"] * (MOST_RUNS + 1)),
    ],
)
async def test_what_is_no_list_of_runs_is_refused(whole: Whole, follow: str) -> None:
    async with whole.signed_in() as installer:
        answer = await installer.browser.get("/v1/events", params={"follow": follow})
    assert problem(answer) == (422, "invalid")
    assert [fault["field"] for fault in answer.json()["validation_errors"]] == ["follow"]


@pytest.mark.usefixtures("quick")
async def test_a_silent_stream_beats(whole: Whole, address: str) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        async with following(address, installer, f"activation:{begun['id']}") as stream:
            assert await stream.event() is not None
            await stream.heartbeat()
            await stream.heartbeat()


async def test_of_too_many_streams_of_one_caller_the_oldest_says_that_it_gives_way_and_ends(
    whole: Whole, address: str
) -> None:
    async with whole.signed_in() as installer, AsyncExitStack() as stack:
        begun = await installer.started(a_device_key())
        follow = f"activation:{begun['id']}"

        async def opened(caller: Caller) -> Stream:
            stream = await stack.enter_async_context(following(address, caller, follow))
            assert await stream.event() is not None
            return stream

        assert installer.user is not None
        dealer = Dealer(id=installer.user.dealer_id or "", partner_code="")
        other = await an_installer(whole.sessions, dealer)
        colleague = await stack.enter_async_context(whole.signed_in(other))
        streams = [await opened(one) for one in (colleague, *[installer] * (MOST_STREAMS + 1))]
        async with asyncio.timeout(PATIENCE):
            await streams[1].end()
        assert streams[1].gave_way
        await installer.submit(begun)
        for stream in (streams[0], *streams[2:]):
            assert (await stream.until("set-vehicle-details"))["id"] == begun["id"]
            assert not stream.gave_way


@pytest.mark.usefixtures("quick")
async def test_signing_out_ends_the_stream(whole: Whole, address: str) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        async with following(address, installer, f"activation:{begun['id']}") as stream:
            assert await stream.event() is not None
            assert (await installer.browser.post("/v1/auth/sign-out-everywhere")).is_success
            await stream.end()


@pytest.mark.usefixtures("quick")
async def test_who_retires_follows_what_they_pay_no_more(whole: Whole, address: str) -> None:
    dealer = await a_dealer(whole.sessions)
    owner = await an_owner(whole.sessions, dealer)
    payment = f"paid-{a_name()}"
    async with whole.sessions.begin() as session:
        session.add(a_paid(payment, owner, dealer))
    async with (
        whole.signed_in(owner) as caller,
        following(address, caller, f"invoice_payment:{payment}") as stream,
    ):
        assert await stream.event() is not None
        async with whole.sessions.begin() as session:
            await session.execute(
                update(PersonRow).where(PersonRow.id == owner.id).values(is_retired=True)
            )
        await stream.end()
        assert stream.signed_out is None


@pytest.mark.usefixtures("quick")
async def test_a_run_is_followed_no_more_once_its_device_is_anothers(
    whole: Whole, address: str
) -> None:
    async with whole.signed_in() as installer:
        key = a_device_key()
        begun = await installer.started(key)
        async with following(address, installer, f"activation:{begun['id']}") as stream:
            assert await stream.event() is not None
            await a_subscription(whole.sessions, await a_dealer(whole.sessions), device=key)
            await stream.end()


async def test_after_signing_out_the_next_change_is_not_shown(whole: Whole, address: str) -> None:
    async with whole.signed_in() as leaving:
        begun = await leaving.started(a_device_key())
        async with (
            whole.signed_in(leaving.user) as staying,
            following(address, leaving, f"activation:{begun['id']}") as stream,
        ):
            assert await stream.event() is not None
            assert (await leaving.browser.post("/v1/auth/sign-out")).is_success
            await staying.submit(begun)
            assert await stream.event() is None  # the word that it is over, and no view
            with pytest.raises(StopAsyncIteration):
                await stream.event()


@pytest.fixture
def short(whole: Whole) -> Generator[None]:
    whole.app.state.pace = Pace(
        heartbeat=timedelta(milliseconds=50), longest=timedelta(milliseconds=300)
    )
    yield
    whole.app.state.pace = None


@pytest.mark.usefixtures("short")
async def test_no_stream_lives_for_ever(whole: Whole, address: str) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        async with following(address, installer, f"activation:{begun['id']}") as stream:
            await stream.end()


async def test_signing_out_in_one_tab_ends_the_stream_of_the_other_at_once(
    whole: Whole, address: str
) -> None:
    """At the pace of production: nobody waits for the next heartbeat."""
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        follow = f"activation:{begun['id']},session:me"
        async with following(address, installer, follow) as stream:
            assert await stream.event() is not None
            assert (await installer.browser.post("/v1/auth/sign-out")).status_code == 204
            await stream.end()
            assert stream.signed_out == "signed_out"


async def test_a_page_without_a_run_follows_its_session(whole: Whole, address: str) -> None:
    async with (
        whole.signed_in(await an_outside_rep(whole.sessions)) as rep,
        following(address, rep, "session:me") as stream,
    ):
        assert (await rep.browser.post("/v1/auth/sign-out-everywhere")).status_code == 204
        await stream.end()
        assert stream.signed_out == "signed_out"


async def test_nobody_has_no_session_to_follow(whole: Whole) -> None:
    async with whole.anonymous() as nobody:
        answer = await nobody.browser.get("/v1/events", params={"follow": "session:me"})
        assert answer.status_code == 401


async def test_an_order_is_followed_with_its_shipments_and_invoices(
    whole: Whole, address: str
) -> None:
    dealer, foreign = await a_dealer(whole.sessions), await a_dealer(whole.sessions)
    order = await an_order(whole.sessions, dealer.partner_code, [a_line(quantity=3)])
    other = await an_order(whole.sessions, foreign.partner_code, [a_line()])
    async with (
        whole.signed_in(await an_owner(whole.sessions, dealer)) as owner,
        following(address, owner, f"order:{order.id}") as stream,
    ):
        assert await stream.event() == {"id": order.id}
        shipped = a_shipment(order, 1)
        assert await post_events(whole.app, shipped) == [(202, True)]
        assert await stream.event() == {"id": order.id}
        number = shipped["shipment"]["number"]
        invoice = an_invoice(dealer.partner_code, order_number=order.number, shipment_number=number)
        await mirrored(whole.sessions, invoice)
        assert await stream.event() == {"id": order.id}
        told = (await owner.browser.get(f"/v1/orders/{order.id}")).json()
        (sent,) = told["shipments"]
        assert (sent["number"], sent["invoiceNumber"]) == (number, invoice.number)
        assert (sent["carrier"], sent["trackingNumber"]) == ("NP", "1")
        assert [one["quantity"] for one in sent["parcels"]] == [1]
        for follow, status in ((f"order:{other.id}", 404), ("order:x,order:y", 422)):
            answer = await owner.browser.get("/v1/events", params={"follow": follow})
            assert answer.status_code == status
