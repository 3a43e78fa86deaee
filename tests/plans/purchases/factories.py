"""A purchase as a row, for those who only ask whose it is."""

from datetime import UTC, datetime

from db.runs.flows import FlowRow
from domain.checkout.draft import PostalAddress
from domain.identity.people import User
from domain.kinds import PURCHASE
from domain.plans.purchases import LineStatus, LineView, PurchaseView
from domain.plans.quote import ZERO
from domain.plans.receipts import Receipt
from tests.drivers.factories import Dealer, an_ended_run

ADDRESS = PostalAddress(
    name="Harbour Car Audio",
    street="1 Water Street",
    city="Halifax",
    country_area="NS",
    postal_code="B3H 1A1",
    country="CA",
)


def a_view(uuid: str, partner_code: str = "N1", **given: object) -> PurchaseView:
    """One that has quoted nothing yet, but for what is given."""
    values: dict[str, object] = {
        "uuid": uuid,
        "version": 1,
        "partner_code": partner_code,
        "lines": (),
        "base_amount": ZERO,
        "currency_discount": ZERO,
        "base_tax": ZERO,
        "taxes": (),
        "final_charge": ZERO,
        "currency": "USD",
        "refunded": ZERO,
        "quote_hash": None,
        "expires_at": None,
        "deadline": None,
        "address": ADDRESS,
        "payment": None,
        "refused_methods": (),
        "error": None,
        "waits_for": None,
        "placed_by": "Ina Installer",
        "acting_for": None,
        "activation_id": None,
        "receipt": False,
        "notes_at": {},
    }
    return PurchaseView.model_validate(values | given)


def a_line_view(device_key: str, status: LineStatus, **given: object) -> LineView:
    """Of a plan for ten dollars."""
    values: dict[str, object] = {
        "device_key": device_key,
        "product_name": "ft-x1",
        "plan_id": "premium_prepaid-1_year",
        "new_plan_name": "Premium Prepaid",
        "total": "10.00",
        "paid": "10.00",
        "status": status,
    }
    return LineView.model_validate(values | given)


def a_bought(id_: str, person: User | None, dealer: Dealer, site: str = "ca") -> FlowRow:
    """A purchase of this person that has ended."""
    return an_ended_run(PURCHASE, id_, a_view(id_, dealer.partner_code), person, dealer, site)


def a_receipt(uuid: str, person: User | None, dealer: Dealer, **given: object) -> Receipt:
    """A receipt of this person's business."""
    values: dict[str, object] = {
        "uuid": uuid,
        "partner_code": (person.partner_code if person else None) or dealer.partner_code,
        "dealer_id": dealer.id,
        "owner_id": person.id if person else None,
        "subscriber_id": None,
        "bought_by": "Ina Installer",
        "acting_for": None,
        "succeeded": True,
        "transaction_id": f"pay_{uuid}",
        "payment_shown": "Visa •••• 4242",
        "currency": "USD",
        "base_amount": "100.00",
        "currency_discount": "20.00",
        "base_tax": "11.20",
        "gst_hst": "11.20",
        "final_charge": "91.20",
        "refunded": "0.00",
        "lines": (),
        "taxes": (),
        "address": ADDRESS,
        "created_at": datetime.now(UTC),
    }
    return Receipt.model_validate(values | given)
