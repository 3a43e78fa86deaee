"""How to ask each operation for something: for what is one's own, and for what is another's.

An operation that names an object needs a recipe here. All others are asked plainly: their answer must hold nothing of
anybody else's. `tests/identity/policy/test_matrix.py` fails for an operation that has neither.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from domain.identity.people import Role
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import iccid_of
from tests.identity.policy.world import Things

Json = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """The parts of a request: values for the path, the query and the body."""

    path: dict[str, str] = field(default_factory=dict[str, str])
    query: dict[str, str] = field(default_factory=dict[str, str])
    json: Json | None = None


@dataclass(frozen=True)
class Names:
    """An operation that names an object. `authorized` are the roles that may access their own, by default all that are let
    in; `everything` those that may access everybody's; `barred` those that the operation itself turns away, whatever is named.
    `absent` is the status of what is somebody else's."""

    ask: Callable[[Things], Asked]
    absent: int = 404
    authorized: frozenset[Role] = frozenset(Role)
    everything: frozenset[Role] = frozenset({Role.ADMIN})
    barred: frozenset[Role] = frozenset()


@dataclass(frozen=True)
class Plain:
    """An operation that names nobody's object."""

    asked: Asked = field(default_factory=Asked)


def on_run(json: Json | None = None) -> Names:
    return Names(lambda things: Asked(path={"id": things.run_id}, json=json))


def to_a_device_of_nobody() -> Names:
    def ask(things: Things) -> Asked:
        key = a_device_key()
        json = {"seq": 1, "device_key": key, "iccid_last_digits": iccid_of(key)}
        return Asked(path={"id": things.run_id}, json=json)

    return Names(ask)


def on_firmware(json: Json | None = None) -> Names:
    return Names(lambda things: Asked(path={"id": f"fw{things.run_id}"}, json=json))


def of_device() -> Names:
    return Names(lambda things: Asked(query={"device_key": things.device_key}))


def on_case(json: Json | None = None) -> Plain:
    """Cases are nobody's but the administrators', who find none here."""
    return Plain(Asked(path={"id": "none"}, json=json))


def on_any_run(json: Json | None = None) -> Names:
    return Names(lambda things: Asked(path={"kind": "activation", "id": things.run_id}, json=json))


def on_device(json: Json) -> Names:
    """A device that somebody else is activating does not exist."""
    return Names(
        lambda things: Asked(
            json={
                "device_key": things.device_key,
                "iccid_last_digits": iccid_of(things.device_key),
                **json,
            }
        )
    )


NOBODY = frozenset[Role]()
READERS = frozenset({Role.ADMIN})
"""They read the documents of every business."""


PRODUCT = "policy-product"
"""There is one with this id, which belongs to nobody."""


def of_business(json: Json) -> Names:
    """Priced for the business that is named, which must be the caller's."""
    return Names(
        lambda things: Asked(json={"sapBpCode": things.partner_code, **json}),
        authorized=frozenset(Role) - {Role.ANONYMOUS, Role.GUEST, Role.ADMIN},
        everything=NOBODY,
    )


WITHOUT_MONEY = frozenset({Role.INSTALLER})
"""Those who see their business without its money, and so without its documents."""


def of_document(named: Callable[[Things], Json], *, everything: frozenset[Role] = NOBODY) -> Names:
    return Names(
        lambda things: Asked(json=named(things)), everything=everything, barred=WITHOUT_MONEY
    )


def of_documents() -> Names:
    return of_document(lambda things: {"sapBpCode": things.partner_code})


KNOWN = frozenset(Role) - {Role.GUEST, Role.ANONYMOUS}
"""Those whose own the device under activation can be: in these recipes a guest's capability opens another run."""


def of_held(json: Json | None = None, *, key: str | None = None) -> Names:
    """A call on a device under activation, named in the path or by `key` in the body, with its SIM digits: without them
    nobody who does not sign in is told whether it exists."""

    def ask(things: Things) -> Asked:
        digits = iccid_of(things.device_key)
        if key is None:
            path = {"device_key": things.device_key}
            return Asked(path=path, query={"iccid_last_digits": digits}, json=json)
        of = "old_iccid_last_digits" if key == "old_device_key" else "iccid_last_digits"
        return Asked(json={key: things.device_key, of: digits, **(json or {})})

    return Names(ask, authorized=KNOWN)


