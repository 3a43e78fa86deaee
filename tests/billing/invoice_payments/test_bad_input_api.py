"""What must not pay an invoice, however it is said: a clear refusal, nothing charged, nothing held, nothing lost."""

import time
import uuid
from datetime import UTC, datetime
from typing import Any

import httpx
import orjson
import pytest
from sqlalchemy import func, select, update

from db.billing.invoice_payments import DocumentHoldRow, InvoicePaymentRow
from db.billing.payment_methods import PaymentMethodRow
from db.billing.payments import PaymentRow
from domain.billing.invoices.documents import CreditMemo, Invoice
from settings import DEVELOPMENT_ERP_WEBHOOK_SECRET
from simulators.device_network.webhooks import sign
from tests.billing.invoice_payments.paying import PayerOf, a_payer
from tests.billing.payments.factories import a_method, hide
from tests.drivers.portal import a_key
from tests.drivers.whole_portal import Whole, problem


async def untouched(payer: PayerOf, *invoices: Invoice) -> None:
    """Open as they were; nobody was asked for money, and nothing was begun or is held."""
    code, numbers = payer.dealer.partner_code, [one.number for one in invoices]
    async with payer.whole.sessions() as session:
        for rows in (
            select(PaymentRow).where(PaymentRow.partner_code == code),
            select(InvoicePaymentRow).where(InvoicePaymentRow.partner_code == code),
            select(DocumentHoldRow).where(DocumentHoldRow.number.in_(numbers)),
        ):
            assert await session.scalar(select(func.count()).select_from(rows.subquery())) == 0
    for one in invoices:
        shown = await payer.invoice(one.number)
        assert (shown["balance"]["amount"], shown["inPayment"]) == (float(one.balance), None)


