"""Limits of purchasers and orders that wait for an owner, by the calls of the portal (decision 61)."""

import asyncio
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
from sqlalchemy import func, select, update

from activities.checkout.approvals import ApprovalActivities, Approving
from db.base import Sessions
from db.catalogue.tables import VariantRow
from db.checkout import placements
from db.checkout.cart import CartLineRow, CartRow
from db.checkout.limits import set_limits
from db.checkout.placements import PlacementRow
from db.checkout.quote import counted
from db.checkout.reservations import held_credit, held_pieces
from db.dealers.team import last_change
from db.partner_tables import load_sites
from domain.billing.payments import PaymentType
from domain.checkout.draft import PaymentChoice
from domain.checkout.limits import PurchaseLimits
from domain.checkout.placement import PlacementStart
from domain.checkout.placement_snapshot import Snapshot
from domain.checkout.quote import blocking
from domain.identity.people import Actor, User
from tests.catalogue.factories import a_product
from tests.checkout.cart.buyers import CHECKOUT, buying, refusal
from tests.checkout.coupons.factories import a_channel_shop, a_coupon, listed
from tests.checkout.placements.buying import (
    QUICK,
    Basket,
    a_basket,
    a_second_portal,
    elsewhere,
)
from tests.checkout.quote.buyers import Shop, a_shop, codes, mock, pay_by
from tests.drivers.factories import Dealer, an_installer, an_owner
from tests.drivers.portal import a_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole
from workflows import ids

PARALLEL = 20


async def a_purchasers_shop(sessions: Sessions, shop: Shop | None = None) -> tuple[Shop, User]:
    """The shop of a purchaser, and the owner of their business."""
    shop = shop or await a_shop(sessions)
    dealer = Dealer(id=str(shop.buyer.dealer_id), partner_code=shop.code)
    buyer = await an_installer(sessions, dealer, is_purchaser=True)
    return replace(shop, buyer=buyer), shop.buyer


async def limit(owner: httpx.AsyncClient, person: User, **limits: Any) -> httpx.Response:
    return await owner.patch(f"/v1/installer/{person.id}/limits", json=limits)


async def answer(
    owner: httpx.AsyncClient, basket: Basket, said: str, note: str = "Fine"
) -> httpx.Response:
    return await owner.post(
        f"/v1/approvals/{basket.token}/{said}", json={"note": note}, headers=a_key()
    )


async def longest_timer(whole: Whole, token: str) -> timedelta:
    """Of the run, which outlives every process and deploy."""
    handle = whole.stage.client.get_workflow_handle(ids.placement_id(token))
    history = await handle.fetch_history()
    return max(
        event.timer_started_event_attributes.start_to_fire_timeout.ToTimedelta()
        for event in history.events
        if event.HasField("timer_started_event_attributes")
    )


async def dearer(whole: Whole, basket: Basket) -> None:
    """What is in it costs more from now on."""
    async with whole.sessions.begin() as session:
        await session.execute(
            update(VariantRow)
            .where(VariantRow.id == basket.product.variant_id)
            .values(msrp=Decimal("120.00"))
        )


@asynccontextmanager
async def waiting(
    whole: Whole, *, payment: str = "COD", of: Shop | None = None
) -> AsyncGenerator[tuple[Basket, httpx.AsyncClient, Shop, User]]:
    """An order of a purchaser that waits, and its owner's browser."""
    shop, owner = await a_purchasers_shop(whole.sessions, of)
    async with (
        buying(whole.app, owner) as at_owner,
        a_basket(whole, shop=shop, payment=payment) as basket,
    ):
        assert (await limit(at_owner, shop.buyer, approval_above=100)).status_code == 200
        await basket.submit(approvalReason="For the van")
        await basket.until("waiting_for_approval")
        yield basket, at_owner, shop, owner


