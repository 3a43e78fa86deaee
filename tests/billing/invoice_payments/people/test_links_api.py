"""Links by which somebody without an account pays one invoice, and what an attacker makes of them (decision 58)."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, update

from api.platform.deps import Portal
from api.platform.throttling import links as throttling
from api.platform.throttling.links import LINK_ALL
from db.billing.pay_links import LentCardRow, PayLinkRow
from db.identity.people import InstallerRow
from db.operations.audit import AuditRow
from domain.billing.invoices.documents import Invoice
from domain.billing.pay_link import MOST_OF_AN_INVOICE
from providers.security.tokens import secret_hash
from tests.billing.invoice_payments.factories import numbered
from tests.billing.invoice_payments.paying import PayerOf, a_payer, today
from tests.drivers.factories import a_name
from tests.drivers.portal import a_key
from tests.drivers.stage import leave_nothing_open
from tests.drivers.until import until_shown
from tests.drivers.whole_portal import Whole, another_portal, problem

CARD = "pm_card_visa"
DECLINED = "pm_card_chargeDeclined"


@dataclass
class Guest:
    """Somebody with a link and no account."""

    browser: httpx.AsyncClient
    token: str

    async def open(self) -> httpx.Response:
        return await self.browser.post("/v1/pay-links/open", json={"token": self.token})

    async def seen(self) -> dict[str, Any]:
        answer = await self.open()
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def pay(
        self, card: str = CARD, *, agreed: str | None = None, key: dict[str, str] | None = None
    ) -> httpx.Response:
        body = {"token": self.token, "card": card, "plan_hash": agreed}
        return await self.browser.post("/v1/pay-links/pay", json=body, headers=key or a_key())

    async def until(self, state: str) -> dict[str, Any]:
        return await until_shown(self.seen, state, within=60)


async def a_link(payer: PayerOf, invoice: Invoice) -> dict[str, Any]:
    answer = await payer.browser.post(
        "/v1/pay-links",
        json={"invoice": invoice.number, "made_for": "Nadia Roy"},
        headers=a_key(),
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


@asynccontextmanager
async def a_guest(whole: Whole, link: dict[str, Any]) -> AsyncGenerator[Guest]:
    async with whole.anonymous() as caller:
        yield Guest(caller.browser, link["url"].partition("#")[2])


async def links(payer: PayerOf, invoice: Invoice) -> list[dict[str, Any]]:
    answer = await payer.browser.get("/v1/pay-links", params={"invoice": invoice.number})
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


async def test_a_bookkeeper_pays_one_invoice_and_its_maker_sees_it(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        invoice, other = await payer.owes(2)
        link = await a_link(payer, invoice)
        assert link["url"].startswith(("http://", "https://"))
        assert "/pay#" in link["url"]
        async with a_guest(whole, link) as guest:
            seen = await guest.seen()
            assert (seen["state"], seen["number"]) == ("open", invoice.number)
            assert (seen["amount"], seen["discount"], seen["balance"]) == (98.0, 2.0, 100.0)
            assert other.number not in str(seen)
            key = a_key()
            declined = await guest.pay(DECLINED, agreed=seen["planHash"], key=key)
            assert declined.status_code == 200, declined.text
            again = await guest.until("declined")
            assert again["payment"]["detail"]
            assert again["amount"] == 98.0
            (held,) = await links(payer, invoice)
            assert (await payer.invoice(invoice.number))["inPayment"]["by"].startswith("Nadia Roy")
            assert held["state"] == "open"
            assert (await guest.pay()).status_code == 200
            paid = await guest.until("paid")
            assert paid["payment"]["charged"] == 98.0
            after = await guest.pay(agreed="0" * 64)
            assert after.status_code == 409, after.text
            assert after.json()["code"] == "pay_link_paid"
        (told,) = await links(payer, invoice)
        assert (told["state"], told["madeFor"], told["opened"] > 0) == ("paid", "Nadia Roy", True)
        assert told["paidAt"]
        assert "url" not in told
        assert await payer.kept(told["paymentId"]) == Decimal("98.00")
        methods = (await payer.browser.post("/api/users-payment-methods", json={})).json()
        assert [one["id"] for one in methods["results"]] == [payer.card]


async def test_without_a_discount_a_link_asks_for_all_that_is_open(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        (invoice,) = await payer.owes(create_date=today() - timedelta(days=11))
        async with a_guest(whole, await a_link(payer, invoice)) as guest:
            seen = await guest.seen()
            assert (seen["amount"], seen["discount"], seen["discountUntil"]) == (100.0, 0.0, None)
            await guest.pay(agreed=seen["planHash"])
            paid = await guest.until("paid")
            assert paid["payment"]["charged"] == 100.0


async def test_a_link_is_made_by_who_may_pay_and_lends_no_more(whole: Whole) -> None:
    async with a_payer(whole) as payer, a_payer(whole) as stranger:
        invoice, other = await payer.owes(2)
        (foreign,) = await stranger.owes()
        key = a_key()
        body = {"invoice": invoice.number, "made_for": "Nadia Roy"}
        first, second = [
            (await payer.browser.post("/v1/pay-links", json=body, headers=key)).json()
            for _ in range(2)
        ]
        assert first["url"] == second["url"]
        for number in (foreign.number, "INV-NONE"):
            answer = await payer.browser.post(
                "/v1/pay-links", json={**body, "invoice": number}, headers=a_key()
            )
            assert answer.status_code == 404
        for listed in (foreign, other):
            answer = await stranger.browser.get("/v1/pay-links", params={"invoice": other.number})
            assert answer.status_code == 404, listed
        revoked = await stranger.browser.post(
            f"/v1/pay-links/{first['id']}/revoke", json={}, headers=a_key()
        )
        assert revoked.status_code == 404
        async with whole.sessions() as session:
            row = await session.scalar(select(PayLinkRow).where(PayLinkRow.id == first["id"]))
            assert row is not None
            token = first["url"].partition("#")[2]
            assert len(token) >= 43
            assert row.token_hash == secret_hash(token)
            assert token not in str(vars(row))
        async with a_guest(whole, first) as guest:
            seen = await guest.seen()
            for card in (payer.card, "pm_nobody", "pm_demo_visa_NCOAST"):
                refused = await guest.pay(card, agreed=seen["planHash"])
                assert refused.status_code in (404, 409), refused.text
            wrong = await guest.pay(agreed="0" * 64)
            assert wrong.json()["code"] == "invoice_figures_changed"
            none = await guest.pay()
            assert none.json()["code"] == "invoice_figures_changed"
            for more in ({"amount": 1}, {"invoice": other.number}, {"creditMemos": []}):
                answer = await guest.browser.post(
                    "/v1/pay-links/pay",
                    json={"token": guest.token, "card": CARD, "plan_hash": None, **more},
                    headers=a_key(),
                )
                assert answer.status_code == 422
            for path in ("/v1/invoice-payments/x", "/v1/pay-links", "/v1/statement"):
                answer = await guest.browser.get(
                    path,
                    params={"invoice": invoice.number},
                    headers={"Authorization": f"Bearer {guest.token}"},
                )
                assert answer.status_code == 401, path
        async with whole.sessions() as session:
            lent = select(func.count()).select_from(LentCardRow)
            lent = lent.where(LentCardRow.link_id == first["id"])
            assert await session.scalar(lent) in (0, 1)
        assert (await payer.invoice(invoice.number))["balance"]["amount"] == 100.0
        assert (await payer.invoice(invoice.number))["inPayment"] is None


async def test_the_same_key_again_is_the_same_link_and_never_another(whole: Whole) -> None:
    """Also that of the last link of an invoice, and after it was paid. It is audited once."""
    async with a_payer(whole) as payer:
        invoice, other = await payer.owes(2)
        for _ in range(MOST_OF_AN_INVOICE - 1):
            await a_link(payer, invoice)
        key, body = a_key(), {"invoice": invoice.number, "made_for": "Nadia Roy"}

        async def made(key: dict[str, str], **said: str) -> httpx.Response:
            return await payer.browser.post("/v1/pay-links", json=body | said, headers=key)

        first = await made(key)
        assert problem(await made(a_key())) == (409, "too_many_pay_links")
        assert (await made(key)).json() == first.json()
        for said in ({"invoice": other.number}, {"made_for": "Omar Roy"}):
            assert problem(await made(key, **said)) == (409, "idempotency_key_reused")
        assert await links(payer, other) == []
        async with a_guest(whole, first.json()) as guest:
            await guest.pay(agreed=(await guest.seen())["planHash"])
            await guest.until("paid")
        again = (await made(key)).json()
        assert (again["url"], again["state"]) == (first.json()["url"], "paid")
        async with whole.sessions() as session:
            audited = select(func.count()).select_from(AuditRow)
            audited = audited.where(AuditRow.object_id == again["id"])
            assert await session.scalar(audited) == 1


async def test_links_that_cannot_be_used_look_alike(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        invoices = await payer.owes(3)
        revoked, expired, void = [await a_link(payer, one) for one in invoices]
        unknown = {"url": "x#" + "a" * 43}
        answer = await payer.browser.post(
            f"/v1/pay-links/{revoked['id']}/revoke", json={}, headers=a_key()
        )
        assert answer.json()["state"] == "revoked"
        assert payer.caller.user is not None
        async with whole.sessions.begin() as session:
            row = update(PayLinkRow).where(PayLinkRow.id == expired["id"])
            await session.execute(row.values(expires_at=func.now() - timedelta(seconds=1)))
        (listed,) = await links(payer, invoices[1])
        assert listed["state"] == "expired"
        async with whole.sessions.begin() as session:
            row = update(InstallerRow).where(InstallerRow.person_id == payer.caller.user.id)
            await session.execute(row.values(is_owner=False, is_purchaser=False))
        said: set[str] = set()
        for link in (revoked, expired, void, unknown):
            async with a_guest(whole, link) as guest:
                for answer in (await guest.open(), await guest.pay(agreed="0" * 64)):
                    assert answer.status_code == 410, answer.text
                    said.add(answer.json()["detail"])
        assert said == {"This link is no longer valid."}


async def test_a_link_lives_for_thirty_days_of_the_databases_clock(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        (invoice,) = await payer.owes()
        link = await a_link(payer, invoice)
        lives = datetime.fromisoformat(link["expiresAt"]) - datetime.fromisoformat(
            link["createdAt"]
        )
        assert lives == timedelta(days=30)
        last = timedelta(days=30) - timedelta(minutes=1)
        async with a_guest(whole, link) as guest:
            await older(whole, link["id"], last)
            seen = await guest.seen()
            assert (await links(payer, invoice))[0]["state"] == "open"
            await older(whole, link["id"], timedelta(minutes=1))
            for answer in (await guest.open(), await guest.pay(agreed=seen["planHash"])):
                assert (answer.status_code, answer.json()["code"]) == (410, "pay_link_void")
        assert (await links(payer, invoice))[0]["state"] == "expired"
        assert (await payer.invoice(invoice.number))["balance"]["amount"] == 100.0


async def older(whole: Whole, link_id: str, by: timedelta) -> None:
    """Made so much earlier than it was."""
    async with whole.sessions.begin() as session:
        row = update(PayLinkRow).where(PayLinkRow.id == link_id)
        moved = {
            "created_at": PayLinkRow.created_at - by,
            "expires_at": PayLinkRow.expires_at - by,
        }
        await session.execute(row.values(moved))


async def test_of_two_who_pay_by_links_one_is_charged(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        (invoice,) = await payer.owes()
        first, second = await a_link(payer, invoice), await a_link(payer, invoice)
        async with a_guest(whole, first) as nadia, a_guest(whole, second) as omar:
            agreed = (await nadia.seen())["planHash"]
            key = a_key()
            answers = await asyncio.gather(
                nadia.pay(agreed=agreed, key=key),
                nadia.pay(agreed=agreed, key=key),
                nadia.pay(agreed=agreed),
                omar.pay(agreed=agreed),
            )
            assert {one.status_code for one in answers} <= {200, 409}, [one.text for one in answers]
            codes = {one.json()["code"] for one in answers if one.status_code == 409}
            assert codes <= {"pay_link_busy", "pay_link_paid"}
            assert not any("Nadia" in one.text for one in answers if one.status_code == 409)
            await nadia.until("paid")
            await omar.until("paid")
        paid = [one["paymentId"] for one in await links(payer, invoice) if one["paymentId"]]
        kept = [await payer.kept(one) for one in set(paid)]
        assert sum(kept, Decimal(0)) == Decimal("98.00")


async def test_a_payment_that_no_run_has_shown_yet_is_the_links_own(whole: Whole) -> None:
    """Whoever asks meanwhile by another link is told that somebody else pays."""
    nobodys = a_name()
    async with a_payer(whole) as payer, another_portal(whole, task_queue=nobodys) as unworked:
        (invoice,) = await payer.owes()
        link, other = await a_link(payer, invoice), await a_link(payer, invoice)
        async with a_guest(unworked, link) as nadia, a_guest(whole, other) as omar:
            agreed, key = (await nadia.seen())["planHash"], a_key()
            answers = [
                await nadia.pay(agreed=agreed, key=key),
                await nadia.pay(agreed=agreed, key=key),
                await nadia.pay(agreed=agreed),
            ]
            assert [one.json().get("state") for one in answers] == ["paying"] * 3
            assert (await nadia.seen())["state"] == "paying"
            assert (await omar.seen())["state"] == "busy"
            refused = await omar.pay(agreed=agreed)
            assert problem(refused) == (409, "pay_link_busy")
        portal: Portal = unworked.app.state.portal
        await leave_nothing_open(portal.temporal, whole.sessions, nobodys)


async def test_the_same_key_again_tells_where_its_payment_stands(whole: Whole) -> None:
    """Whether it has paid by now or was declined."""
    async with a_payer(whole) as payer:
        (invoice,) = await payer.owes()
        async with a_guest(whole, await a_link(payer, invoice)) as guest:
            agreed, first, second = (await guest.seen())["planHash"], a_key(), a_key()
            await guest.pay(DECLINED, agreed=agreed, key=first)
            await guest.until("declined")
            again = await guest.pay(agreed=agreed, key=first)
            assert again.json()["state"] == "declined", again.text
            await guest.pay(key=second)
            paid = await guest.until("paid")
            again = await guest.pay(agreed=agreed, key=first)
            assert (again.status_code, again.json()["payment"]) == (200, paid["payment"])


async def test_the_key_of_another_card_again_tells_where_the_payment_stands(whole: Whole) -> None:
    """Also once it has ended, whether it was paid or the ERP refused it; nothing is charged anew."""
    async with a_payer(whole) as payer:
        for number, end in ((numbered(), "paid"), (numbered("REFUSED"), "refused")):
            (invoice,) = await payer.owes(number=number)
            async with a_guest(whole, await a_link(payer, invoice)) as guest:
                await guest.pay(DECLINED, agreed=(await guest.seen())["planHash"])
                await guest.until("declined")
                second = a_key()
                await guest.pay(key=second)
                ended = await guest.until(end)
                (before,) = await links(payer, invoice)
                again = await guest.pay(agreed=ended["planHash"] or "0" * 64, key=second)
                assert again.status_code == 200, again.text
                assert (again.json()["state"], again.json()["payment"]) == (end, ended["payment"])
                assert await links(payer, invoice) == [before]


async def test_wrong_tokens_are_refused_after_a_while_and_a_right_one_never(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it is opened and where it pays."""
    everybodys = LINK_ALL.model_copy(update={"kind": a_name(), "tries": 3})
    monkeypatch.setattr(throttling, "LINK_ALL", everybodys)
    async with a_payer(whole) as payer:
        (invoice,) = await payer.owes()
        async with a_guest(whole, await a_link(payer, invoice)) as guest:
            wrong = Guest(guest.browser, "x" * 43)
            answers = [await ask() for ask in (wrong.open, wrong.pay) for _ in range(3)]
            assert [one.status_code for one in answers] == [410] * 3 + [429] * 3
            assert "Retry-After" in answers[-1].headers
            agreed = (await guest.seen())["planHash"]
            assert (await guest.pay(agreed=agreed)).status_code == 200
            await guest.until("paid")


async def test_cards_are_not_tried_at_a_link(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        (invoice,) = await payer.owes()
        async with a_guest(whole, await a_link(payer, invoice)) as guest:
            answers = [await guest.pay("pm_nobody", agreed="0" * 64) for _ in range(11)]
            assert answers[-1].status_code == 429
            assert "Retry-After" in answers[-1].headers
