"""What the buyer of plans is told when no owner has approved them."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from activities.checkout.approval_mails import MailKind
from activities.plans.approvals import PurchaseApprovalMail, written
from domain.checkout.approvals import Approval
from domain.letters.language import Language
from domain.operations.cases import NOTHING_CHARGED, ON_ITS_WAY
from domain.plans.purchases import Buyer

BUYER = Buyer(
    partner_code="N1",
    channel="dealer-1",
    dealer_id="d1",
    person_id="p1",
    name="Robin",
    site="us",
    canadian=False,
)


@pytest.mark.parametrize("kind", [MailKind.REJECTED, MailKind.EXPIRED])
@pytest.mark.parametrize("left", [None, ON_ITS_WAY])
def test_that_nothing_was_charged_is_said_only_where_nothing_is_left_of_a_charge(
    kind: MailKind, left: str | None
) -> None:
    approval = Approval(reason="", above=Decimal(1), until=datetime(2026, 12, 1, tzinfo=UTC))
    mail = PurchaseApprovalMail(
        kind=kind,
        purchase_id="uuid-1",
        buyer=BUYER,
        total=Decimal(50),
        devices=2,
        approval=approval,
        number=3,
        portal_url="http://portal.test",
        left=left,
    )
    _, text = written(mail, Language.EN)
    said, page = text.split("\n")
    assert said.endswith(f". {left or NOTHING_CHARGED}")
    assert (NOTHING_CHARGED in said) is (left is None)
    assert page == "http://portal.test/cart/checkout/subscriptions?uuid=uuid-1"
