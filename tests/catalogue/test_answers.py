"""A product in a list is told alike by both ways of telling it."""

from datetime import UTC, date, datetime
from decimal import Decimal

import orjson
import pytest

from api.catalogue.answers import ProductSummaryOut, summary_json, summary_out
from domain.catalogue.pricing import DisplayPrice, ListKind, Rule
from domain.catalogue.products import ProductSummary, Slugged, Stock

CARD = ProductSummary(
    id="p1",
    name="Thing",
    sku="A-B-1",
    variant_id="v1",
    brand=Slugged(name="FTX", slug="ftx"),
    category=Slugged(name="RF Kit", slug="rf-kit"),
    image="/pictures/products/rf-kit.svg",
    case_quantity=5,
    is_for_purchase=True,
    is_on_approved_list=True,
    stock=Stock(on_hand=0, restock_on=date(2027, 3, 2)),
    figure=DisplayPrice(
        amount=Decimal("7.5"),
        msrp=Decimal(10),
        rule=Rule.APPROVED_BRAND,
        list_name="Winter deals",
        kind=ListKind.DEAL,
        ends_at=datetime(2027, 1, 20, tzinfo=UTC),
    ),
)
UNPRICED = DisplayPrice(amount=None, msrp=None, rule=Rule.MSRP)


@pytest.mark.parametrize(
    "summary",
    [
        CARD,
        CARD.model_copy(update={"figure": UNPRICED}),
        CARD.model_copy(update={"stock": Stock(on_hand=9), "is_for_purchase": False}),
        CARD.model_copy(update={"stock": Stock(on_hand=9), "tells_stock": True}),
    ],
)
def test_both_ways_say_the_same(summary: ProductSummary) -> None:
    by_model = ProductSummaryOut.model_validate_json(
        summary_out(summary).model_dump_json(by_alias=True)
    )
    assert ProductSummaryOut.model_validate_json(orjson.dumps(summary_json(summary))) == by_model
    assert orjson.loads(orjson.dumps(summary_json(summary))).keys() == (
        orjson.loads(summary_out(summary).model_dump_json(by_alias=True)).keys()
    )
