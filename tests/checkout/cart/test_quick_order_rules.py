"""Rows of a quick order: how they are read, and what becomes of each."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.catalogue.pricing import DisplayPrice, Rule
from domain.catalogue.products import Sellable, Stock
from domain.checkout.cart import MOST_LINES, MOST_PIECES
from domain.checkout.quick_order import (
    MOST_ROWS,
    NoRows,
    Row,
    TooManyRows,
    Verdict,
    judge,
    quantity_of,
    read_text,
    wanted_of,
)
from domain.errors import PortalError

READ = {
    "commas": "A-1,2\nB-2,3",
    "semicolons": "A-1;2\r\nB-2;3\r\n",
    "tabs": "A-1\t2\nB-2\t3",
    "blanks": "A-1 2\n  B-2   3  ",
    "quotes": '"A-1","2"\n"B-2","3"',
    "quotes and semicolons": '"A-1";"2"\n"B-2";"3"',
    "a byte order mark": "\ufeffA-1,2\nB-2,3",
    "headings": "SKU,Quantity\nA-1,2\nB-2,3",
    "headings in another order": "Note;Qty;Item\nx;2;A-1\ny;3;B-2",
    "headings in French": "Produit;Quantité\nA-1;2\nB-2;3",
    "empty lines": "\n\nA-1,2\n\n,\n   \nB-2,3\n",
    "further cells": "A-1,2,red,,x\nB-2,3,blue",
}


@pytest.mark.parametrize("name", READ)
def test_rows_are_read_as_people_write_them(name: str) -> None:
    assert [(row.sku, row.quantity) for row in read_text(READ[name])] == [
        ("A-1", "2"),
        ("B-2", "3"),
    ]


def test_a_row_knows_its_line() -> None:
    assert [row.number for row in read_text("sku,qty\n\nA,1\n\nB,1")] == [3, 5]


def test_a_sku_alone_means_one_piece_and_an_empty_cell_means_none() -> None:
    assert [row.quantity for row in read_text("A-1\nB-2,")] == ["1", ""]


def test_a_quoted_cell_may_hold_marks_and_line_ends() -> None:
    rows = read_text('"A,1","2"\n"B\n2","3"')
    assert [row.sku for row in rows] == ["A,1", "B\n2"]


@pytest.mark.parametrize("text", ["", "\n \n", ",,,", "\ufeff", "sku,quantity"])
def test_nothing_but_headings_and_blanks_is_no_order(text: str) -> None:
    with pytest.raises(NoRows):
        read_text(text)


def test_too_many_rows_are_refused_and_never_cut() -> None:
    fits = "\n".join(f"A-{n},1" for n in range(MOST_ROWS))
    assert len(read_text(fits)) == MOST_ROWS
    with pytest.raises(TooManyRows):
        read_text(f"{fits}\nA-last,1")


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        rows = read_text(text)
    except PortalError:
        return
    assert 0 < len(rows) <= MOST_ROWS


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("1", 1),
        (" 12 ", 12),
        ("+3", 3),
        ("007", 7),
        ("2.0", 2),
        ("0", None),
        ("0.0", None),
        ("-1", None),
        ("1.5", None),
        ("1e3", None),
        ("1,000", None),
        ("two", None),
        ("", None),
        ("=1+1", None),
        ("٣", None),
        ("9" * 12, None),
    ],
)
def test_a_quantity_is_a_whole_number_above_zero(text: str, quantity: int | None) -> None:
    assert quantity_of(text) == quantity


def a_sellable(
    sku: str,
    *,
    asked: str | None = None,
    case: int = 1,
    on_hand: int = 100,
    for_purchase: bool = True,
    price: str | None = "10.00",
) -> Sellable:
    amount = Decimal(price) if price else None
    return Sellable(
        asked=asked or sku,
        variant_id=f"v-{sku}",
        product_id=f"p-{sku}",
        sku=sku,
        name=sku,
        brand="brand",
        image="/x.svg",
        case_quantity=case,
        is_for_purchase=for_purchase,
        stock=Stock(on_hand=on_hand),
        figure=DisplayPrice(amount=amount, msrp=amount, rule=Rule.MSRP),
    )


KNOWN = {
    "A": a_sellable("A", case=5),
    "OLD-A": a_sellable("A", asked="OLD-A", case=5),
    "B": a_sellable("B", on_hand=3),
    "SHUT": a_sellable("SHUT", for_purchase=False),
    "FREE": a_sellable("FREE", price=None),
}


def rows(*pairs: tuple[str, str]) -> list[Row]:
    return [Row(number=n, sku=sku, quantity=q) for n, (sku, q) in enumerate(pairs, start=1)]


def test_each_row_has_its_verdict() -> None:
    given_rows = rows(
        ("A", "5"), ("NONE", "1"), ("SHUT", "1"), ("FREE", "1"), ("B", "x"), ("", "4"), ("B", "9")
    )
    judged = judge(given_rows, KNOWN, {})
    assert [one.verdict for one in judged] == [
        Verdict.READY,
        Verdict.UNKNOWN,
        Verdict.NOT_FOR_PURCHASE,
        Verdict.NO_PRICE,
        Verdict.BAD_QUANTITY,
        Verdict.NO_SKU,
        Verdict.READY,
    ]
    assert wanted_of(judged) == {"v-A": 5, "v-B": 9}
    assert judged[6].later == 6


def test_rows_of_one_article_are_counted_together_by_whatever_sku_it_is_asked() -> None:
    judged = judge(rows(("A", "2"), ("B", "1"), ("OLD-A", "4")), KNOWN, {})
    assert [one.verdict for one in judged] == [Verdict.READY, Verdict.READY, Verdict.MERGED]
    assert (judged[0].pieces, judged[0].case_quantity) == (6, 5)
    assert (judged[2].merged_into, judged[2].is_alias) == (1, True)
    assert wanted_of(judged) == {"v-A": 6, "v-B": 1}


def test_full_cases_need_no_hint() -> None:
    (one,) = judge(rows(("A", "10")), KNOWN, {})
    assert one.case_quantity is None


def test_more_than_a_line_holds_is_refused_with_what_the_cart_has_already() -> None:
    judged = judge(rows(("A", str(MOST_PIECES - 3)), ("A", "2"), ("A", "1")), KNOWN, {"v-A": 2})
    assert [one.verdict for one in judged] == [Verdict.READY, Verdict.TOO_MANY, Verdict.MERGED]
    assert wanted_of(judged) == {"v-A": MOST_PIECES - 2}


def test_a_full_cart_says_so_for_each_further_article() -> None:
    held = {f"h{n}": 1 for n in range(MOST_LINES - 1)}
    judged = judge(rows(("A", "1"), ("B", "1"), ("OLD-A", "1")), KNOWN, held)
    assert [one.verdict for one in judged] == [Verdict.READY, Verdict.CART_FULL, Verdict.MERGED]


@given(
    st.lists(
        st.tuples(st.sampled_from([*KNOWN, "NONE", ""]), st.sampled_from(["1", "7", "x", "9000"])),
        min_size=1,
        max_size=60,
    )
)
def test_no_row_is_lost_and_no_piece_appears(pairs: list[tuple[str, str]]) -> None:
    given_rows = rows(*pairs)
    judged = judge(given_rows, KNOWN, {})
    assert [one.row for one in judged] == given_rows
    counted = [one for one in judged if one.verdict in (Verdict.READY, Verdict.MERGED)]
    assert sum(one.quantity or 0 for one in counted) == sum(wanted_of(judged).values())
    assert all(pieces <= MOST_PIECES for pieces in wanted_of(judged).values())