async def test_an_expired_card(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        invoices = await payer.owes()
        async with whole.sessions.begin() as session:
            await session.execute(
                update(PaymentMethodRow)
                .where(PaymentMethodRow.id == payer.card)
                .values(exp_year=2025, exp_month=12)
            )
        answer = await payer.pay(payer.body(invoices))
        assert (answer.status_code, answer.json()["code"]) == (
            409,
            "invoice_payment_method_refused",
        )
        await untouched(payer, *invoices)


async def test_a_hidden_card_pays_nothing(whole: Whole) -> None:
    refused = (409, "invoice_payment_method_refused")
    async with a_payer(whole) as payer:
        await hide(whole.sessions, payer.card)
        invoices = await payer.owes()
        for mock in (True, False):
            assert problem(await payer.pay(payer.body(invoices), mock=mock)) == refused
        assert problem(await payer.submit(invoices)) == refused
        await untouched(payer, *invoices)
        bad = await payer.card_that("transactionDeclined")
        flow = (await payer.declined(payer.body(invoices, card=bad)))["flow"]
        chosen = await payer.browser.post(
            f"/v1/invoice-payments/{flow['id']}/payment",
            json={"type": "CARD", "method_id": payer.card},
            headers=a_key(),
        )
        assert problem(chosen) == refused
        assert (await payer.until(flow["id"], "declined"))["state"] == "declined"


async def test_a_card_of_another_business_and_one_that_nobody_has(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        invoices = await payer.owes()
        foreign = await a_method(whole.sessions)
        for card in (foreign.id, "card_nobody"):
            assert (await payer.pay(payer.body(invoices, card=card))).status_code == 404
        await untouched(payer, *invoices)


async def test_nothing_is_kept_of_a_body_that_is_no_payment(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        invoices = await payer.owes(2)
        good = payer.body(invoices)
        bad: list[dict[str, Any]] = [
            {"invoices": []},
            {"invoices": [*good["invoices"], good["invoices"][0]]},
            {"creditMemos": [{"id": "CM-1", "amount": -1}]},
            {"selectedPayment": {"type": "CASH"}},
            {"gateway": "PAYPAL"},
            {"amount": 1},
        ]
        for more in bad:
            answer = await payer.pay({**good, **more})
            assert answer.status_code == 422, (more, answer.text)
            assert answer.headers["content-type"] == "application/problem+json"
        for query in ({"Validate": "true"}, {"validate": "perhaps"}):
            answer = await payer.browser.post("/api/pay-invoice", json=good, params=query)
            assert answer.status_code == 422, (query, answer.text)
        await untouched(payer, *invoices)


@pytest.mark.parametrize("shape", [Invoice, CreditMemo])
def test_a_document_in_another_currency_is_not_read(
    shape: type[Invoice] | type[CreditMemo],
) -> None:
    with pytest.raises(ValueError, match="US dollars"):
        shape.model_validate({"currency": "CAD"})


async def post_event(
    payer: PayerOf, document: dict[str, Any], *, secret: str, at: float | None = None, id_: str = ""
) -> httpx.Response:
    """By the ERP, or by somebody who would like to be it."""
    body = orjson.dumps(
        {
            "id": id_ or uuid.uuid4().hex,
            "at": datetime.now(UTC).isoformat(),
            "type": "invoice.changed",
            "document": document,
        }
    )
    signature = sign(secret, int(at or time.time()), body)
    headers = {"X-Signature": signature, "Content-Type": "application/json"}
    return await payer.browser.post("/v1/webhooks/erp", content=body, headers=headers)


async def test_forged_late_and_foreign_words_of_the_erp_settle_nothing(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        (invoice,) = await payer.owes()
        paid = invoice.model_dump(mode="json") | {"version": 2, "paid": 100, "payoff": 0}
        real = DEVELOPMENT_ERP_WEBHOOK_SECRET
        for answer in (
            await post_event(payer, paid, secret="somebody-else"),
            await post_event(payer, paid, secret=real, at=time.time() - 3_600),
        ):
            assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature")
        other = await post_event(payer, paid | {"currency": "CAD"}, secret=real)
        assert other.status_code == 422
        await untouched(payer, invoice)


async def test_a_word_of_the_erp_that_is_replayed_opens_nothing_again(whole: Whole) -> None:
    """What was told before the payment, told once more after it."""
    async with a_payer(whole) as payer:
        (invoice,) = await payer.owes()
        before, id_ = invoice.model_dump(mode="json"), uuid.uuid4().hex
        secret = DEVELOPMENT_ERP_WEBHOOK_SECRET
        assert (await post_event(payer, before, secret=secret, id_=id_)).status_code == 202
        await payer.paid(payer.body([invoice]))
        again = await post_event(payer, before, secret=secret, id_=id_)
        assert (again.status_code, again.json()["is_new"]) == (202, False)
        assert (await post_event(payer, before, secret=secret)).status_code == 202
        assert (await payer.invoice(invoice.number))["isPaid"]


NUMBER = "INV-1"
BAD_OF_THE_SCREENS: list[dict[str, Any]] = [
    {"invoices": []},
    {"invoices": [{"number": NUMBER, "amount": -1}]},
    {"invoices": [{"number": NUMBER, "amount": 0}]},
    {"invoices": [{"number": NUMBER, "amount": 1.001}]},
    {"invoices": [{"number": NUMBER, "amount": "1.00"}]},
    {"invoices": [{"number": NUMBER, "amount": True}]},
    {"invoices": [{"number": NUMBER, "amount": 1}, {"number": NUMBER, "amount": 2}]},
    {"invoices": [{"number": f"INV-{n}", "amount": 1} for n in range(201)]},
    {"credit_memos": [{"number": "CM-1", "amount": -1}]},
    {"credit_memos": [{"number": "CM-1", "amount": "1.00"}]},
    {"credit_memos": [{"number": "CM-1", "amount": 1}, {"number": "CM-1", "amount": 1}]},
]


async def test_the_calls_of_the_screens_refuse_the_same(whole: Whole) -> None:
    """The shop's call has its own (`test_api.py`)."""
    async with a_payer(whole) as payer:
        (invoice,) = await payer.owes()
        good: dict[str, Any] = {"invoices": [{"number": invoice.number, "amount": 100}]}
        for bad in BAD_OF_THE_SCREENS:
            for path, more in (
                ("/v1/invoice-payments/quote", {}),
                ("/v1/invoice-payments", {"type": "CARD", "method_id": payer.card}),
            ):
                answer = await payer.browser.post(path, json=good | bad | more, headers=a_key())
                assert answer.status_code == 422, (path, bad, answer.text)
                assert answer.headers["content-type"] == "application/problem+json"
        for kind in ("TERMS", "COD"):
            refused = await payer.submit([invoice], type=kind)
            assert problem(refused) == (409, "invoice_payment_type_refused"), kind
        await untouched(payer, invoice)


async def test_a_memo_of_another_business_above_its_balance_or_applied_by_somebody_else(
    whole: Whole,
) -> None:
    async with a_payer(whole) as payer, a_payer(whole) as stranger:
        (invoice,), (other,) = await payer.owes(), await payer.owes()
        foreign, own = await stranger.has_credit("30.00"), await payer.has_credit("30.00")
        for mock in (True, False):
            answer = await payer.pay(payer.body([invoice], memos=[foreign]), mock=mock)
            assert problem(answer) == (404, "document_missing")
            above = payer.body([invoice])
            above["creditMemos"] = [{"id": own.number, "amount": 30.01}]
            answer = await payer.pay(above, mock=mock)
            assert problem(answer) == (409, "invoices_refused")
            assert [one["code"] for one in answer.json()["creditMemos"]] == ["amount_above_balance"]
        await untouched(payer, invoice, other)
        bad = await payer.card_that("transactionDeclined")
        await payer.declined(payer.body([invoice], memos=[own], card=bad))
        async with a_payer(whole, dealer=payer.dealer) as second:
            held = await second.pay(second.body([other], memos=[own]))
            assert problem(held) == (409, "invoices_refused")
            (told,) = held.json()["creditMemos"]
            assert payer.caller.user is not None
            assert (told["code"], told["by"]) == ("in_payment", payer.caller.user.name)
            assert told["since"]
            assert (await second.paid(second.body([other])))["charged"] == 98.0
        kept = await stranger.browser.post("/api/credit-memo", json={"id": foreign.number})
        assert kept.json()["results"][0]["balance"]["amount"] == 30.0
