"""In which order documents are locked: one for everybody, so that nobody waits in a circle."""

import asyncio

from db.base import Sessions
from db.billing.invoice_payments import documents_of
from db.billing.invoices.documents import find_invoice, find_memo, mirror, mirror_all
from domain.billing.invoice_allocation import AllocationRequest
from tests.billing.invoices.factories import a_memo, an_invoice, mirrored
from tests.drivers.database.locks import waiting_behind
from tests.drivers.factories import a_partner
from tests.drivers.until import until


async def test_memos_are_mirrored_first_and_each_kind_by_number(sessions: Sessions) -> None:
    code = await a_partner(sessions)
    invoices = [an_invoice(code), an_invoice(code)]
    memos = [a_memo(code, number=f"ZZ-{one.number}") for one in invoices]
    async with sessions.begin() as session:
        news = await mirror_all(session, [*reversed(invoices), *reversed(memos)])
    assert [one.number for one in news] == [
        *sorted(one.number for one in memos),
        *sorted(one.number for one in invoices),
    ]


async def test_of_an_invoice_and_a_memo_of_one_number_the_later_is_passed_over(
    sessions: Sessions,
) -> None:
    ours, theirs = await a_partner(sessions), await a_partner(sessions)
    invoice, memo = an_invoice(ours), a_memo(theirs)
    clashing = a_memo(theirs, number=invoice.number), an_invoice(ours, number=memo.number)
    paid = invoice.model_copy(update={"version": 2, "paid": invoice.total})
    async with sessions.begin() as session:
        assert await mirror(session, invoice)
        assert await mirror(session, memo)
        for one in clashing:
            assert not await mirror(session, one)
        assert await find_memo(session, invoice.number, None) is None
        assert await find_invoice(session, memo.number, None) is None
        assert await mirror(session, paid)


async def test_who_pays_waits_for_who_mirrors_and_holds_nothing_of_it(sessions: Sessions) -> None:
    code = await a_partner(sessions)
    invoice, memo = an_invoice(code), a_memo(code)
    await mirrored(sessions, invoice, memo)
    request = AllocationRequest.model_validate(
        {
            "invoices": [{"number": invoice.number, "amount": "30.00"}],
            "memos": [{"number": memo.number, "amount": "30.00"}],
        }
    )

    async def pay() -> None:
        async with sessions.begin() as session:
            await documents_of(session, code, request, lock=True)

    async with sessions.begin() as session:
        await mirror(session, memo.model_copy(update={"version": 2}))
        paying = asyncio.create_task(pay())
        await until(lambda: waiting_behind(session), lambda behind: behind == 1)
        await mirror(session, invoice.model_copy(update={"version": 2}))
    await paying
