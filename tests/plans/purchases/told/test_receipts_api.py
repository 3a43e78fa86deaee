"""Receipts: who sees them, how they are listed, and their PDF."""

import csv
import io
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from db.plans.receipts import list_receipts, save_receipt
from domain.plans.receipts import Receipt
from tests.drivers.factories import a_dealer, a_name, an_installer
from tests.drivers.whole_portal import Whole, problem
from tests.plans.purchases.buying import Buyer, a_buyer
from tests.plans.purchases.factories import a_receipt


async def saved(buyer: Buyer, **given: object) -> str:
    """A receipt of the buyer's business; answers its uuid."""
    uuid = a_name()
    async with buyer.whole.sessions.begin() as session:
        await save_receipt(session, a_receipt(uuid, buyer.user, buyer.dealer, **given))
    return uuid


async def listed(buyer: Buyer, query: str = "") -> list[str]:
    answer = await buyer.browser.get(f"/v1/payments{query}")
    assert answer.status_code == 200, answer.text
    return [one["uuid"] for one in answer.json()["results"]]


async def test_the_latest_comes_first_and_pages_lead_to_each_other(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        now = datetime.now(UTC)
        made = [await saved(buyer, created_at=now - timedelta(days=n)) for n in range(5)]
        first = (await buyer.browser.get("/v1/payments?limit=2")).json()
        assert [one["uuid"] for one in first["results"]] == made[:2]
        assert (first["count"], first["page"], first["previous"]) == (5, 1, None)
        assert await listed(buyer, first["next"].removeprefix("/v1/payments")) == made[2:4]
        assert await listed(buyer, "?page=3&limit=2") == made[4:]
        assert await listed(buyer, "?offset=1&limit=1") == made[1:2]


async def test_filters_take_any_of_their_values(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        cheap = await saved(
            buyer,
            base_amount="10.00",
            currency_discount="0.00",
            base_tax="1.30",
            gst_hst="1.30",
            final_charge="11.30",
            subscriber_id="sub-1",
        )
        dear, declined = await saved(buyer), await saved(buyer, succeeded=False)
        assert set(await listed(buyer, "?successes_only=true")) == {cheap, dear}
        assert await listed(buyer, "?declined_only=true") == [declined]
        for query, count in (("", 3), ("?successes_only=true", 2), ("?declined_only=true", 1)):
            told = (await buyer.browser.get(f"/v1/payments{query}")).json()
            assert (told["count"], told["counts"]) == (count, {"charged": 2, "declined": 1})
        file = await buyer.browser.get("/v1/payments.csv?successes_only=true&subtotal=10")
        head, row = csv.reader(io.StringIO(file.text.removeprefix("\ufeff")))
        assert (head[0], row[0], row[6:10]) == (
            "Receipt",
            cheap,
            ["10.00", "0.00", "1.30", "11.30"],
        )
        assert len((await buyer.browser.get("/v1/payments.csv")).text.splitlines()) == 4
        assert await listed(buyer, "?total_charges=11.30&total_charges=5") == [cheap]
        assert await listed(buyer, "?subtotal=10") == [cheap]
        assert await listed(buyer, "?gst_hst=1.30") == [cheap]
        assert await listed(buyer, "?subscriber_id=sub-1") == [cheap]
        query = f"?transaction_id=pay_{dear}&transaction_id=pay_{declined}"
        assert set(await listed(buyer, query)) == {dear, declined}


async def test_a_receipt_that_comes_while_the_file_is_read_moves_no_other(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_buyer(whole) as buyer:
        now = datetime.now(UTC)
        made = [await saved(buyer, created_at=now - timedelta(days=n)) for n in range(1, 4)]

        async def read(*given: Any, **more: Any) -> Sequence[Receipt]:
            found = await list_receipts(*given, **more)
            await saved(buyer, created_at=now)
            return found

        monkeypatch.setattr("api.plans.export.list_receipts", read)
        monkeypatch.setattr("api.plans.export.BATCH", 2)
        file = await buyer.browser.get("/v1/payments.csv")
    _, *rows = csv.reader(io.StringIO(file.text.removeprefix("\ufeff")))
    assert [row[0] for row in rows] == made


async def test_a_receipt_is_for_its_business_alone(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        uuid = await saved(buyer)
        async with a_buyer(whole, dealer=await a_dealer(whole.sessions)) as stranger:
            for path in (f"/v1/payments/{uuid}", f"/v1/payments/{uuid}/receipt.pdf"):
                assert problem(await stranger.browser.get(path)) == (404, "receipt_missing")
        installer = await an_installer(whole.sessions, buyer.dealer)
        async with whole.signed_in(installer) as colleague:
            answer = await colleague.browser.get("/v1/payments")
            assert answer.json()["count"] == 0


async def test_a_receipt_is_a_pdf_whatever_its_names_are(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        line = {
            "device_key": "FT-X1-00000001",
            "product_name": "ft-x1",
            "plan_id": "premium_prepaid-1_year",
            "plan_name": "Premium Prepaid",
            "base_amount": "100.00",
            "discount": "20.00",
            "credit": "0.00",
            "tax": "11.20",
            "total": "91.20",
            "ends_at": datetime.now(UTC),
            "status": "provisioned",
            "detail": None,
        }
        uuid = await saved(buyer, bought_by="Zoë Łukasiewicz 李", lines=[line] * 60)
        answer = await buyer.browser.get(f"/v1/payments/{uuid}/receipt.pdf")
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF-")
        again = await buyer.browser.get(f"/v1/payments/{uuid}/receipt.pdf")
        assert again.content == answer.content
