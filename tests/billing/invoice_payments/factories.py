"""Numbers of invoices, and a payment of invoices as a row, for those who only ask whose it is."""

from datetime import UTC, datetime

from db.runs.flows import FlowRow
from domain.billing.invoice_payment import InvoicePaymentView
from domain.billing.payments import NOTHING
from domain.identity.people import User
from domain.kinds import INVOICE_PAYMENT
from tests.drivers.factories import Dealer, a_name, an_ended_run


def numbered(behaves: str = "") -> str:
    """A number of an invoice that the ERP treats like this."""
    return f"INV-{a_name()}{'-' if behaves else ''}{behaves}"


def a_paid(id_: str, person: User | None, dealer: Dealer, site: str = "ca") -> FlowRow:
    """A payment of this person that has ended."""
    view = InvoicePaymentView(
        uuid=id_,
        version=1,
        partner_code=dealer.partner_code,
        lines=(),
        charged=NOTHING,
        discount=NOTHING,
        applied=NOTHING,
        refunded=NOTHING,
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
    return an_ended_run(INVOICE_PAYMENT, id_, view, person, dealer, site)