async def test_an_order_above_the_limit_waits_for_an_owner(whole: Whole) -> None:
    async with waiting(whole, payment="TERMS") as (basket, owner, shop, who):
        run = await basket.until("waiting_for_approval")
        assert run["view"]["waits_for"] == "approver"
        assert run["view"]["approval"]["reason"] == "For the van"
        async with whole.sessions() as session:
            assert await held_pieces(session, [basket.product.variant_id]) == {}
            assert await held_credit(session, shop.code) == 0
            # what an owner's start page follows
            assert (await last_change(session, str(who.dealer_id)) or [None, None])[1] == (
                basket.token
            )
        assert await longest_timer(whole, basket.token) > timedelta(days=29, hours=23)
        latest = (await basket.browser.get(f"{CHECKOUT}/last-b2b-token")).json()
        assert latest["token"] is None  # another cart can be filled meanwhile
        (listed,) = (await owner.get("/v1/approvals")).json()["results"]
        assert (listed["token"], listed["reason"], listed["mine"]) == (
            basket.token,
            "For the van",
            False,
        )
        (mine,) = (await basket.browser.get("/v1/approvals")).json()["results"]
        assert mine["mine"] is True
        asked = await until(lambda: whole.stage.mails(who.email), lambda mails: bool(mails))
        assert f"/approvals/{basket.token}" in str(asked[0])
        month = (await owner.get(f"/v1/installer/{shop.buyer.id}/limits")).json()
        assert month["ordered"] == run["view"]["total"]
        assert (await answer(basket.browser, basket, "approve")).status_code == 403
        assert (await answer(owner, basket, "approve")).status_code in (200, 202)
        done = await basket.until("confirmed")
        assert done["view"]["approval"] | {"until": None} == {
            "reason": "For the van",
            "above": 100.0,
            "until": None,
            "answered_by": who.name,
            "note": "Fine",
        }
        assert refusal(await answer(owner, basket, "reject")) == (409, "approval_answered")
        assert (await owner.get("/v1/approvals")).json()["results"] == []


async def test_what_is_rejected_gives_the_cart_back(whole: Whole) -> None:
    async with waiting(whole) as (basket, owner, _, _who):
        assert (await answer(owner, basket, "reject", "")).status_code == 422
        assert (await answer(owner, basket, "reject", "Not now")).status_code in (200, 202)
        run = await basket.until("rejected")
        assert run["view"]["approval"]["note"] == "Not now"
        latest = (await basket.browser.get(f"{CHECKOUT}/last-b2b-token")).json()
        assert latest == {"token": basket.token, "quantity": 2}


async def test_the_coupon_of_an_order_that_waits_is_used_and_comes_back_with_a_rejection(
    whole: Whole,
) -> None:
    """Its last use is nobody else's from the submit on."""
    shop, channel = await a_channel_shop(whole.sessions)
    neighbour, _ = await a_channel_shop(whole.sessions, channel)
    code = await a_coupon(whole.sessions, channel, most_uses=1)
    async with a_basket(whole, shop=neighbour) as other:
        before = await mock(other.browser, other.token)
        assert (before["coupon"] or {}).get("code") == code
        async with waiting(whole, of=shop) as (basket, owner, _, _who):
            run = await basket.until("waiting_for_approval")
            assert run["view"]["coupon"]["code"] == code
            assert code not in await listed(other.browser)
            late = await other.submit(quoteHash=before["quote_hash"])
            assert refusal(late) == (409, "quote_changed")
            assert (await answer(owner, basket, "reject", "Not now")).status_code in (200, 202)
            await basket.until("rejected")
        after = await mock(other.browser, other.token)
        assert (after["coupon"]["code"], after["total"]) == (code, before["total"])


async def test_what_nobody_approves_in_its_time_gives_the_cart_back_and_tells_the_requester(
    whole: Whole,
) -> None:
    """With seconds for the 30 days, of which the longest timer of a run is seen above."""
    shop, owner = await a_purchasers_shop(whole.sessions)
    in_seconds = QUICK.model_copy(update={"approval": timedelta(seconds=3)})
    async with (
        buying(whole.app, owner) as at_owner,
        a_basket(whole, shop=shop, payment="TERMS") as basket,
        a_second_portal(whole, policy=in_seconds) as replica,
        elsewhere(basket, replica) as browser,
    ):
        assert (await limit(at_owner, shop.buyer, approval_above=100)).status_code == 200
        assert (await basket.submit(browser=browser)).status_code in (200, 202)
        run = await basket.until("expired")
        assert (run["ended"], run["view"]["error"]["code"]) == (True, "approval_expired")
        latest = (await basket.browser.get(f"{CHECKOUT}/last-b2b-token")).json()
        assert latest == {"token": basket.token, "quantity": 2}
        assert (await at_owner.get("/v1/approvals")).json()["results"] == []
        assert refusal(await answer(at_owner, basket, "approve")) == (409, "approval_answered")
        assert await basket.orders_at_the_erp() == []
        async with whole.sessions() as session:
            assert await held_pieces(session, [basket.product.variant_id]) == {}
            assert await held_credit(session, shop.code) == 0
        month = (await at_owner.get(f"/v1/installer/{shop.buyer.id}/limits")).json()
        assert month["ordered"] == 0
        (told,) = await until(lambda: whole.stage.mails(shop.buyer.email), lambda told: bool(told))
        assert "Nobody approved your order" in str(told)
        # the cart that came back is ordered once more
        await pay_by(basket.browser, basket.token, "COD")
        assert (await basket.submit(approvalReason="Again")).status_code in (200, 202)
        await basket.until("waiting_for_approval")


