"""What the ERP refused is as it was before: open, with its discount, and its memo pays another invoice."""

from decimal import Decimal

from tests.billing.invoice_payments.factories import numbered
from tests.billing.invoice_payments.paying import a_payer
from tests.drivers.whole_portal import Whole


async def test_a_refused_invoice_lets_go_of_its_memo_and_keeps_its_discount(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        memo = await payer.has_credit("30.00")
        (refused,) = await payer.owes(number=numbered("REFUSED"))
        (other,) = await payer.owes()
        answer = await payer.paid(payer.body([refused], memos=[memo]))
        assert (answer["state"], answer["charged"], answer["discount"]) == ("refused", 0.0, 0.0)
        assert await payer.kept(answer["uuid"]) == 0
        after = await payer.invoice(refused.number)
        assert (after["balance"]["amount"], after["inPayment"]) == (100.0, None)
        assert (after["payoffAmount"]["amount"], after["discount"]["amount"]) == (98.0, 2.0)
        again = await payer.paid(payer.body([other], memos=[memo]))
        assert (again["state"], again["charged"], again["discount"]) == ("confirmed", 68.0, 2.0)
        assert await payer.kept(again["uuid"]) == Decimal("68.00")
