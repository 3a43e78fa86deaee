"""Payments in the ERP: our client against its stand-in."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import httpx
import pytest

from domain.billing.invoices.documents import CreditMemo, Invoice
from providers.erp.lists import ErpLists
from providers.erp.payments import PAYMENTS, ErpPayments
from providers.errors import Refused, Unavailable
from tests.billing.invoice_payments.factories import numbered
from tests.billing.invoices.factories import ISSUED, a_memo, an_invoice
from tests.drivers.factories import a_name
from tests.drivers.outside.erp_records import a_service_layer, issue


async def posted(
    erp: httpx.AsyncClient, invoice: Invoice, **given: Any
) -> tuple[Invoice | CreditMemo, ...]:
    asked: dict[str, Any] = {"amount": Decimal("98.00"), "discount": Decimal("2.00"), "memos": []}
    return await ErpPayments(a_service_layer(erp)).post(
        f"p:{invoice.number}",
        partner_code=invoice.partner_code,
        invoice_number=invoice.number,
        paid_on=ISSUED,
        **{**asked, **given},
    )


async def effects(erp: httpx.AsyncClient, invoice: Invoice) -> int:
    answer = await erp.get("/erp/_payments", params={"invoice_number": invoice.number})
    return len(answer.json()["payments"])


async def an_issued(erp: httpx.AsyncClient, behaves: str = "") -> Invoice:
    invoice = an_invoice(a_name(), number=numbered(behaves))
    await issue(erp, invoice)
    return invoice


async def test_an_invoice_is_settled_once_by_its_reference(erp: httpx.AsyncClient) -> None:
    invoice = await an_issued(erp)
    memo = a_memo(invoice.partner_code)
    await issue(erp, memo)
    parts = [(memo.number, Decimal("30.00"))]
    first = await posted(erp, invoice, amount=Decimal("68.00"), memos=parts)
    settled, used = first
    assert isinstance(settled, Invoice)
    assert isinstance(used, CreditMemo)
    assert (settled.balance, settled.payoff, settled.version) == (0, 0, 2)
    assert [one.kind for one in settled.settled_with] == [
        "payment",
        "credit_memo",
        "discount",
    ]
    assert (used.balance, used.applied_to[0].number) == (0, invoice.number)
    assert await posted(erp, invoice, amount=Decimal("68.00"), memos=parts) == first
    assert await effects(erp, invoice) == 1
    with pytest.raises(Refused) as refused:
        await posted(erp, invoice, amount=Decimal("1.00"))
    assert refused.value.code == "reference_reused"


async def test_a_part_leaves_the_discount_for_the_rest(erp: httpx.AsyncClient) -> None:
    (left,) = await posted(erp, await an_issued(erp), amount=Decimal("50.00"), discount=Decimal(0))
    assert isinstance(left, Invoice)
    assert (left.balance, left.payoff) == (Decimal("50.00"), Decimal("48.00"))


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"amount": Decimal("98.01")}, "amount_above_balance"),
        ({"amount": Decimal("1.00"), "memos": [("CM-X", Decimal(1))]}, "memo_unknown"),
    ],
)
async def test_what_it_refuses_changes_nothing(
    erp: httpx.AsyncClient, given: dict[str, Any], code: str
) -> None:
    invoice = await an_issued(erp)
    with pytest.raises(Refused) as refused:
        await posted(erp, invoice, **given)
    assert refused.value.code == code
    assert await effects(erp, invoice) == 0


async def test_an_invoice_of_another_business_is_unknown(erp: httpx.AsyncClient) -> None:
    invoice = await an_issued(erp)
    with pytest.raises(Refused) as refused:
        await posted(erp, invoice.model_copy(update={"partner_code": "N-OTHER"}))
    assert refused.value.code == "invoice_unknown"


async def test_a_payment_that_was_cancelled_there_settles_nothing(erp: httpx.AsyncClient) -> None:
    invoice = await an_issued(erp)
    await posted(erp, invoice)
    layer = a_service_layer(erp)
    lists, long_ago = ErpLists(layer), datetime(2020, 1, 1, tzinfo=UTC)
    assert len((await lists.postings(long_ago, None)).postings) == 1
    (record,) = await layer.everything(PAYMENTS)
    await layer.act(PAYMENTS, record["DocEntry"], "Cancel")
    with pytest.raises(Refused) as refused:
        await posted(erp, invoice)
    assert refused.value.code == "payment_cancelled"
    assert (await lists.postings(long_ago, None)).postings == ()


async def test_faults_by_the_end_of_the_number(erp: httpx.AsyncClient) -> None:
    with pytest.raises(Refused):
        await posted(erp, await an_issued(erp, "REFUSED"))
    lost = await an_issued(erp, "LOST")
    with pytest.raises(Unavailable) as error:
        await posted(erp, lost)
    assert error.value.may_have_worked
    assert len(await posted(erp, lost)) == 1
    assert await effects(erp, lost) == 1
    for fault in ("AWAY", "PROXY"):
        away = await an_issued(erp, fault)
        for _ in range(3):
            with pytest.raises(Unavailable):
                await posted(erp, away)
        assert len(await posted(erp, away)) == 1
