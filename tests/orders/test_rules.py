"""How far an order has come follows from what is known of it, and from nothing else."""

import itertools
from collections import Counter
from typing import Any

import pytest

from domain.orders.orders import (
    OPEN,
    OrderFacts,
    OrderStatus,
    OrderSummary,
    pieces_by_sku,
    shown_method,
    status_from,
    waits_for,
)
from domain.orders.search import OrderSort, place_of
from tests.orders.factories import a_line, a_new_order

ORDERED = {"A": 3, "B": 1}
SENT = {"sent": ORDERED, "shipments": {"S1", "S2"}}


@pytest.mark.parametrize(
    ("known", "status"),
    [
        ({}, "placed"),
        ({"erp_number": "1"}, "handed_over"),
        ({"is_accepted": True}, "confirmed"),
        ({"is_accepted": True, "sent": {"A": 1}}, "part_shipped"),
        ({"sent": {"A": 3}}, "part_shipped"),
        ({"sent": {"A": 3, "B": 1}}, "shipped"),
        ({"sent": {"A": 4, "B": 1}}, "shipped"),
        ({"invoice_number": "1"}, "invoiced"),
        ({"invoice_number": "1", "sent": {"A": 1}}, "invoiced"),
        ({**SENT, "invoice_number": "1", "invoiced": {"S1"}}, "shipped"),
        ({**SENT, "invoice_number": "1", "invoiced": {"S1", "S2"}}, "invoiced"),
        ({"sent": {"A": 1}, "invoice_number": "1", "invoiced": {"S1"}}, "part_shipped"),
        ({"is_cancelled": True}, "cancelled"),
        ({"is_cancelled": True, "is_accepted": True, "sent": ORDERED}, "cancelled"),
    ],
)
def test_the_status_is_the_furthest_that_the_facts_speak_for(
    known: dict[str, Any], status: str
) -> None:
    assert (
        status_from(OrderFacts.model_validate({"ordered": ORDERED, "sent": {}, **known})) == status
    )


def test_six_facts_in_any_order_end_the_same_and_never_lead_back() -> None:
    """Two shipments, their invoices, the ERP's yes, and a piece that is never sent."""
    changes: tuple[dict[str, Any], ...] = (
        {"erp_number": "1", "is_accepted": True},
        {"sent": {"A": 2}, "shipments": {"S1"}},
        {"sent": {"A": 1}, "shipments": {"S2"}},
        {"invoice_number": "1", "invoiced": {"S1"}},
        {"invoice_number": "2", "invoiced": {"S2"}},
        {"withdrawn": {"B": 1}},
    )
    way = list(OrderStatus)
    ends: set[OrderStatus] = set()
    for order in itertools.permutations(changes):
        known: dict[str, Any] = {"ordered": ORDERED, "sent": Counter()}
        seen = OrderStatus.PLACED
        for change in order:
            for name, told in change.items():
                known[name] = (
                    known[name] + Counter(told) if name == "sent" else _with(known, name, told)
                )
            status = status_from(OrderFacts.model_validate(known))
            assert way.index(status) >= way.index(seen), order
            seen = status
        ends.add(seen)
    assert ends == {OrderStatus.INVOICED}


def _with(known: dict[str, Any], name: str, told: Any) -> Any:
    return known.get(name, set()) | told if isinstance(told, set) else told


def test_whatever_is_open_waits_for_something_and_the_rest_for_nothing() -> None:
    assert {status for status in OrderStatus if waits_for(status)} == OPEN


def test_lines_of_one_sku_are_summed() -> None:
    lines = [a_line("A", 2), a_line("B", 1), a_line("A", 3)]
    assert pieces_by_sku(lines) == {"A": 5, "B": 1}
    assert a_new_order("N1", lines).pieces == 6


@pytest.mark.parametrize(
    ("name", "shown"),
    [("B2B-Ground", "Ground"), ("Ground", "Ground"), ("Air B2B-", "Air B2B-")],
)
def test_the_prefix_of_a_shipping_method_is_not_shown(name: str, shown: str) -> None:
    assert shown_method(name) == shown


@pytest.mark.parametrize("sort", OrderSort)
def test_a_place_fits_lists_of_its_own_sort_alone(sort: OrderSort) -> None:
    order = a_new_order("N1")
    summary = OrderSummary(
        id="1",
        number="T-1",
        status=OrderStatus.PLACED,
        erp_number=None,
        invoice_number=None,
        pieces=1,
        **order.model_dump(
            include={
                "token",
                "partner_code",
                "placed_by_name",
                "po_number",
                "total",
                "payment_shown",
                "shipping_method",
                "created_at",
            }
        ),
    )
    fitting = {other for other in OrderSort if place_of(summary, sort).fits(other)}
    assert fitting == {other for other in OrderSort if other.is_by_date == sort.is_by_date}
