"""Invariants of the business are constraints of the database (promise 8): each is tried there, past all our code."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import CheckConstraint, Float, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions
from db.tables import METADATA

MONEY = re.compile(r"(amount|captured|refunded|total|quantity|charged|final_charge|price)\b")

Values = Mapping[str, Any]

CHECKED: dict[str, tuple[Values, Values]] = {
    "ck_coupon_one_of": ({"percent": 5, "amount": None}, {"percent": 5, "amount": 5}),
    "ck_invoice_total": (
        {"total": 12, "subtotal": 10, "freight": 1, "tax": 1},
        {"total": 13, "subtotal": 10, "freight": 1, "tax": 1},
    ),
    "ck_invoice_payment_not_negative": (
        {"charged": 0, "discount": 0, "applied": 0},
        {"charged": 0, "discount": Decimal("-0.01"), "applied": 0},
    ),
    "ck_invoice_allocation_not_negative": (
        {"charged": 0, "discount": 0, "applied": 0},
        {"charged": Decimal("-0.01"), "discount": 0, "applied": 0},
    ),
    "ck_money_case_amount": ({"amount": 1}, {"amount": 0}),
    "ck_payment_amount": ({"amount": 1}, {"amount": 0}),
    "ck_payment_captured": ({"captured": 0}, {"captured": Decimal("-0.01")}),
    "ck_payment_refunded": (
        {"captured": 2, "refunded": 2},
        {"captured": 2, "refunded": Decimal("2.01")},
    ),
    "ck_payout_amount": ({"amount": 1}, {"amount": 0}),
    "ck_receipt_sums": (
        {"final_charge": 11, "base_amount": 12, "currency_discount": 2, "base_tax": 1},
        {"final_charge": 12, "base_amount": 12, "currency_discount": 2, "base_tax": 1},
    ),
    "ck_receipt_refunded": (
        {"refunded": 2, "final_charge": 2},
        {"refunded": 3, "final_charge": 2},
    ),
    "ck_reward_amount": (
        {"kind": "earned", "amount": 1},
        {"kind": "earned", "amount": -1},
    ),
    "ck_credit_reservation_amount": ({"amount": 1}, {"amount": 0}),
    "ck_dispute_amount": ({"amount": 1}, {"amount": -1}),
    "ck_memo_allocation_positive": ({"amount": 1}, {"amount": 0}),
    "ck_plan_price_amount": ({"amount": 1}, {"amount": 0}),
    "ck_product_case_quantity": ({"case_quantity": 1}, {"case_quantity": 0}),
    "ck_shipping_method_price": ({"price": 0}, {"price": Decimal("-0.01")}),
    "ck_shop_order_total": (
        {"total": 11, "subtotal": 10, "coupon_amount": 1, "freight": 1, "tax": 1},
        {"total": 12, "subtotal": 10, "coupon_amount": 1, "freight": 1, "tax": 1},
    ),
    "ck_shop_order_line_quantity": (
        {"quantity": 3, "now": 1, "later": 2},
        {"quantity": 3, "now": 1, "later": 1},
    ),
    "ck_shop_order_line_total": (
        {"total": 6, "unit_price": 3, "quantity": 2},
        {"total": 5, "unit_price": 3, "quantity": 2},
    ),
    "ck_price_amount": ({"amount": 0}, {"amount": Decimal("-0.01")}),
    "ck_stock_reservation_quantity": ({"quantity": 1}, {"quantity": 0}),
    "ck_cart_line_quantity": ({"quantity": 9999}, {"quantity": 0}),
    "ck_saved_list_line_quantity": ({"quantity": 1}, {"quantity": 0}),
}
"""Constraint → what it takes, and what it refuses."""

ONCE: dict[str, Values] = {
    "uq_shop_order_token": {"token": "t"},
    "uq_shop_order_erp_number": {"erp_number": "90001"},
    "uq_payment_key": {"key": "order-t:1"},
    "uq_payout_transfer_id": {"transfer_id": "tr_1"},
    "uq_placement_open": {"token": "t", "ended_at": None},
    "uq_device_reservation_live": {"device_key": "d", "kind": "activation", "released_at": None},
    "uq_subscription_live": {"device_key": "d", "superseded_at": None},
    "uq_payment_method_main": {"partner_code": "CA1", "is_main": True},
    "uq_cart_latest": {"person_id": "p", "partner_code": "CA1", "superseded_at": None},
    "uq_person_email": {"email": "ivan@turnkey.example"},
}
"""What there is one of, and what a second one would be."""


def test_every_constraint_on_money_and_counts_is_tried() -> None:
    known = {
        str(one.name)
        for table in METADATA.sorted_tables
        for one in table.constraints
        if isinstance(one, CheckConstraint) and MONEY.search(str(one.sqltext))
    }
    assert known == set(CHECKED)


def test_no_column_is_a_float() -> None:
    floats = [
        f"{table.name}.{column.name}"
        for table in METADATA.sorted_tables
        for column in table.columns
        if type(column.type) is Float
    ]
    assert floats == []


@pytest.mark.parametrize("name", CHECKED)
async def test_the_database_refuses_what_cannot_be(sessions: Sessions, name: str) -> None:
    good, bad = CHECKED[name]
    async with sessions() as session:
        await a_copy(session, name)
        await put(session, good)
        with pytest.raises(IntegrityError):
            await put(session, bad)


@pytest.mark.parametrize("name", ONCE)
async def test_the_database_refuses_a_second_one(sessions: Sessions, name: str) -> None:
    async with sessions() as session:
        await a_copy(session, name)
        await put(session, ONCE[name])
        with pytest.raises(IntegrityError):
            await put(session, ONCE[name])


async def test_an_invoice_is_held_by_one_payment(sessions: Sessions) -> None:
    """The key of the row is the invoice's number."""
    async with sessions() as session:
        await a_copy(session, "pk_document_hold")
        await put(session, {"number": "INV-1"})
        with pytest.raises(IntegrityError):
            await put(session, {"number": "INV-1"})


async def a_copy(session: AsyncSession, name: str) -> None:
    """A table `tried` with the columns of the one that the constraint or index is on, and with that alone, as the database has
    it. It is gone with the transaction."""
    constraint = text(
        "select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint where conname = :name"
    )
    found = (await session.execute(constraint, {"name": name})).one_or_none()
    if found is not None:
        table, told = found
        adding = f"alter table tried add {told}"
    else:
        index = text(
            "select indrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index"
            " where indexrelid = to_regclass(:name)"
        )
        table, told = (await session.execute(index, {"name": name})).one()
        adding = re.sub(r" INDEX \S+ ON \S+ ", " INDEX ON tried ", told)
    await session.execute(
        text(f"create temp table tried on commit drop as select * from {table} limit 0")
    )
    await session.execute(text(adding))


async def put(session: AsyncSession, values: Values) -> None:
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    async with session.begin_nested():
        await session.execute(text(f"insert into tried ({names}) values ({marks})"), dict(values))
