"""Numbers of invoices, and a payment of invoices as a row, for those who only ask whose it is."""

from datetime import UTC, datetime
from decimal import Decimal

from db.runs.flows import FlowRow
from domain.billing.invoice_allocation import FromMemo
from domain.billing.invoice_payment import InvoiceLine, InvoicePaymentView, InvoiceStatus
from domain.billing.payments import NOTHING
from domain.identity.people import User
from domain.kinds import INVOICE_PAYMENT
from tests.drivers.factories import Dealer, a_name, an_ended_run


def numbered(behaves: str = "") -> str:
    """A number of an invoice that the ERP treats like this."""
    return f"INV-{a_name()}{'-' if behaves else ''}{behaves}"


def a_line(
    status: InvoiceStatus, *, charged: str = "68.00", memo: str = "30.00", discount: str = "2.00"
) -> InvoiceLine:
    """Of an invoice of 100.00."""
    return InvoiceLine(
        number=numbered(),
        amount=Decimal("100.00"),
        charged=Decimal(charged),
        discount=Decimal(discount),
        discount_day=None,
        memos=(FromMemo(number="CM-1", amount=Decimal(memo)),),
        settles=True,
        status=status,
        detail=None,
    )


def a_view(id_: str, partner_code: str, *lines: InvoiceLine) -> InvoicePaymentView:
    """What was charged for refused ones went back."""
    back = [one.charged for one in lines if one.status is InvoiceStatus.REFUNDED]
    return InvoicePaymentView(
        uuid=id_,
        version=1,
        partner_code=partner_code,
        lines=lines,
        charged=sum((one.charged for one in lines), NOTHING),
        discount=sum((one.discount for one in lines), NOTHING),
        applied=sum((part.amount for one in lines for part in one.memos), NOTHING),
        refunded=sum(back, NOTHING),
        currency="USD",
        submitted_at=datetime.now(UTC),
        deadline=None,
        payment=None,
        refused_methods=(),
        error=None,
        waits_for=None,
        paid_by="Olivia Owner",
        acting_for=None,
        notes_at={},
    )


def a_paid(
    id_: str,
    person: User | None,
    dealer: Dealer,
    site: str = "ca",
    *,
    lines: tuple[InvoiceLine, ...] = (),
    state: str = "confirmed",
) -> FlowRow:
    """A payment of this person that has ended, paid unless told otherwise."""
    view = a_view(id_, dealer.partner_code, *lines)
    row = an_ended_run(INVOICE_PAYMENT, id_, view, person, dealer, site)
    row.state = row.outcome = state
    return row
