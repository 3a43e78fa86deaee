"""Card numbers in texts: found however they are written, masked, and only where a person types freely (decision 37)."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import api
from api.identity.passwords import Forgotten
from api.identity.signing_in.sign_in import Credentials
from domain.base import Body, free_texts
from domain.card_numbers import masked


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("4242424242424242", "************4242"),
        ("Paid by 4242 4242 4242 4242, thanks", "Paid by **** **** **** 4242, thanks"),
        ("4242-4242-4242-4242 12/27", "****-****-****-4242 12/27"),
        ("Visa4242424242424242", "Visa************4242"),
        ("2 4242 4242 4242 4242", "2 **** **** **** 4242"),
        ("3782 822463 10005", "**** ****** *0005"),
        ("4242\u00a04242\u00a04242\u00a04242", "****\u00a0****\u00a0****\u00a04242"),
        ("4242‑4242–4242 4242", "****‑****–**** 4242"),
        ("5555555555554444 and 4111111111111111", "************4444 and ************1111"),
    ],
)
def test_a_card_number_is_masked(typed: str, kept: str) -> None:
    assert masked(typed) == kept
    assert masked(kept) == kept


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4242424242424241",
        "FT-X1-00000042",
        "(604) 555 - 0100",
        "2HGFC2F55KA512345",
        "1Z999AA10123456784",
        "2026-11-24 2026-11-25",
        "Invoice 10023 of 2026",
        "000000000000",
        "79927398713",
    ],
)
def test_anything_else_stays_as_it_is(text: str) -> None:
    assert masked(text) == text


def test_a_long_text_of_digits_is_judged_at_once() -> None:
    """As long as the longest message."""
    assert len(masked("123 " * 1_000)) == len(masked("1" * 4_000)) == 4_000


def bodies(of: type[Body] = Body) -> Iterator[type[Body]]:
    for inner in of.__subclasses__():
        yield inner
        yield from bodies(inner)


SIGN_BY_SIGN = frozenset(
    [
        "password",
        "confirm_password",
        "new_password",
        "confirm_new_password",
        "access_token",
        "refresh_token",
        "token",
        "challenge_id",
        "sub",
        "end_cursor",
        "device_key",
        "device_keys",
        "old_device_key",
        "new_device_key",
        "phone_number",
        "email",
        "consumer_email",
        "next_owner",
        "username",
        "plan_id",
        "card_id",
        "method_id",
        "payment_method",
        "payment_method_id",
        "user_id",
        "order_id",
        "sap_bp_code",
        "search_term",
        "search",
        "text",
    ]
)
"""Texts that stay as they are though no pattern says what they are made of. What is looked for, and the rows of a quick
order (`text`), may be a SKU of digits alone; neither is kept."""


def test_only_what_counts_sign_by_sign_is_not_masked() -> None:
    for module in pkgutil.iter_modules(api.__path__, "api."):
        importlib.import_module(module.name)
    unmasked = {
        name
        for body in bodies()
        if body.__module__.startswith("api.")
        for name, field in body.model_fields.items()
        if name not in free_texts(body)
        and "pattern='" not in f"{field.annotation!r}{field.metadata}"
    }
    assert unmasked == SIGN_BY_SIGN


def test_an_address_to_sign_in_with_may_hold_any_digits() -> None:
    for body in (Credentials, Forgotten):
        address = "u4242424242424242@people.example"
        assert body(username=address).username == address
        assert body(username="4242424242424242").username == "************4242"