async def test_of_an_approval_and_whatever_comes_with_it_one_counts(whole: Whole) -> None:
    """Approved and rejected at once by two owners; approved and cancelled at once."""
    async with waiting(whole) as (basket, owner, shop, _):
        other = await an_owner(
            whole.sessions, Dealer(id=str(shop.buyer.dealer_id), partner_code=shop.code)
        )
        async with buying(whole.app, other) as second:
            said = await asyncio.gather(
                answer(owner, basket, "approve"), answer(second, basket, "reject", "No")
            )
        assert sorted(one.is_success for one in said) == [False, True]
        await basket.until("confirmed" if said[0].is_success else "rejected")
    async with waiting(whole) as (basket, owner, _, _who):
        approved, cancelled = await asyncio.gather(
            answer(owner, basket, "approve"), basket.ask("cancel")
        )
        assert approved.is_success or cancelled.is_success
        run = await basket.until(lambda run: run["ended"])
        if cancelled.status_code == 202:  # taken on while the order is handed over: either may win
            assert run["state"] in ("cancelled", "confirmed")
        else:
            assert run["state"] == ("cancelled" if cancelled.is_success else "confirmed")
        standing = [one for one in await basket.orders_at_the_erp() if one["status"] != "cancelled"]
        assert len(standing) == (run["state"] == "confirmed")


async def test_changed_prices_need_the_requesters_yes(whole: Whole) -> None:
    async with waiting(whole) as (basket, owner, _, _who):
        before = (await basket.until("waiting_for_approval"))["view"]["total"]
        await dearer(whole, basket)
        assert refusal(await answer(owner, basket, "approve")) == (409, "agreement_needed")
        run = await basket.until("requoted")
        assert run["view"]["before"]["total"] == before < run["view"]["total"]
        said = {"quote_hash": run["view"]["cart_hash"]}
        foreign = await owner.post(
            f"/v1/placements/{basket.token}/agree", json=said, headers=a_key()
        )
        assert foreign.status_code == 404
        assert refusal(await basket.ask("agree", quote_hash="0" * 64)) == (409, "quote_changed")
        assert (await basket.ask("agree", **said)).status_code == 200
        assert (await answer(owner, basket, "approve")).status_code in (200, 202)
        done = await basket.until("confirmed")
        (at_erp,) = await basket.orders_at_the_erp()
        assert at_erp["total"] == done["view"]["total"] == run["view"]["total"]


async def test_a_yes_whose_answer_was_lost_tells_of_the_new_prices_again(whole: Whole) -> None:
    async with waiting(whole) as (basket, owner, _, who):
        await dearer(whole, basket)
        async with whole.sessions() as session:
            snapshot = await placements.snapshot_of(session, basket.token, 1)
        lost = ApprovalActivities(whole.sessions, whole.stage.systems.messenger)
        yes = Approving(
            flow_id=basket.token,
            workflow_id=snapshot.workflow_id,
            start=snapshot.start,
            payment=snapshot.start.payment,
            approver_id=who.id,
        )
        assert (await lost.approve(yes)).must_agree
        # The run does not know of it, and asks again.
        assert refusal(await answer(owner, basket, "approve")) == (409, "agreement_needed")
        run = await basket.until("requoted")
        old, new = snapshot.start.quote_hash, run["view"]["cart_hash"]
        assert refusal(await basket.ask("agree", quote_hash=old)) == (409, "quote_changed")
        assert (await basket.ask("agree", quote_hash=new)).status_code == 200
        # So it is once they are approved.
        told = await lost.approve(yes)
        assert told.requoted is not None
        assert (told.requoted.quote_hash, told.must_agree) == (new, False)
        assert await lost.approve(yes) == told
        assert (await answer(owner, basket, "approve")).status_code in (200, 202)
        done = await basket.until("confirmed")
        (at_erp,) = await basket.orders_at_the_erp()
        assert at_erp["total"] == done["view"]["total"] == run["view"]["total"]


