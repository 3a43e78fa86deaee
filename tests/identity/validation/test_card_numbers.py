"""Card numbers in texts: found however they are written, masked, and only where a person types freely (decision 37)."""

import importlib
import pkgutil
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated

import pytest
from pydantic import ConfigDict, TypeAdapter, ValidationError, create_model
from pydantic.fields import FieldInfo

import api
from api.checkout.draft import BillTo, CartPaymentChoice
from api.checkout.placements import ChosenPayment, SelectedPayment
from api.checkout.quote import PaymentSelected
from api.content.inquiries import ContactUs
from api.identity.passwords import Forgotten
from api.identity.signing_in.sign_in import Credentials
from domain.base import Body, free_texts
from domain.card_numbers import NO_CARD_NUMBER, masked, passes_luhn


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
        ("ab 4242424242424242 cd", "ab ************4242 cd"),
        ("4242424242424242" + 16 * "0", 28 * "*" + "0000"),
        ("5555555555554444 and 4111111111111111", "************4444 and ************1111"),
    ],
)
def test_a_card_number_is_masked(typed: str, kept: str) -> None:
    assert masked(typed) == kept
    assert masked(kept) == kept


def test_a_long_text_of_groups_is_read_once() -> None:
    """What reads the rest of it for each group would take minutes here."""
    text = "123 " * 300_000
    assert len(masked(text)) == len(text)


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
        "/activation/device?id=4242424242424242a0b1c2d3e4f5a6b7&step=1",
        "order-a4242424242424242b1c2d3e",
        "act-a0b1c2d3-0000-4000-8000-424242424242",
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
        "address",
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


OF_DIGITS_PERHAPS = frozenset(
    [
        "billing_address_id",
        "brands",
        "business_partner",
        "card",
        "categories",
        "category_id",
        "command",
        "from_id",
        "from_token",
        "id",
        "ids",
        "installer_id",
        "invoice",
        "involved_installer_id",
        "involved_installers",
        "key",
        "line_id",
        "line_ids",
        "number",
        "plan_id",
        "product_id",
        "product_ids",
        "sap_bp_code",
        "search",
        "shipping_address_id",
        "shipping_method_id",
        "sku",
        "skus",
        "to_id",
        "user_id",
        "variant_id",
    ]
)
"""Texts whose pattern a card number fits, left as they are: each is looked up, and kept only once it is known."""


def exact_fields() -> Iterator[tuple[str, FieldInfo, bool]]:
    """The fields of bodies that are not masked, and whether a pattern says what they are made of."""
    for module in pkgutil.walk_packages(api.__path__, "api."):
        importlib.import_module(module.name)
    for body in bodies():
        if body.__module__.startswith("api."):
            for name, field in body.model_fields.items():
                if name not in free_texts(body):
                    yield name, field, "pattern='" in f"{field.annotation!r}{field.metadata}"


def test_only_what_counts_sign_by_sign_is_not_masked() -> None:
    assert {name for name, _, has_pattern in exact_fields() if not has_pattern} == SIGN_BY_SIGN


def takes_card_numbers(field: FieldInfo) -> bool:
    assert field.annotation is not None
    one = create_model(
        "One", __config__=ConfigDict(validate_by_name=True), field=(field.annotation, field)
    )
    for number in ("4242424242424242", "424242424242"):
        for typed in (number, [number]):
            with suppress(ValidationError):
                if number in str(one.model_validate({"field": typed})):
                    return True
    return False


def test_a_pattern_that_takes_a_card_number_is_one_of_an_id() -> None:
    assert passes_luhn("424242424242")
    taking = {
        name for name, field, patterned in exact_fields() if patterned and takes_card_numbers(field)
    }
    assert taking == OF_DIGITS_PERHAPS


@pytest.mark.parametrize(
    "body", [CartPaymentChoice, PaymentSelected, SelectedPayment, ChosenPayment]
)
def test_a_method_that_is_kept_before_it_is_known_is_no_card_number(body: type[Body]) -> None:
    named = {"gateway": "CARD"} if body is CartPaymentChoice else {}
    for id_ in ("4242424242424242", "4242-4242-4242-4242"):
        with pytest.raises(ValidationError, match=NO_CARD_NUMBER):
            body.model_validate({"type": "CARD", "method_id": id_, **named}, by_name=True)
    body.model_validate({"type": "CARD", "method_id": "a4242424242424242", **named}, by_name=True)


@pytest.mark.parametrize(
    ("shown", "kept"),
    [
        ("/activation/device?id=4f0c2a", "/activation/device?id=4f0c2a"),
        ("/search?s=a%20b+c%2F", "/search?s=a%20b+c%2F"),
        (
            "/orders/4242424242424242a0b1c2d3e4f5a6b7?s=4242424242424242",
            "/orders/4242424242424242a0b1c2d3e4f5a6b7?s=************4242",
        ),
        ("/search?s=4242424242424242", "/search?s=************4242"),
        ("/search?s=4242+4242+4242+4242", "/search?s=****%20****%20****%204242"),
        ("/search?s=4242%204242%204242%204242", "/search?s=****%20****%20****%204242"),
        (
            "/search?s=4242%C2%A04242%C2%A04242%C2%A04242",
            "/search?s=****%C2%A0****%C2%A0****%C2%A04242",
        ),
    ],
)
def test_the_page_that_somebody_writes_about_holds_no_card_number(shown: str, kept: str) -> None:
    said = {"name": "Nia", "email": "nia@people.example", "role": "Other", "message": "Hello"}
    assert ContactUs.model_validate({**said, "page": shown}).page == kept


def test_a_postal_code_holds_no_card_number() -> None:
    code: TypeAdapter[str] = TypeAdapter(
        Annotated[str, *BillTo.model_fields["postal_code"].metadata]
    )
    assert code.validate_python("B3J 1V7") == "B3J 1V7"
    assert code.validate_python("424242424242") == "********4242"


def test_an_address_to_sign_in_with_may_hold_any_digits() -> None:
    for body in (Credentials, Forgotten):
        address = "u4242424242424242@people.example"
        assert body(username=address).username == address
        assert body(username="4242424242424242").username == "************4242"
