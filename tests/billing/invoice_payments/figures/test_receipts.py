"""Receipts of payments of invoices: what they say was charged was, and where nothing was there is none."""

from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from activities.billing.invoice_payments import InvoicePaymentActivities, InvoicePaymentMail
from assembly import systems_of
from db.base import Sessions
from domain.billing.invoice_payment import InvoiceStatus, paid_back, taken_back
from domain.paper.invoice_payments import sums_of
from domain.paper.seller import DEMO_SELLER
from settings import Settings
from simulators.main import create_app
from tests.billing.invoice_payments.factories import a_line, a_paid, a_view
from tests.drivers.factories import a_dealer, a_name, an_owner
from tests.drivers.outside.mail_server import taking_mail
from tests.orders.paper.test_paper import mailed

POSTED, REFUNDED = InvoiceStatus.POSTED, InvoiceStatus.REFUNDED
REFUSED, RETURNED = InvoiceStatus.REFUSED, InvoiceStatus.RETURNED


@pytest.mark.parametrize(
    ("statuses", "said"),
    [
        ((POSTED,), {"Invoices": 100, "Discount": -2, "Credit memos": -30, "charged": 68}),
        (
            (POSTED, REFUNDED),
            {
                "Invoices": 100,
                "Discount": -2,
                "Credit memos": -30,
                "Refused invoices": 68,
                "charged": 136,
                "Paid back": -68,
            },
        ),
        (
            (REFUNDED,),
            {"Invoices": 0, "Refused invoices": 68, "charged": 68, "Paid back": -68},
        ),
        (
            (RETURNED, REFUNDED),
            {
                "Invoices": 0,
                "Refused invoices": 68,
                "Invoices that are open again": 68,
                "charged": 136,
                "Paid back": -68,
                "Taken back by the bank": -68,
            },
        ),
    ],
)
def test_an_invoice_that_is_not_settled_got_neither_discount_nor_memos(
    statuses: tuple[InvoiceStatus, ...], said: dict[str, int]
) -> None:
    sums = sums_of(a_view("p-1", "C1", *map(a_line, statuses)))
    told = {name.removeprefix("Total ").removesuffix(" (USD)"): amount for name, amount in sums}
    assert told == said
    after = ("charged", "Paid back", "Taken back by the bank")
    until_charged = [name for name in told if name not in after]
    assert sum((told[name] for name in until_charged), Decimal(0)) == told["charged"]


@pytest.mark.parametrize(
    ("amount", "statuses", "refunded"),
    [
        ("0.00", (POSTED, REFUSED, REFUSED), "0.00"),
        ("135.99", (POSTED, REFUSED, REFUSED), "135.99"),
        ("136.00", (POSTED, REFUNDED, REFUNDED), "136.00"),
    ],
)
def test_what_was_refused_is_paid_back_once_all_of_it_is(
    amount: str, statuses: tuple[InvoiceStatus, ...], refunded: str
) -> None:
    view = a_view("p-1", "C1", *map(a_line, (POSTED, REFUSED, REFUSED)))
    now = paid_back(view, Decimal(amount))
    assert (tuple(one.status for one in now.lines), now.refunded) == (statuses, Decimal(refunded))
    assert paid_back(now, Decimal(amount)) == now
    assert paid_back(now, Decimal(0)) == now


def test_what_a_bank_took_back_is_told_of_its_invoice_alone() -> None:
    view = a_view("p-1", "C1", *map(a_line, (POSTED, POSTED, REFUNDED)))
    now = view
    for one in (view.lines[0], view.lines[2]):
        now = taken_back(now, one.number)
    assert [one.status for one in now.lines] == [RETURNED, POSTED, REFUNDED]
    assert now.taken_back == view.lines[0].charged


@pytest.mark.parametrize(
    ("state", "status", "has_receipt"),
    [
        ("confirmed", POSTED, True),
        ("refused", REFUNDED, True),
        ("returned", InvoiceStatus.RELEASED, False),
        ("expired", InvoiceStatus.RELEASED, False),
        ("cancelled", InvoiceStatus.RELEASED, False),
    ],
)
async def test_a_receipt_comes_with_the_mail_where_money_was_taken(
    sessions: Sessions, tmp_path: Path, state: str, status: InvoiceStatus, *, has_receipt: bool
) -> None:
    dealer, id_ = await a_dealer(sessions), a_name()
    user = await an_owner(sessions, dealer)
    async with sessions.begin() as session:
        session.add(a_paid(id_, user, dealer, lines=(a_line(status),), state=state))
    mail = InvoicePaymentMail(
        payment_id=id_, person_id=user.id, subject="Your payment of invoices", text="It ended."
    )
    stand_ins = create_app(tmp_path / "simulators.sqlite")
    async with (
        httpx.AsyncClient(
            transport=httpx.ASGITransport(stand_ins), base_url="http://stand-ins"
        ) as http,
        taking_mail(lambda: stand_ins) as mail_url,
    ):
        systems = systems_of(Settings(mail_url=mail_url, mail_encryption="none"), http, sessions)
        activities = InvoicePaymentActivities(
            systems.erp_payments, systems.messenger, sessions, DEMO_SELLER
        )
        await activities.mail(mail)
        text, _, papers = await mailed(http, user)
    assert text.startswith("It ended.\n\nBusiness: ")
    assert f"({dealer.partner_code})" in text
    assert ("Paid by: " in text) == has_receipt
    assert set(papers) == ({f"payment-{id_}.pdf"} if has_receipt else set())
