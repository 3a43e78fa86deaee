"""Every call that moves money or a car is understood word by word, or moves none (decision 37)."""

import httpx
import pytest

from domain.identity.people import Role
from domain.identity.policy import (
    ACTIVATION,
    BANK_ACCOUNTS,
    DEVICES,
    FIRMWARE,
    INVOICE_PAYMENTS,
    PAYMENT_METHODS,
    PLACEMENTS,
    PLANS,
    POLICY,
)
from tests.identity.policy.recipes import Names
from tests.identity.policy.test_matrix import OPERATIONS, recipe_of
from tests.identity.policy.world import World

DOCUMENTS = {
    "invoice",
    "invoices",
    "invoices_cursor",
    "credit_memo",
    "credit_memos",
    "credit_memos_cursor",
}
"""Asked by POST as the shop asks its lists, and reads of what the ERP told."""

READS = {
    "users_payment_methods",
    "quote_invoice_payment",
    "advise_invoice_payment",
    "open_pay_link",
}
"""Asked by POST, and a read."""

MONEY_CALLS = sorted(
    {
        "set_b2b_payment",
        "complete_b2b_checkout",
        "buy_activation_plan",
        "retry_payout",
        "settle_payout",
        "settle_run",
        "give_up_run",
        "try_run_again",  # what waits may be a refund or a charge
        "retry_case",
        "resolve_case",
    }
    | {
        name
        for name in {**PLACEMENTS, **PLANS, **BANK_ACCOUNTS, **PAYMENT_METHODS, **INVOICE_PAYMENTS}
        if OPERATIONS[name][0] != "GET"
    }
    - READS
)


MOVES_NO_CAR = {
    "start_activation": "takes a device, and sends it nothing",
    "hand_over_activation": "changes who works on it",
    "link_handout": "a link of what was done",
    "revoke_handout_link": "the same",
    "open_handout": "a read",
    "report_drift": "tells of a page",
    "buy_activation_plan": "moves money, and is among those",
    "free_my_device": "writes down whose it is no more",
    "release_my_device": "the same",
    "check_device": "a read",
    "check_device_for_purchase": "a read",
    "welcome_device": "mails its owner",
    "link_device_installer": "writes down who installed it",
    "receive_device_logs": "signed by the network",
    "receive_erp_event": "signed by the ERP",
    "receive_card_event": "signed by the provider",
    "receive_bank_event": "signed by the gateway",
}
"""Writing calls of devices, activations and firmware, and why none of them reaches a car."""

CAR_CALLS = sorted(
    {name for name in {**ACTIVATION, **DEVICES, **FIRMWARE} if OPERATIONS[name][0] != "GET"}
    - MOVES_NO_CAR.keys()
)


def test_no_exception_is_without_its_call() -> None:
    writing = {name for name, (method, _) in OPERATIONS.items() if method != "GET"}
    assert MOVES_NO_CAR.keys() <= writing & {**ACTIVATION, **DEVICES, **FIRMWARE}.keys()
    assert "send_device_command" in CAR_CALLS


def test_no_money_call_is_missing() -> None:
    """A writing call whose path speaks of money and that is none of them is named here, with its reason."""
    words = (
        "pay",
        "card",
        "bank",
        "purchase",
        "refund",
        "charge",
        "invoice",
        "credit",
        "placement",
    )
    speaking = {
        name
        for name, (method, path) in OPERATIONS.items()
        if method != "GET" and any(word in path for word in words)
    }
    assert speaking - set(MONEY_CALLS) == {
        "users_payment_methods",  # a read
        "mock_placement",  # a mock run, whatever is said
        "receive_card_event",  # signed by the provider, and a hint: nothing of it is believed
        "receive_bank_event",
        "quote_invoice_payment",  # a mock run
        "advise_invoice_payment",  # a read
        "open_pay_link",  # a read
        "open_payout_account",  # asks where an account stands, and brings a page
        *DOCUMENTS,
    }


async def asked(world: World, name: str, query: dict[str, str]) -> httpx.Response:
    role = Role.OWNER if Role.OWNER in POLICY[name].roles else Role.ADMIN
    somebody = await world.somebody(role)
    recipe = recipe_of(name)
    wanted = recipe.ask(somebody.own) if isinstance(recipe, Names) else recipe.asked
    method, path = OPERATIONS[name]
    async with world.browser(somebody) as browser:
        return await browser.request(
            method,
            path.format(**wanted.path),
            params=wanted.query | query,
            json=wanted.json,
            headers={"Idempotency-Key": f"money-{name}"},
        )


@pytest.mark.parametrize("name", MONEY_CALLS + CAR_CALLS)
async def test_a_query_name_that_is_not_known_is_refused(world: World, name: str) -> None:
    for unknown in ("Validate", "vaildate", "dryRun"):
        answer = await asked(world, name, {unknown: "true"})
        assert answer.status_code == 422, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["validation_errors"] == [
            {"field": unknown, "message": "Unknown field"}
        ]


async def test_a_name_that_is_no_word_is_not_repeated(world: World) -> None:
    for unknown in ("4242424242424242", "<script>", "validate[]"):
        answer = await asked(world, "pay_for_plans", {unknown: "true"})
        assert answer.status_code == 422
        assert answer.json()["validation_errors"][0]["field"] == "query"
        assert unknown not in answer.text
