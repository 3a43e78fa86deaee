"""Which parts of an article differ, and how that is told."""

from decimal import Decimal

from domain.catalogue.erp_items import ErpItem, ErpProduct, ItemPart, differing_parts

PRODUCT = ErpProduct(
    name="Starter",
    brand="Compustar",
    category="Remote Start",
    image="",
    case_quantity=1,
    is_for_purchase=True,
)
OURS = ErpItem(
    sku="CS-1",
    product_id="p1",
    product=PRODUCT,
    variant_name="",
    position=0,
    msrp=Decimal("100.00"),
    prices={"dealer-1": Decimal("80.00")},
    on_hand=3,
    restock_on=None,
)


def changed(**parts: object) -> ErpItem:
    return OURS.model_copy(update=parts)


def test_equal_amounts_are_equal_however_many_places_they_have() -> None:
    theirs = changed(msrp=Decimal(100), prices={"dealer-1": Decimal("80.0")})
    assert differing_parts(theirs, OURS) == {}


def test_each_part_tells_what_differs_of_it_and_no_more() -> None:
    product = PRODUCT.model_copy(update={"name": "Starter 2"})
    theirs = changed(product=product, prices={"dealer-2": Decimal(70)}, on_hand=0)
    assert differing_parts(theirs, OURS) == {
        ItemPart.PRODUCT: ("name Starter 2", "name Starter"),
        ItemPart.PRICE: ("dealer-2 70.00", "dealer-1 80.00"),
        ItemPart.STOCK: ("on hand 0", "on hand 3"),
    }


def test_a_further_variant_says_nothing_of_its_product() -> None:
    assert differing_parts(changed(product=None), OURS) == {}
    assert differing_parts(changed(product=None, position=1), OURS) == {
        ItemPart.PRODUCT: ("place 1", "place 0")
    }