async def test_limits_refuse_before_anything_is_kept(whole: Whole) -> None:
    shop, owner = await a_purchasers_shop(whole.sessions)
    async with (
        buying(whole.app, owner) as at_owner,
        a_basket(whole, shop=shop) as basket,
    ):
        await limit(at_owner, shop.buyer, per_order=200, per_month=300)
        assert codes(await mock(basket.browser, basket.token)) == ["over_order_limit"]
        assert refusal(await basket.submit()) == (409, "over_order_limit")
        await limit(at_owner, shop.buyer, per_order=None)
        await basket.placed()
        await basket.until("confirmed")
        async with a_basket(whole, shop=shop) as second:
            assert refusal(await second.submit()) == (409, "over_month_limit")
            assert await second.look() is None


async def test_limits_are_the_owners_to_set(whole: Whole) -> None:
    shop, owner = await a_purchasers_shop(whole.sessions)
    stranger = await an_owner(whole.sessions)
    async with buying(whole.app, owner) as browser:
        assert refusal(await limit(browser, owner, per_order=1)) == (409, "owners_unlimited")
        assert (await limit(browser, shop.buyer, per_order=-1)).status_code == 422
        assert (await limit(browser, shop.buyer)).status_code == 422
        assert (await limit(browser, shop.buyer, per_order=12.34)).json()["per_order"] == 12.34
    async with buying(whole.app, stranger) as browser:
        assert (await limit(browser, shop.buyer, per_order=1)).status_code == 404
    async with buying(whole.app, shop.buyer) as browser:
        assert (await limit(browser, shop.buyer, per_order=None)).status_code == 403


async def test_no_number_of_orders_at_once_passes_a_limit(sessions: Sessions) -> None:
    """Each costs 128.24 with freight and taxes; three fit in a month of 400."""
    shop, owner = await a_purchasers_shop(sessions)
    product = await a_product(sessions, msrp="100.00", on_hand=100)
    async with sessions.begin() as session:
        limits = PurchaseLimits(per_month=Decimal(400))
        await set_limits(session, shop.buyer.id, str(shop.buyer.dealer_id), limits, by=owner.id)
        site = next(one for one in await load_sites(session) if one.country == "CA")
    actor = Actor(request_id="test", site=site, user=shop.buyer)
    places = asyncio.Semaphore(8)

    async def submit() -> bool:
        async with places, sessions.begin() as session:
            token, now = secrets.token_hex(16), datetime.now(UTC)
            session.add(
                CartRow(
                    token=token,
                    person_id=shop.buyer.id,
                    partner_code=shop.code,
                    superseded_at=now,
                )
            )
            await session.flush()
            session.add(CartLineRow(cart_token=token, variant_id=product.variant_id, quantity=1))
            await session.flush()
            choice = PaymentChoice(type=PaymentType.COD)
            quote = await counted(session, actor, token, choice, cards=True, submitted_at=now)
            if blocking(quote) is not None:
                return False
            start = PlacementStart(
                token=token,
                quote_hash=quote.quote_hash,
                partner_code=shop.code,
                partner_name=quote.partner_name,
                owner_id=shop.buyer.id,
                owner_name=shop.buyer.name,
                site=site.code,
                total=quote.total,
                payment=choice,
                shown="COD",
            )
            await placements.submit(
                session,
                Snapshot(
                    workflow_id=ids.placement_id(token), start=start, quote=quote, created_at=now
                ),
            )
            return True

    kept = await asyncio.gather(*(submit() for _ in range(PARALLEL)))
    assert sum(kept) == 3
    async with sessions.begin() as session:
        mine = PlacementRow.start["owner_id"].astext == shop.buyer.id
        count = await session.scalar(select(func.count()).select_from(PlacementRow).where(mine))
        assert count == 3
        # No run begins for them: nobody is to find them open.
        await session.execute(update(PlacementRow).where(mine).values(ended_at=func.now()))