def of_bank_account(json: Json) -> Names:
    return Names(lambda things: Asked(json={"paymentMethodId": things.bank_account_id, **json}))


def of_card(json: Json | None = None, *, spare: bool = False) -> Names:
    """Named in the path."""
    return Names(
        lambda things: Asked(
            path={"id": things.spare_card_id if spare else things.card_id}, json=json
        )
    )


def a_number() -> Names:
    """A card to be saved for the business that is named."""
    return Names(
        lambda things: Asked(
            json={
                "name": "Policy",
                "number": "4242424242424242",
                "cvv": "123",
                "expMonth": 12,
                "expYear": 2031,
                "sapBpCode": things.partner_code,
            }
        )
    )


def on_purchase(json: Json | None = None) -> Names:
    return Names(lambda things: Asked(path={"id": f"bought-{things.run_id}"}, json=json))


def on_invoice_payment(json: Json | None = None) -> Names:
    return Names(lambda things: Asked(path={"id": f"paid-{things.run_id}"}, json=json))


def of_receipt() -> Names:
    return Names(lambda things: Asked(path={"uuid": f"bought-{things.run_id}"}))


def on_cart(json: Json | None = None) -> Names:
    """A cart of the person for their business; an administrator has no business."""
    return Names(
        lambda things: Asked(path={"token": things.cart_token}, json=json),
        authorized=frozenset(Role) - {Role.ADMIN},
        everything=NOBODY,
    )


def on_placement(json: Json | None = None) -> Names:
    return Names(lambda things: Asked(path={"token": f"placed-{things.run_id}"}, json=json))


def on_order(*, everything: frozenset[Role] = NOBODY) -> Names:
    """An order of the business."""
    return Names(lambda things: Asked(path={"id": things.order_id}), everything=everything)


LISTING = {"name": "Policy", "text": "POLICY-1 2"}


def on_list(json: Json | None = None, *, spare: bool = False) -> Names:
    """A list of the person for their business, which they share with nobody."""
    return Names(
        lambda things: Asked(
            path={"id": things.spare_list_id if spare else things.saved_list_id}, json=json
        ),
        everything=NOBODY,
    )


TEAM = frozenset({Role.OWNER, Role.INSIDE_REP, Role.ADMIN})


def of_dealer(
    json: Json | None = None, *, authorized: frozenset[Role] = TEAM, own_rewards: bool = False
) -> Names:
    """Named in the path."""

    def ask(things: Things) -> Asked:
        query = {"installer_id": things.person_id} if own_rewards else {}
        return Asked(path={"id": things.dealer_id}, query=query, json=json)

    return Names(ask, authorized=authorized)


AT_A_DEALER = frozenset(Role) - {Role.CONSUMER}

