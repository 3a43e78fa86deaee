"""Paying invoices over HTTP: the shop's call, its mock run, and the calls of the screens."""

import asyncio
import uuid
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from db.billing.invoice_payments import InvoiceAllocationRow
from tests.billing.invoice_payments.factories import numbered
from tests.billing.invoice_payments.paying import a_payer, today
from tests.billing.invoices.factories import an_invoice, mirrored
from tests.billing.payments.factories import a_method
from tests.drivers.all_that_is_written import Work, changed_by
from tests.drivers.factories import an_installer, an_outside_rep
from tests.drivers.portal import a_key
from tests.drivers.whole_portal import Whole
from tests.operations.reconciler.rounds import came_of
from tests.orders.paper.test_paper import pages


async def test_the_mock_run_is_the_payment_to_the_cent(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        invoices, memo = await payer.owes(3), await payer.has_credit("30.00")
        body = payer.body(invoices, memos=[memo])
        mock = await payer.pay(body, mock=True)
        assert mock.status_code == 200, mock.text
        told = mock.json()
        assert (told["uuid"], told["charged"], told["discount"]) == (None, 264.0, 6.0)
        answer = await payer.paid(body)
        assert answer["state"] == "confirmed"
        for name in ("charged", "discount"):
            assert answer[name] == told[name]
        assert [one["attemptedPaymentAmount"] for one in answer["invoices"]] == [98.0] * 3
        assert all(one["isPaid"] for one in answer["invoices"])
        assert await payer.kept(answer["uuid"]) == Decimal("264.00")
        shown = await payer.invoice(invoices[0].number)
        assert shown["isPaid"]


async def test_a_mock_run_writes_nothing(whole: Whole) -> None:
    """In no table of ours, and at no third party."""

    @asynccontextmanager
    async def mocked() -> AsyncGenerator[Work]:
        async with a_payer(whole) as payer:
            invoices, memo = await payer.owes(2), await payer.has_credit("30.00")

            async def mock_runs() -> None:
                body = payer.body(invoices, memos=[memo])
                assert (await payer.pay(body, mock=True)).status_code == 200
                wanted = [{"number": invoices[0].number, "amount": 100}]
                quote = await payer.browser.post(
                    "/v1/invoice-payments/quote", json={"invoices": wanted}
                )
                assert quote.json()["charged"] == 98.0

            yield mock_runs

    @asynccontextmanager
    async def paid() -> AsyncGenerator[Work]:
        async with a_payer(whole) as payer:
            body = payer.body(await payer.owes())
            yield lambda: payer.paid(body)

    assert await changed_by(whole.stage, mocked) == set()
    written = await changed_by(whole.stage, paid)
    assert {"invoice_payment", "payment", "flow", "stand-ins.paid_object"} <= written


async def test_a_repeated_body_answers_the_first_receipt(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        body = payer.body(await payer.owes(), amount=40)
        first = await payer.paid(body)
        assert (await payer.pay(body)).json() == first
        key = uuid.uuid4().hex
        other = payer.body(await payer.owes())
        with_key = [await payer.pay(other, key=key) for _ in range(2)]
        assert with_key[0].json() == with_key[1].json()
        id_ = with_key[0].json()["uuid"]
        await payer.until(id_, "confirmed")
        assert await payer.kept(id_) == Decimal("98.00")
        told = await came_of(whole.stage, "invoice_payment", id_)
        assert told == {"paid invoices": "accepted"}, "its run says what came of it"


@pytest.mark.parametrize(("age", "charged"), [(10, 98.0), (11, 100.0)])
async def test_promise_21_the_last_day_of_the_discount_and_the_day_after(
    whole: Whole, age: int, charged: float
) -> None:
    async with a_payer(whole) as payer:
        invoices = await payer.owes(create_date=today() - timedelta(days=age))
        assert (await payer.paid(payer.body(invoices)))["charged"] == charged


async def test_promise_20_of_two_payers_one_pays_and_the_other_is_told_by_whom(
    whole: Whole,
) -> None:
    async with a_payer(whole) as first, a_payer(whole, dealer=first.dealer) as second:
        invoices = await first.owes(2)
        answers = await asyncio.gather(
            first.pay(first.body(invoices)), second.pay(second.body(invoices))
        )
        assert Counter(one.status_code < 300 for one in answers) == {True: 1, False: 1}
        refused = next(one.json() for one in answers if one.status_code == 409)
        assert refused["code"] == "invoices_refused"
        assert {one["code"] for one in refused["invoices"]} <= {"in_payment", "paid"}
        async with whole.sessions() as session:
            allocated = await session.scalars(
                select(InvoiceAllocationRow.payment_id).where(
                    InvoiceAllocationRow.invoice_number.in_([one.number for one in invoices])
                )
            )
            assert len(set(allocated)) == 1


async def test_who_holds_an_invoice_is_named(whole: Whole) -> None:
    async with a_payer(whole) as first, a_payer(whole, dealer=first.dealer) as second:
        invoices = await first.owes()
        card = await first.card_that("transactionDeclined")
        declined = await first.declined(first.body(invoices, card=card))
        assert declined["code"] == "PAYMENT_ERROR"
        held = await second.pay(second.body(invoices))
        (problem,) = held.json()["invoices"]
        assert first.caller.user is not None
        assert problem["code"] == "in_payment"
        assert problem["by"] == first.caller.user.name
        assert problem["since"]


async def test_of_two_tabs_of_one_person_the_second_is_told_and_nothing_is_charged_twice(
    whole: Whole,
) -> None:
    """At once, for amounts of their own; then while the invoice is held."""
    async with a_payer(whole) as first, whole.signed_in(first.caller.user) as tab:
        second = replace(first, caller=tab)
        (invoice,) = await first.owes()
        card = await first.card_that("transactionDeclined")
        amounts = (40, 60)
        answers = await asyncio.gather(
            *(
                tab.pay(first.body([invoice], amount=amount, card=card))
                for tab, amount in zip((first, second), amounts, strict=True)
            )
        )
        refused = [one.json().get("code") == "invoices_refused" for one in answers]
        assert sorted(refused) == [False, True]
        told = answers[refused.index(True)].json()["invoices"]
        assert first.caller.user is not None
        assert [(one["code"], one["by"]) for one in told] == [
            ("in_payment", first.caller.user.name)
        ]
        assert told[0]["since"]
        async with whole.sessions() as session:
            allocated = await session.scalars(
                select(InvoiceAllocationRow.payment_id).where(
                    InvoiceAllocationRow.invoice_number == invoice.number
                )
            )
            (payment_id,) = allocated
        await first.until(payment_id, "declined")
        paid = await first.paid(first.body([invoice], amount=amounts[refused.index(False)]))
        assert paid["uuid"] == payment_id
        assert await first.kept(payment_id) == Decimal(str(paid["charged"]))


async def test_declined_then_paid_by_another_card_in_the_same_payment(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        invoices = await payer.owes(2)
        bad = await payer.card_that("transactionDeclined")
        declined = await payer.declined(payer.body(invoices, card=bad))
        id_ = declined["flow"]["id"]
        paid = await payer.paid(payer.body(invoices))
        assert paid["uuid"] == id_
        assert await payer.kept(id_) == Decimal("196.00")
        assert (await payer.pay(payer.body(invoices))).json() == paid


async def test_twelve_invoices_of_which_the_erp_refuses_one(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        good = await payer.owes(11)
        bad = await payer.owes(number=numbered("REFUSED"))
        answer = await payer.paid(payer.body([*good, *bad]))
        seen = await payer.until(answer["uuid"], "confirmed")
        view = seen["view"]
        assert Counter(one["status"] for one in view["lines"]) == {"posted": 11, "refunded": 1}
        assert (view["charged"], view["refunded"]) == (1176.0, 98.0)
        assert await payer.kept(seen["id"]) == Decimal("1078.00")
        assert answer["charged"] == 1078.0
        kept = await payer.browser.get(f"/v1/invoice-payments/{seen['id']}/receipt.pdf")
        assert kept.headers["content-type"] == "application/pdf"
        words = "".join(pages(kept.content))
        for said in (good[0].number, bad[0].number, "paid back", "1176.00", "-98.00"):
            assert said in words.replace(",", "")
        assert not (await payer.invoice(bad[0].number))["isPaid"]


async def test_a_memo_larger_than_the_invoice(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        invoices, memo = await payer.owes(), await payer.has_credit("150.00")
        body = payer.body(invoices, memos=[memo])
        del body["selectedPayment"], body["gateway"]
        answer = await payer.paid(body)
        assert (answer["charged"], answer["invoices"][0]["isPaid"]) == (0.0, True)
        found = await payer.browser.post("/api/credit-memo", json={"id": memo.number})
        assert "52.0" in found.text


BAD_PARTS: list[list[dict[str, Any]]] = [
    [],
    [{"id": "INV-1", "paymentAmount": -1}],
    [{"id": "INV-1", "paymentAmount": 0}],
    [{"id": "INV-1", "paymentAmount": 1.001}],
    [{"id": "INV-1", "paymentAmount": "1.00"}],
    [{"id": "INV-1"}],
    [{"id": "INV-1", "paymentAmount": 1}, {"id": "INV-1", "paymentAmount": 1}],
    [{"id": f"INV-{n}", "paymentAmount": 1} for n in range(201)],
]


@pytest.mark.parametrize("parts", BAD_PARTS, ids=lambda parts: str(len(parts)))
async def test_what_is_no_payment_is_refused(whole: Whole, parts: list[dict[str, Any]]) -> None:
    async with a_payer(whole) as payer:
        answer = await payer.pay({**payer.body([]), "invoices": parts})
        assert answer.status_code == 422, answer.text
        assert answer.headers["content-type"] == "application/problem+json"


async def test_another_business_and_what_cannot_be_paid(whole: Whole) -> None:
    async with a_payer(whole) as payer, a_payer(whole) as stranger:
        (foreign,) = await stranger.owes()
        (own,) = await payer.owes()
        assert (await payer.pay(payer.body([foreign]))).status_code == 404
        assert (await payer.pay(payer.body([own, foreign]))).status_code == 404
        above = await payer.pay(payer.body([own], amount=100.01))
        assert above.json()["invoices"][0]["code"] == "amount_above_balance"
        foreign_card = await payer.pay(payer.body([own], card=stranger.card))
        assert foreign_card.status_code == 404
        await payer.paid(payer.body([own]))
        paid = await payer.pay(payer.body([own], amount=1))
        assert paid.json()["invoices"][0]["code"] == "paid"


async def test_ways_to_pay_that_are_refused(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        invoices = await payer.owes()
        for kind in ("TERMS", "COD"):
            answer = await payer.pay(
                payer.body(invoices, selectedPayment={"type": kind}, gateway="ACH_COD")
            )
            assert answer.json()["code"] == "invoice_payment_type_refused"
        mixed = await payer.pay(payer.body(invoices, gateway="ACH_COD"))
        assert mixed.json()["code"] == "gateway_mismatch"
        pending = await a_method(
            whole.sessions,
            bank="good",
            partner_code=payer.dealer.partner_code,
            status="pending",
        )
        chosen = {"type": "BANK_ACCOUNT", "methodId": pending.id}
        early = await payer.pay(payer.body(invoices, selectedPayment=chosen, gateway="ACH_COD"))
        assert early.json()["code"] == "invoice_payment_method_refused"


async def test_who_may_not_pay(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        invoices = await payer.owes()
        helper = await an_installer(whole.sessions, payer.dealer)
        async with a_payer(whole, dealer=payer.dealer, user=helper) as other:
            assert (await other.pay(other.body(invoices))).status_code == 403
        rep = await an_outside_rep(whole.sessions)
        async with a_payer(whole, dealer=payer.dealer, user=rep) as other:
            assert (await other.pay(other.body(invoices))).status_code == 403


async def test_figures_that_have_changed_are_not_charged(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        invoices = await payer.owes()
        changed = await payer.submit(invoices, plan_hash="0" * 64)
        assert changed.json()["code"] == "invoice_figures_changed"
        wanted = [{"number": invoices[0].number, "amount": 100}]
        quote = await payer.browser.post("/v1/invoice-payments/quote", json={"invoices": wanted})
        answer = await payer.submit(invoices, plan_hash=quote.json()["plan_hash"])
        assert answer.status_code in (200, 202), answer.text
        seen = await payer.until(answer.json()["id"], "confirmed")
        moves = await payer.browser.get(f"/v1/invoice-payments/{seen['id']}/transitions")
        assert [one["to_state"] for one in moves.json()["results"]] == [
            "charging",
            "posting",
            "confirmed",
        ]


async def test_a_quote_tells_what_speaks_against_single_invoices(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        good, settled = await payer.owes(2)
        await payer.paid(payer.body([settled]))
        memo = await payer.has_credit("30.00")
        answer = await payer.browser.post(
            "/v1/invoice-payments/quote",
            json={
                "invoices": [{"number": good.number}, {"number": settled.number, "amount": 1}],
                "credit_memos": [{"number": memo.number}],
            },
        )
        quote = answer.json()
        assert [one["problem"] and one["problem"]["code"] for one in quote["invoices"]] == [
            None,
            "paid",
        ]
        assert (quote["charged"], quote["discount"], quote["applied"]) == (68.0, 2.0, 30.0)
        assert quote["invoices"][0]["payoff"] == 98.0
        assert quote["discount_ends_at"] > quote["at"]


async def test_another_card_or_none_by_the_calls_of_the_screens(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        bad = await payer.card_that("transactionDeclined")
        first = (await payer.submit(await payer.owes(), method_id=bad)).json()["id"]
        await payer.until(first, "declined")
        chosen = await payer.browser.post(
            f"/v1/invoice-payments/{first}/payment",
            json={"type": "CARD", "method_id": payer.card},
            headers=a_key(),
        )
        assert chosen.status_code in (200, 202), chosen.text
        await payer.until(first, "confirmed")
        invoices = await payer.owes()
        second = (await payer.submit(invoices, method_id=bad)).json()["id"]
        await payer.until(second, "declined")
        cancelled = await payer.browser.post(
            f"/v1/invoice-payments/{second}/cancel",
            json={},
            headers=a_key(),
        )
        assert cancelled.status_code in (200, 202), cancelled.text
        await payer.until(second, "cancelled")
        kept = await payer.browser.get(f"/v1/invoice-payments/{second}/receipt.pdf")
        assert kept.status_code == 404, "nothing was charged"
        await payer.paid(payer.body(invoices))


async def test_an_invoice_that_only_the_mirror_knows_is_paid_back(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        stray = an_invoice(payer.dealer.partner_code, number=numbered(), early_pay=())
        await mirrored(whole.sessions, stray)
        answer = await payer.paid(payer.body([stray]))
        assert answer["state"] == "refused"
        assert answer["charged"] == 0.0
        assert answer["invoices"][0]["detail"] == "The ERP does not know this document."
        kept = await payer.browser.get(f"/v1/invoice-payments/{answer['uuid']}/receipt.pdf")
        assert kept.headers["content-type"] == "application/pdf"


async def test_what_to_pay_with_so_much_money(whole: Whole) -> None:
    async with a_payer(whole) as payer, a_payer(whole) as stranger:
        saving, held = await payer.owes(2)
        (late,) = await payer.owes(
            create_date=today() - timedelta(days=60), due_date=today() - timedelta(days=30)
        )
        await stranger.owes()
        failing = await payer.card_that("pm_card_chargeDeclined")
        await payer.declined(payer.body([held], card=failing))

        async def advised(body: dict[str, Any]) -> Any:
            return await payer.browser.post("/v1/invoice-payments/advice", json=body)

        for budget, chosen in ((98, [saving]), (197.99, [saving]), (198, [saving, late])):
            told = (await advised({"budget": budget})).json()
            assert [one["number"] for one in told["results"]] == [one.number for one in chosen]
            assert (told["open"], told["considered"], told["discount"]) == (2, 2, 2.0)
        assert (told["total"], told["pastDue"], told["left"]) == (198.0, 100.0, 0.0)
        after = today() + timedelta(days=11)
        told = (await advised({"budget": 100, "on": after.isoformat()})).json()
        assert [one["number"] for one in told["results"]] == [late.number]
        for body in (
            {"budget": 0},
            {"budget": 1.001},
            {"budget": "1"},
            {"budget": 1, "on": (today() - timedelta(days=1)).isoformat()},
            {"budget": 1, "more": 1},
        ):
            assert (await advised(body)).status_code == 422, body
