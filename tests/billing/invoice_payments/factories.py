"""Numbers of invoices, and a payment of invoices as a row, for those who only ask whose it is."""

from datetime import UTC, datetime

from db.runs.flows import FlowRow
from domain.billing.invoice_payment import InvoicePaymentView
from domain.billing.payments import NOTHING
from domain.identity.people import User
from tests.drivers.factories import Dealer, a_name


def numbered(behaves: str = "") -> str:
    """A number of an invoice that the ERP treats like this."""
    return f"INV-{a_name()}{'-' if behaves else ''}{behaves}"


def a_paid(id_: str, person: User | None, dealer: Dealer, site: str = "ca") -> FlowRow:
    """A payment of this person that has ended."""
    now = datetime.now(UTC)
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
        submitted_at=now,
        deadline=None,
        payment=None,
        refused_methods=(),
        error=None,
        waits_for=None,
        paid_by="Olivia Owner",
        acting_for=None,
        notes_at={},
    )
    return FlowRow(
        id=id_,
        kind="invoice_payment",
        version=1,
        workflow_id=f"invpay-{id_}",
        run_id=id_,
        rev=1,
        seq=1,
        state="cancelled",
        allowed=[],
        view=view.model_dump(mode="json"),
        device_key=None,
        site=site,
        dealer_id=person.dealer_id if person else None,
        owner_id=person.id if person else None,
        partner=dealer.partner_code,
        outcome="cancelled",
        created_at=now,
        updated_at=now,
        ended_at=now,
    )