RECIPES: dict[str, Names | Plain] = {
    "list_dealers": Plain(),
    "get_dealer": of_dealer(),
    "list_installers": of_dealer(),
    "update_dealer": of_dealer({"is_public_profile": True}),
    "update_installer": Names(
        lambda things: Asked(path={"id": things.person_id}, json={"is_purchaser": True})
    ),
    "get_purchase_limits": Names(lambda things: Asked(path={"id": things.person_id})),
    "update_purchase_limits": Names(
        lambda things: Asked(path={"id": things.person_id}, json={"per_order": 500})
    ),
    "add_owner": of_dealer({"user_id": "somebody", "password": "Wrong-Password-1"}),
    "update_user_permissions": Names(
        lambda things: Asked(
            json={"permissions": [{"id": things.person_id, "isProductPurchaser": True}]}
        )
    ),
    "users_info": Names(
        lambda things: Asked(query={"bpId": things.partner_code}),
        authorized=frozenset(Role) - {Role.ADMIN},
        everything=NOBODY,
    ),
    "list_device_rewards": of_dealer(authorized=AT_A_DEALER, own_rewards=True),
    "list_reward_sums": of_dealer(authorized=AT_A_DEALER),
    "list_payouts": of_dealer(),
    "get_payout_account": of_dealer(),
    "open_payout_account": of_dealer(),
    "list_open_activations": of_dealer(),
    "remind_activation": on_run(),
    "hand_over_open_work": of_dealer({"from_id": "nobody", "to_id": "somebody"}),
    "get_activation": on_run(),
    "get_activation_outcome": on_run(),
    "get_handout": on_run(),
    "link_handout": on_run({}),
    "revoke_handout_link": on_run({}),
    "open_handout": Plain(Asked(json={"token": "nobodys"})),
    "list_activation_transitions": on_run(),
    "list_activation_colleagues": on_run(),
    "submit_step": on_run({"step": "power-on-device", "seq": 1}),
    "send_activation_command": on_run({"seq": 1, "command": "arm"}),
    "skip_step": on_run({"step": "check-firmware", "seq": 1, "reason": "no time"}),
    "back_step": on_run({"step": "power-on-device", "seq": 1}),
    "reset_activation": on_run({"seq": 1}),
    "change_activation_device": to_a_device_of_nobody(),
    "hand_over_activation": on_run({"seq": 1, "user_id": "somebody"}),
    "abandon_activation": on_run({"seq": 1, "reason": ""}),
    "set_activation_pin": on_run({"seq": 1, "slot": "master", "pin": "2580", "duration": 30}),
    "delete_activation_pin": on_run({"seq": 1, "master_pin": "2580"}),
    "set_activation_feature": on_run({"seq": 1, "feature": "siren_enabled", "enabled": True}),
    "get_activation_option_tables": Names(
        lambda things: Asked(path={"id": things.run_id}, query={"table": "controller"})
    ),
    "list_option_suggestions": Names(
        lambda things: Asked(path={"id": things.run_id}, query={"table": "controller"})
    ),
    "list_activation_installers": on_run(),
    "buy_activation_plan": on_run({"seq": 1, "plan_id": "premium_prepaid-1_year"}),
    "ask_visit": Names(
        lambda things: Asked(
            json={
                "device_key": things.device_key,
                "iccid_last_digits": "99999",
                "reason": "the siren",
            }
        ),
        authorized=frozenset(),
        barred=frozenset({Role.CONSUMER}),
    ),
    "list_visits": Plain(),
    "get_visit": Names(
        lambda things: Asked(path={"id": "0" * 32}), authorized=frozenset(), everything=frozenset()
    ),
    "answer_visit": Names(
        lambda things: Asked(path={"id": "0" * 32}, json={"answer": "yes"}),
        authorized=frozenset(),
        everything=frozenset(),
    ),
    "end_visit": Names(
        lambda things: Asked(path={"id": "0" * 32}), authorized=frozenset(), everything=frozenset()
    ),
    "retry_firmware": on_run({}),
    "cancel_firmware": on_run({}),
    "defer_firmware": on_run({"until": "2030-01-01T00:00:00Z"}),
    "list_firmware_runs": of_device(),
    "check_firmware": of_device(),
    "start_firmware": on_device({}),
    "get_firmware_run": on_firmware(),
    "list_firmware_transitions": on_firmware(),
    "retry_firmware_run": on_firmware({}),
    "cancel_firmware_run": on_firmware({}),
    "defer_firmware_run": on_firmware({"until": "2030-01-01T00:00:00Z"}),
    "overrule_firmware_run": on_firmware({"reason": "on a charger"}),
    "list_my_devices": Plain(),
    "export_devices": Plain(),
    "get_my_device": Names(lambda things: Asked(path={"device_key": things.device_key})),
    "free_my_device": Names(lambda things: Asked(path={"device_key": things.device_key})),
    "release_my_device": Names(lambda things: Asked(path={"device_key": things.device_key})),
    "follow_events": Names(
        lambda things: Asked(query={"follow": f"activation:{things.run_id}"}),
        barred=frozenset({Role.RETIRED}),
    ),
    "report_drift": Names(
        lambda things: Asked(
            json={
                "kind": "activation",
                "id": things.run_id,
                "version": 1,
                "rev": 1,
                "state": "checking",
                "what": "edge",
                "name": "OK",
            }
        ),
    ),
    "start_activation": on_device({"type": "new-device"}),
    "check_device": on_device({}),
    "check_device_for_purchase": on_device({}),
    "send_device_command": of_held({"command": "location"}, key="device_key"),
    "swap_device": of_held(
        {"new_device_key": "FT-X1-00000077", "iccid_last_digits": iccid_of("FT-X1-00000077")},
        key="old_device_key",
    ),
    "activate_device": of_held({}, key="device_key"),
    "install_device": of_held({"exit_service_mode": True}, key="device_key"),
    "welcome_device": of_held({"email": "owner@people.example"}, key="device_key"),
    "link_device_installer": of_held({"installer_id": "somebody"}),
    "check_device_firmware": of_held(),
    "get_device_option_tables": of_held(),
    "update_device_option_tables": of_held({"changes": {"runtime": 25}}),
    "get_device_special_option_tables": of_held(),
    "update_device_special_option_tables": of_held({"changes": {"comfort_close": 25}}),
    "get_device_features": of_held(),
    "update_device_features": of_held({"siren_enabled": True}),
    "set_hardwired_mode": of_held(
        {"hardwired_input": "Low", "hardwired_output": "Unlock"}, key="device_key"
    ),
    "set_device_pin": of_held({"pin": "4821", "is_secondary_pin": False}),
    "delete_device_pin": of_held({"master_pin": "4821"}),
    "list_device_logs": Names(
        lambda things: Asked(
            query={
                "device_key": things.device_key,
                "iccid_last_digits": iccid_of(things.device_key),
            }
        ),
        authorized=KNOWN,
    ),
    "list_invitations": Names(lambda things: Asked(query={"dealer_id": things.dealer_id})),
    "send_invitation_again": Names(
        lambda things: Asked(json={"token": things.invitation_id}), absent=410, everything=NOBODY
    ),
    "decline_invitation": Names(
        lambda things: Asked(query={"token": things.invitation_id}),
        absent=410,
        authorized=frozenset({Role.OWNER, Role.INSIDE_REP}),
        everything=NOBODY,
    ),
    "forget_trusted_device": Names(
        lambda things: Asked(path={"device_id": things.trusted_device_id}), everything=NOBODY
    ),
    "get_business_partner": Names(lambda things: Asked(path={"id": things.partner_code})),
    "select_business": Names(lambda things: Asked(json={"sapBpCode": things.partner_code})),
    "get_user": Names(lambda things: Asked(path={"id": things.person_id})),
    "lock_user": Plain(Asked(path={"id": "nobody"})),
    "update_user": Names(
        lambda things: Asked(path={"id": things.person_id}, json={"first_name": "Robin"})
    ),
    "search_products": of_business({}),
    "search_products_cursor": of_business({}),
    "search_products_facets": of_business({}),
    "products_by_ids": of_business({"ids": [PRODUCT]}),
    "products_by_ids_cursor": of_business({"ids": [PRODUCT]}),
    "condensed_products_by_ids": of_business({"ids": [PRODUCT]}),
    "product_by_id": Plain(Asked(path={"id": PRODUCT})),
    "product_by_sku": Plain(Asked(path={"sku": "POLICY-1"})),
    "last_three_order_product_ids": Plain(),
    "get_products_checkout": on_cart(),
    "add_lines": on_cart({"lines": [{"variantId": "policy-product", "quantity": 1}]}),
    "update_lines": on_cart({"lines": [{"lineId": "policy-product", "quantity": 1}]}),
    "delete_lines": on_cart({"lineId": "policy-product"}),
    "update_b2b_shipping_address": on_cart({"shippingAddressId": "nowhere"}),
    "update_shipping_method": on_cart({"shippingMethodId": "by-nobody"}),
    "update_b2b_billing_address": on_cart({"billingAddressId": "nowhere"}),
    "set_b2b_po_number": on_cart({"poNumber": "PO 1"}),
    "set_b2b_payment": on_cart({"gateway": "ACH_COD", "type": "COD"}),
    "mock_placement": on_cart({}),
    "complete_b2b_checkout": on_cart({}),
    "get_placement": on_placement(),
    "list_placement_cases": on_placement(),
    "choose_placement_payment": on_placement({"type": "COD"}),
    "cancel_placement": on_placement({}),
    "settle_placement": on_placement({"how": "retry", "note": "Looked."}),
    "set_line_vehicle": on_cart({"lineIds": ["policy-product"], "vehicle": None}),
    "list_approvals": Plain(),
    "get_start_page": Plain(),
    "find_named": Plain(Asked(query={"word": "zz-nothing"})),
    "approve_order": on_placement({"note": "Yes."}),
    "reject_order": on_placement({"note": "No."}),
    "agree_to_placement": on_placement({"quote_hash": "0" * 64}),
    "merge_cart": Names(
        lambda things: Asked(
            path={"token": things.cart_token}, json={"from_token": things.cart_token}
        ),
        authorized=frozenset(Role) - {Role.ADMIN},
        everything=NOBODY,
    ),
    "enter_coupon": on_cart({"code": ""}),
    "create_bank_account": Names(
        lambda things: Asked(
            json={
                "name": "Policy",
                "holderType": "Company",
                "accountType": "Checking",
                "routingNumber": "021000021",
                "accountNumber": "0001",
                "countryCode": "US",
                "sapBpCode": things.partner_code,
            }
        )
    ),
    "verify_bank_account": of_bank_account({"amounts": [1, 2]}),
    "update_bank_account": of_bank_account({"name": "Policy"}),
    "delete_bank_account": Names(
        lambda things: Asked(query={"paymentMethodId": things.spare_account_id})
    ),
    "users_payment_methods": of_business({}),
    "get_stripe_key": Names(lambda things: Asked(path={"sap_bp_code": things.partner_code})),
    "attach_stripe_card_to_user": Names(
        lambda things: Asked(
            json={"paymentMethodId": "pm_card_visa", "sapBpCode": things.partner_code}
        )
    ),
    "create_credit_card": a_number(),
    "create_card": a_number(),
    "update_credit_card": Names(
        lambda things: Asked(json={"paymentMethodId": things.card_id, "name": "Policy"})
    ),
    "delete_credit_card": Names(
        lambda things: Asked(query={"paymentMethodId": things.other_spare_card_id})
    ),
    "list_cards": Names(
        lambda things: Asked(query={"dealer_id": things.dealer_id}),
        authorized=frozenset(Role) - {Role.CONSUMER},
    ),
    "get_card": of_card(),
    "update_card": of_card({"name": "Policy"}),
    "delete_card": of_card(spare=True),
    "order_transaction": Names(
        lambda things: Asked(json={"id": things.order_id}), everything=NOBODY
    ),
    "order_transactions": of_business({}),
    "order_transactions_cursor": of_business({}),
    "list_last_bought": Plain(),
    "get_order": on_order(everything=READERS),
    "list_order_cases": on_order(everything=READERS),
    "pay_invoice": Names(
        lambda things: Asked(json={"invoices": [{"id": things.invoice_number, "paymentAmount": 1}]})
    ),
    "quote_invoice_payment": Names(
        lambda things: Asked(json={"invoices": [{"number": things.invoice_number, "amount": 1}]})
    ),
    "advise_invoice_payment": Plain(Asked(json={"budget": 100})),
    "make_pay_link": Names(
        lambda things: Asked(json={"invoice": things.invoice_number, "made_for": "Nadia"}),
        everything=NOBODY,
    ),
    "list_pay_links": Names(
        lambda things: Asked(query={"invoice": things.invoice_number}), everything=NOBODY
    ),
    "revoke_pay_link": Plain(Asked(path={"id": "0"}, json={})),
    "open_pay_link": Plain(Asked(json={"token": "nobodys"})),
    "pay_by_link": Plain(Asked(json={"token": "nobodys", "card": "pm_1", "plan_hash": "0" * 64})),
    "submit_invoice_payment": Names(
        lambda things: Asked(json={"invoices": [{"number": things.invoice_number, "amount": 1}]})
    ),
    "get_invoice_payment": on_invoice_payment(),
    "get_invoice_payment_receipt": on_invoice_payment(),
    "list_invoice_payment_transitions": on_invoice_payment(),
    "list_invoice_payment_cases": on_invoice_payment(),
    "choose_invoice_payment": on_invoice_payment({"type": "CARD", "method_id": "nobodys"}),
    "cancel_invoice_payment": on_invoice_payment({}),
    "get_order_pdf": on_order(everything=READERS),
    "get_packing_list_pdf": on_order(everything=READERS),
    "get_credit_memo_pdf": Names(
        lambda things: Asked(path={"id": things.memo_number}),
        everything=READERS,
        barred=WITHOUT_MONEY,
    ),
    "get_invoice_pdf": Names(
        lambda things: Asked(path={"id": things.invoice_number}),
        everything=READERS,
        barred=WITHOUT_MONEY,
    ),
    "list_invoice_cases": Names(
        lambda things: Asked(path={"id": things.invoice_number}),
        everything=READERS,
        barred=WITHOUT_MONEY,
    ),
    "list_credit_memo_cases": Names(
        lambda things: Asked(path={"id": things.memo_number}),
        everything=READERS,
        barred=WITHOUT_MONEY,
    ),
    "invoice": of_document(lambda things: {"id": things.invoice_number}, everything=READERS),
    "invoices": of_documents(),
    "invoices_cursor": of_documents(),
    "export_invoices": Names(
        lambda things: Asked(query={"sapBpCode": things.partner_code}),
        everything=NOBODY,
        barred=WITHOUT_MONEY,
    ),
    "credit_memo": of_document(lambda things: {"id": things.memo_number}, everything=READERS),
    "credit_memos": of_documents(),
    "credit_memos_cursor": of_documents(),
    "get_statement": Names(
        lambda things: Asked(query={"sapBpCode": things.partner_code}),
        everything=NOBODY,
        barred=WITHOUT_MONEY,
    ),
    "get_statement_pdf": Names(
        lambda things: Asked(query={"sapBpCode": things.partner_code}),
        everything=NOBODY,
        barred=WITHOUT_MONEY,
    ),
    "export_statement": Names(
        lambda things: Asked(query={"sapBpCode": things.partner_code}),
        everything=NOBODY,
        barred=WITHOUT_MONEY,
    ),
    "export_credit_memos": Names(
        lambda things: Asked(query={"sapBpCode": things.partner_code}),
        everything=NOBODY,
        barred=WITHOUT_MONEY,
    ),
    "export_orders": Plain(),
    "reorder": on_order(),
    "create_b2b": Plain(Asked(json={})),
    "check_quick_order": Plain(Asked(json={"text": "POLICY-1 2"})),
    "list_saved_lists": Plain(),
    "make_saved_list": Plain(Asked(json=LISTING)),
    "get_saved_list": on_list(),
    "change_saved_list": on_list({**LISTING, "name": "Policy, changed"}),
    "delete_saved_list": on_list(spare=True),
    "add_quick_order": Plain(Asked(json={"text": "POLICY-1 2"})),
    "list_plan_lines": Plain(),
    "choose_plan_line": Plain(
        Asked(json={"device_key": "FT-X1-00000042", "plan_id": "premium_prepaid-1_year"})
    ),
    "drop_plan_line": Plain(Asked(path={"device_key": "FT-X1-00000042"})),
    "list_plans": Plain(),
    "list_subscriptions_of_business": Plain(),
    "export_subscriptions": Plain(),
    "pay_for_plans": Plain(
        Asked(
            query={"validate": "true"},
            json={
                "line_items": [
                    {"device_key": "FT-X1-00000001", "plan_id": "premium_prepaid-1_year"}
                ]
            },
        )
    ),
    "list_open_purchases": Plain(),
    "get_purchase": on_purchase(),
    "list_purchase_cases": on_purchase(),
    "list_purchase_transitions": on_purchase(),
    "confirm_purchase": on_purchase({"quote_hash": "0" * 64}),
    "choose_purchase_payment": on_purchase({"type": "CARD", "method_id": "nobodys"}),
    "retry_purchase": on_purchase({}),
    "give_up_purchase": on_purchase({}),
    "cancel_purchase": on_purchase({}),
    "approve_purchase": on_purchase({"note": "Yes."}),
    "reject_purchase": on_purchase({"note": "No."}),
    "agree_to_purchase": on_purchase({"quote_hash": "0" * 64}),
    "list_plan_payments": Plain(),
    "export_receipts": Plain(),
    "get_plan_payment": of_receipt(),
    "get_plan_receipt_pdf": of_receipt(),
    "get_plan": Plain(Asked(path={"id": "premium_prepaid-1_year"})),
    "list_upgrades": Names(lambda things: Asked(query={"device_key": things.device_key})),
    "vehicle_saleor_products": of_business({"skus": ["POLICY-1"]}),
    "vehicle_saleor_accessory_products": of_business({}),
    "t_harness_by_sku": Plain(Asked(json={"skus": ["POLICY-1"]})),
    "product_features": Plain(Asked(json={"productId": PRODUCT})),
    "internal_vehicle_wiring": Plain(Asked(json={"year": 2022, "makeId": 1, "modelId": 1})),
    "external_vehicle_wiring": Plain(Asked(json={"year": 2022, "makeId": 1, "modelId": 1})),
    "served_wires": Plain(Asked(json={"year": 2022, "makeId": 1, "modelId": 1, "command": "arm"})),
    "vehicle_fit": Plain(
        Asked(json={"year": 2022, "makeId": 1, "modelId": 1, "productIds": ["policy-product"]})
    ),
    "wiring_by_category": Plain(Asked(json={"vehicleId": 1, "categoryId": "none"})),
    "instructions_by_category": Plain(Asked(json={"vehicleId": 1, "categoryId": "none"})),
    "guides_by_vehicle_ids": Plain(Asked(json={"vehicleIds": [1]})),
    "get_folder": Plain(Asked(path={"slug": "none"})),
    "decode_vin": Plain(Asked(json={"vin": "4T1B11HK9NA100001"})),
    "get_page": Plain(Asked(path={"id": "18724"})),
    "list_activations": Plain(Asked(query={"scope": "dealer", "state": "ended"})),
    "list_business_partners": Plain(Asked(json={})),
    "list_audit": Plain(),
    "get_operations": Plain(),
    "get_erp_mirror": Plain(),
    "list_erp_differences": Plain(Asked(path={"id": "none"})),
    "compare_with_erp": Plain(Asked(json={})),
    "open_payloads": Plain(),
    "list_open_runs_of_account": Plain(Asked(path={"id": "nobody"})),
    "get_known_of_account": Plain(Asked(path={"id": "nobody"})),
    "erase_person": Plain(
        Asked(path={"id": "nobody"}, json={"email": "a@b.example", "reason": "asked"})
    ),
    "list_open_runs_of_address": Plain(Asked(json={"email": "a@b.example"})),
    "get_known_of_address": Plain(Asked(json={"email": "a@b.example"})),
    "erase_address": Plain(
        Asked(json={"address": "a@b.example", "email": "a@b.example", "reason": "asked"})
    ),
    "get_account": Plain(Asked(query={"who": "nobody"})),
    "list_runs": Plain(),
    "list_all_open_activations": Plain(),
    "list_activation_steps": Plain(),
    "list_cases": Plain(),
    "get_case": on_case(),
    "pay_case": on_case({"method_id": "none"}),
    "assign_case": on_case({}),
    "note_case": on_case({"note": "done"}),
    "retry_case": on_case({"note": "done"}),
    "resolve_case": on_case({"note": "done"}),
    "get_run": on_any_run(),
    "try_run_again": on_any_run(),
    "list_run_transitions": on_any_run(),
    "settle_run": on_any_run({"note": "done"}),
    "give_up_run": Plain(Asked(path={"kind": "purchase", "id": "none"}, json={"note": "done"})),
    "close_effect": Plain(Asked(json={"key": "none", "happened": True, "note": "looked"})),
    "get_reconciliation": Plain(),
    "list_differences": Plain(),
    "begin_reconciliation": Plain(),
    "list_all_payouts": Plain(),
    "retry_payout": Plain(
        Asked(path={"dealer_id": "nobody", "month": "2026-01"}, json={"note": "done"})
    ),
    "settle_payout": Plain(
        Asked(path={"dealer_id": "nobody", "month": "2026-01"}, json={"note": "done"})
    ),
    "settle_difference": Plain(Asked(path={"id": f"dif_{'0' * 32}"}, json={"note": "done"})),
}

FOLLOWED: dict[str, Callable[[Things], str]] = {
    "activation": lambda things: things.run_id,
    "firmware": lambda things: f"fw{things.run_id}",
    "placement": lambda things: f"placed-{things.run_id}",
    "purchase": lambda things: f"bought-{things.run_id}",
    "invoice_payment": lambda things: f"paid-{things.run_id}",
    "team": lambda things: things.dealer_id,
    "order": lambda things: things.order_id,
}
"""What is followed → the id of that which the recipe of the operation that reads it names. There are no cases here."""
