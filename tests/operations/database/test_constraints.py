"""Invariants of the business are constraints of the database (promise 8): each is tried there, past all our code."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import CheckConstraint, Float, Index, UniqueConstraint, text
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
    "uq_brand_name": {"name": "Testmark"},
    "uq_cart_latest": {"person_id": "p", "partner_code": "CA1", "superseded_at": None},
    "uq_category_name": {"name": "Remote start"},
    "uq_dealer_partner_id": {"partner_id": "p"},
    "uq_device_reservation_live": {"device_key": "d", "kind": "activation", "released_at": None},
    "uq_handout_link_good": {"activation_id": "a", "revoked_at": None},
    "uq_handout_link_token_hash": {"token_hash": "h"},
    "uq_invitation_open": {"dealer_id": "d", "email": "ivan@turnkey.example", "ended_at": None},
    "uq_invitation_token_hash": {"token_hash": "h"},
    "uq_lent_card_link": {"link_id": "l", "provider_id": "c"},
    "uq_partner_address_default": {"partner_id": "p", "kind": "shipping", "is_default": True},
    "uq_partner_address_erp_name": {"partner_id": "p", "kind": "shipping", "erp_name": "Main"},
    "uq_partner_sap_bp_code": {"sap_bp_code": "CA1"},
    "uq_pay_link_token_hash": {"token_hash": "h"},
    "uq_payment_customer_provider_id": {"provider_id": "c"},
    "uq_payment_key": {"key": "order-t:1"},
    "uq_payment_method_fingerprint": {
        "partner_code": "CA1",
        "fingerprint": "f",
        "deleted_at": None,
    },
    "uq_payment_method_main": {"partner_code": "CA1", "is_main": True},
    "uq_payout_account_account_id": {"account_id": "acct_1"},
    "uq_payout_transfer_id": {"transfer_id": "tr_1"},
    "uq_person_dealer_primary": {"dealer_id": "d", "permission_groups": ["Dealer Primary"]},
    "uq_person_drone_user_id": {"drone_user_id": "u"},
    "uq_person_email": {"email": "ivan@turnkey.example"},
    "uq_placement_open": {"token": "t", "ended_at": None},
    "uq_product_default_variant_id": {"default_variant_id": "v"},
    "uq_reconciliation_round_open": {"ended_at": None},
    "uq_saved_list_name": {"person_id": "p", "partner_code": "CA1", "name": "Week"},
    "uq_shop_order_erp_number": {"erp_number": "90001"},
    "uq_shop_order_number": {"number": "T-1"},
    "uq_shop_order_token": {"token": "t"},
    "uq_site_host": {"host": "ca.turnkey.example"},
    "uq_subscription_live": {"device_key": "d", "superseded_at": None},
    "uq_trusted_device_token_hash": {"token_hash": "h"},
    "uq_variant_sku": {"sku": "FT-X1"},
    "uq_vehicle_make_name": {"name": "Toyota"},
    "uq_vehicle_model_id_year": {"model_id": 1, "year": 2022},
    "uq_visit_open": {"device_key": "d", "visitor_id": "p", "ended_at": None},
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


def test_everything_that_there_is_one_of_is_tried() -> None:
    known = {
        str(one.name)
        for table in METADATA.sorted_tables
        for one in (*table.constraints, *table.indexes)
        if isinstance(one, UniqueConstraint) or (isinstance(one, Index) and one.unique)
    }
    assert known == set(ONCE)


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
