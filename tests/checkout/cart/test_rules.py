"""Who may fill a cart, what fits in one, and what it adds up to (shop spec 3, 4 and 8)."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.catalogue.pricing import DisplayPrice, Rule
from domain.catalogue.products import Sellable, Stock
from domain.checkout.cart import (
    MOST_LINES,
    MOST_PIECES,
    BusinessFirst,
    Line,
    LineFault,
    NoLinkedBusiness,
    NoPurchasingRights,
    check_may_buy,
    merged,
    refusal_of,
    refused,
    sums_of,
)
from domain.errors import PortalError
from domain.identity.people import INSIDE_REP_GROUP, OUTSIDE_REP_GROUP, Actor, Site, User, UserType
from domain.money import to_cents
from domain.orders.shipping import ShippingMethod, freight, offered
from domain.partners.partners import Address, AddressKind

SITE = Site(code="ca", host="x", label="Turnkey Canada", country="CA", time_zone="America/Toronto")


def an_actor(
    *groups: str,
    owner: bool = False,
    purchaser: bool = False,
    retired: bool = False,
    code: str | None = "N1",
    chosen: str | None = None,
) -> Actor:
    user = User(
        id="u",
        email="u@x.example",
        first_name="U",
        last_name="X",
        user_type=(UserType(is_owner=owner, is_purchaser=purchaser),),
        permission_groups=groups,
        is_retired=retired,
        partner_code=code,
    )
    return Actor(request_id="r", site=SITE, user=user, partner_code=chosen)


BUYERS = {
    "an owner": (an_actor(owner=True), None),
    "a purchaser": (an_actor(purchaser=True), None),
    "an installer": (an_actor(), NoPurchasingRights),
    "a retired owner": (an_actor(owner=True, retired=True), NoPurchasingRights),
    "a consumer": (an_actor(code="B2C1"), NoLinkedBusiness),
    "a consumer who owns": (an_actor(owner=True, code="B2C1"), NoLinkedBusiness),
    "somebody without a business": (an_actor(owner=True, code=None), NoLinkedBusiness),
    "an inside rep without a business": (an_actor(INSIDE_REP_GROUP, code=None), BusinessFirst),
    "an outside rep without a business": (an_actor(OUTSIDE_REP_GROUP, code=None), BusinessFirst),
    "an inside rep with one": (an_actor(INSIDE_REP_GROUP, code=None, chosen="N2"), None),
    "an outside rep with one": (an_actor(OUTSIDE_REP_GROUP, code=None, chosen="N2"), None),
    "a retired rep with one": (
        an_actor(INSIDE_REP_GROUP, code=None, chosen="N2", retired=True),
        NoPurchasingRights,
    ),
}


@pytest.mark.parametrize("who", BUYERS)
def test_who_may_fill_a_cart(who: str) -> None:
    actor, expected = BUYERS[who]
    if expected is None:
        check_may_buy(actor)
        return
    with pytest.raises(PortalError) as raised:
        check_may_buy(actor)
    assert type(raised.value) is expected


def test_the_refusal_without_a_business_is_the_specs() -> None:
    assert NoLinkedBusiness.detail == (
        "Unable to add the item(s) to the cart. No linked business account."
    )


def a_sellable(
    variant_id: str = "v",
    *,
    amount: str | None = "10.00",
    for_purchase: bool = True,
    on_hand: int = 5,
) -> Sellable:
    price = None if amount is None else Decimal(amount)
    return Sellable(
        asked=variant_id.upper(),
        variant_id=variant_id,
        product_id="p",
        sku=variant_id.upper(),
        name="Thing",
        brand="brand",
        image="/x.svg",
        case_quantity=1,
        is_for_purchase=for_purchase,
        stock=Stock(on_hand=on_hand),
        figure=DisplayPrice(amount=price, msrp=price, rule=Rule.MSRP),
    )


def test_each_article_that_does_not_fit_is_named_with_its_reason() -> None:
    sellables = {
        "ok": a_sellable("ok"),
        "hidden": a_sellable("hidden", for_purchase=False),
        "priceless": a_sellable("priceless", amount=None),
        "many": a_sellable("many"),
    }
    adding = {"ok": MOST_PIECES - 1, "hidden": 1, "priceless": 1, "many": MOST_PIECES, "none": 1}
    found = {one.variant_id: one.fault for one in refused(adding, {"ok": 1, "many": 1}, sellables)}
    assert found == {
        "hidden": LineFault.NOT_FOR_PURCHASE,
        "priceless": LineFault.NO_PRICE,
        "many": LineFault.TOO_MANY,
        "none": LineFault.UNKNOWN,
    }


def test_a_full_cart_takes_more_of_what_it_holds_and_nothing_new() -> None:
    held = {f"v{n}": 1 for n in range(MOST_LINES - 1)}
    adding = {"v0": 1, "new": 1, "newer": 1}
    sellables = {name: a_sellable(name) for name in adding}
    (one,) = refused(adding, held, sellables)
    assert (one.variant_id, one.fault) == ("newer", LineFault.CART_FULL)


def test_a_shared_fault_gives_its_own_code_and_mixed_ones_the_general_one() -> None:
    sellables = {"a": a_sellable("a", for_purchase=False)}
    assert refusal_of(refused({"a": 1}, {}, sellables)).code == "not_for_purchase"
    error = refusal_of(refused({"a": 1, "b": 1}, {}, sellables))
    assert error.code == "lines_refused"
    assert error.extra["lines"] == [
        {"variantId": "a", "fault": "not_for_purchase"},
        {"variantId": "b", "fault": "unknown"},
    ]


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(1, MOST_PIECES)),
    st.dictionaries(st.sampled_from("abcdef"), st.integers(1, MOST_PIECES)),
)
def test_merging_loses_nothing_but_what_no_line_can_hold(
    latest: dict[str, int], older: dict[str, int]
) -> None:
    adding = merged(latest, older)
    for article, quantity in older.items():
        together = latest.get(article, 0) + adding.get(article, 0)
        assert together == min(latest.get(article, 0) + quantity, MOST_PIECES)


@pytest.mark.parametrize(
    ("quantity", "on_hand", "now", "later"),
    [(3, 5, 3, 0), (5, 5, 5, 0), (8, 5, 5, 3), (2, 0, 0, 2)],
)
def test_what_is_not_on_hand_comes_later(quantity: int, on_hand: int, now: int, later: int) -> None:
    line = Line(sellable=a_sellable(on_hand=on_hand), quantity=quantity)
    assert (line.now, line.later) == (now, later)


GROUND = ShippingMethod(id="g", name="B2B-Ground", price=Decimal("15.00"), free_from=Decimal("500"))
PICK_UP = ShippingMethod(id="p", name="B2B-Pick-up", price=Decimal("9.00"), is_pick_up=True)
HIDDEN = ShippingMethod(id="h", name="CUSTOM SAP SHIPPING", price=Decimal(0))


def test_the_hidden_method_is_not_offered_and_the_prefix_is_not_shown() -> None:
    assert offered([GROUND, HIDDEN, PICK_UP]) == (GROUND, PICK_UP)
    assert GROUND.shown_name == "Ground"


@pytest.mark.parametrize(
    ("method", "subtotal", "cost"),
    [
        (GROUND, "499.99", "15.00"),
        (GROUND, "500.00", "0"),
        (PICK_UP, "1.00", "0"),
    ],
)
def test_freight_is_flat_free_from_a_threshold_and_nothing_for_pick_up(
    method: ShippingMethod, subtotal: str, cost: str
) -> None:
    assert freight(method, Decimal(subtotal)) == Decimal(cost)


def an_address(area: str, country: str = "CA") -> Address:
    return Address(
        id="a",
        kind=AddressKind.SHIPPING,
        is_default=True,
        name="X",
        street="1 Street",
        city="Town",
        country_area=area,
        postal_code="X",
        country=country,
    )


@pytest.mark.parametrize(
    ("area", "country", "tax"),
    [
        ("ON", "CA", "14.95"),
        ("BC", "CA", "13.80"),
        ("QC", "CA", "17.22"),
        ("AB", "CA", "5.75"),
        ("MN", "US", "0"),
    ],
)
def test_tax_is_on_goods_and_freight_by_where_they_go(area: str, country: str, tax: str) -> None:
    lines = [Line(sellable=a_sellable(amount="50.00"), quantity=2)]
    sums = sums_of(lines, GROUND, an_address(area, country))
    assert (sums.subtotal, sums.freight, sums.tax) == (100, 15, Decimal(tax))
    assert sums.gross == Decimal(115) + Decimal(tax)


def test_a_line_that_cannot_be_bought_counts_in_no_total() -> None:
    lines = [
        Line(sellable=a_sellable("a"), quantity=1),
        Line(sellable=a_sellable("b", for_purchase=False), quantity=9),
    ]
    assert sums_of(lines, None, None).gross == Decimal("10.00")


@given(
    st.lists(
        st.tuples(st.decimals("0.01", "999", places=2), st.integers(1, MOST_PIECES)), max_size=20
    ),
    st.sampled_from(["ON", "QC", "BC", "SK", "AB"]),
)
def test_the_parts_add_up_to_the_cent(lines: list[tuple[Decimal, int]], area: str) -> None:
    held = [
        Line(sellable=a_sellable(f"v{n}", amount=str(price)), quantity=quantity)
        for n, (price, quantity) in enumerate(lines)
    ]
    sums = sums_of(held, GROUND, an_address(area))
    assert sums.subtotal == sum((price * n for price, n in lines), Decimal(0))
    assert sums.gross == sums.subtotal + sums.freight + sum(t.amount for t in sums.taxes)
    assert sums.gross == to_cents(sums.gross)
