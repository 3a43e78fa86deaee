"""Payments in the ERP: our client against its stand-in."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import httpx
import pytest

from domain.billing.invoices.documents import CreditMemo, Invoice
from providers.erp.lists import ErpLists
from providers.erp.payments import PAYMENTS, ErpPayments
from providers.errors import Refused, Unavailable
from simulators.main import create_app as create_simulators
from tests.billing.invoice_payments.factories import numbered
from tests.billing.invoices.factories import ISSUED, a_memo, an_invoice
from tests.drivers.erp_records import a_service_layer
from tests.drivers.factories import a_name


@pytest.fixture
async def http(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[httpx.AsyncClient]:
    app = create_simulators(tmp_path_factory.mktemp("erp") / "simulators.sqlite")
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://erp") as client,
    ):
        yield client


async def issue(http: httpx.AsyncClient, document: Invoice | CreditMemo) -> None:
    kind = "invoice" if isinstance(document, Invoice) else "credit_memo"
    body = {"kind": kind, "document": document.model_dump(mode="json"), "is_told": False}
    (await http.post("/erp/_documents", json=body)).raise_for_status()


async def posted(
    http: httpx.AsyncClient, invoice: Invoice, **given: Any
) -> tuple[Invoice | CreditMemo, ...]:
    asked: dict[str, Any] = {"amount": Decimal("98.00"), "discount": Decimal("2.00"), "memos": []}
    return await ErpPayments(a_service_layer(http)).post(
        f"p:{invoice.number}",
        partner_code=invoice.partner_code,
        invoice_number=invoice.number,
        paid_on=ISSUED,
        **{**asked, **given},
    )


async def effects(http: httpx.AsyncClient, invoice: Invoice) -> int:
    answer = await http.get("/erp/_payments", params={"invoice_number": invoice.number})
    return len(answer.json()["payments"])


async def an_issued(http: httpx.AsyncClient, behaves: str = "") -> Invoice:
    invoice = an_invoice(a_name(), number=numbered(behaves))
    await issue(http, invoice)
    return invoice


async def test_an_invoice_is_settled_once_by_its_reference(http: httpx.AsyncClient) -> None:
    invoice = await an_issued(http)
    memo = a_memo(invoice.partner_code)
    await issue(http, memo)
    parts = [(memo.number, Decimal("30.00"))]
    first = await posted(http, invoice, amount=Decimal("68.00"), memos=parts)
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
    assert await posted(http, invoice, amount=Decimal("68.00"), memos=parts) == first
    assert await effects(http, invoice) == 1
    with pytest.raises(Refused) as refused:
        await posted(http, invoice, amount=Decimal("1.00"))
    assert refused.value.code == "reference_reused"


async def test_a_part_leaves_the_discount_for_the_rest(http: httpx.AsyncClient) -> None:
    (left,) = await posted(
        http, await an_issued(http), amount=Decimal("50.00"), discount=Decimal(0)
    )
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
    http: httpx.AsyncClient, given: dict[str, Any], code: str
) -> None:
    invoice = await an_issued(http)
    with pytest.raises(Refused) as refused:
        await posted(http, invoice, **given)
    assert refused.value.code == code
    assert await effects(http, invoice) == 0


async def test_an_invoice_of_another_business_is_unknown(http: httpx.AsyncClient) -> None:
    invoice = await an_issued(http)
    with pytest.raises(Refused) as refused:
        await posted(http, invoice.model_copy(update={"partner_code": "N-OTHER"}))
    assert refused.value.code == "invoice_unknown"


async def test_a_payment_that_was_cancelled_there_settles_nothing(http: httpx.AsyncClient) -> None:
    invoice = await an_issued(http)
    await posted(http, invoice)
    erp = a_service_layer(http)
    lists, long_ago = ErpLists(erp), datetime(2020, 1, 1, tzinfo=UTC)
    assert len((await lists.postings(long_ago, None)).postings) == 1
    (record,) = await erp.everything(PAYMENTS)
    await erp.act(PAYMENTS, record["DocEntry"], "Cancel")
    with pytest.raises(Refused) as refused:
        await posted(http, invoice)
    assert refused.value.code == "payment_cancelled"
    assert (await lists.postings(long_ago, None)).postings == ()


async def test_faults_by_the_end_of_the_number(http: httpx.AsyncClient) -> None:
    with pytest.raises(Refused):
        await posted(http, await an_issued(http, "REFUSED"))
    lost = await an_issued(http, "LOST")
    with pytest.raises(Unavailable) as error:
        await posted(http, lost)
    assert error.value.may_have_worked
    assert len(await posted(http, lost)) == 1
    assert await effects(http, lost) == 1
    for fault in ("AWAY", "PROXY"):
        away = await an_issued(http, fault)
        for _ in range(3):
            with pytest.raises(Unavailable):
                await posted(http, away)
        assert len(await posted(http, away)) == 1
