"""Who may call what: one row per operation of the API, deny by default (shell spec 6; promises 35 to 38).

The key is the operation's id in the OpenAPI document. The role opens the door; `owns` names the rule by which the
operation then finds its object. Somebody else's object is answered like an absent one.
"""

from enum import StrEnum
from typing import Literal

from domain.base import Frozen
from domain.errors import NotFound
from domain.identity.people import Role


class Owns(StrEnum):
    """Whose object an operation may touch."""

    NOTHING = "nothing"
    """No object of anybody's: public knowledge, or a signature that speaks for itself."""
    SELF = "self"
    """The caller's own record."""
    RUN = "run"
    """A flow of the caller, of the caller's dealer, or the one that a guest's capability opens."""
    DEALER = "dealer"
    """What belongs to the caller's dealer."""
    PARTNER = "partner"
    """What belongs to the business that the caller is of or acts for."""
    ALL = "all"
    """Everything; for administrators."""


Feature = Literal["card_payments", "wiring_diagrams", "t_harness"]
"""A part that the settings can switch off: one of the names in `domain.content.pages.Features`."""


class SwitchedOff(NotFound):
    """The part that the operation belongs to is off on this portal; its screens are not there either."""

    code = "switched_off"
    detail = "This part is switched off."


class Rule(Frozen):
    """`is_open` operations are not asked for a token at all: a stale one does no harm there. `feature` is the switch
    that shuts the operation to everybody. `is_buying` ones turn the retired away in the cart's own words."""

    roles: frozenset[Role]
    owns: Owns
    is_open: bool = False
    feature: Feature | None = None
    is_buying: bool = False


EVERYBODY = frozenset(Role)
PEOPLE = EVERYBODY - {Role.ANONYMOUS, Role.GUEST}
"""Everybody who signs in, the retired included."""
ACTIVE = PEOPLE - {Role.RETIRED}
ACTIVATORS = frozenset(
    {
        Role.GUEST,
        Role.INSTALLER,
        Role.PURCHASER,
        Role.OWNER,
        Role.INSIDE_REP,
        Role.OUTSIDE_REP,
        Role.ADMIN,
    }
)
DEALERS_OWN = frozenset(
    {Role.INSTALLER, Role.PURCHASER, Role.OWNER, Role.INSIDE_REP, Role.OUTSIDE_REP, Role.ADMIN}
)
"""A rep without a business has no dealer, and finds their own alone."""

_OPEN = Rule(roles=EVERYBODY, owns=Owns.NOTHING, is_open=True)
_ANYBODY = Rule(roles=EVERYBODY, owns=Owns.NOTHING)
_ONESELF = Rule(roles=PEOPLE, owns=Owns.SELF)
_RUN = Rule(roles=ACTIVATORS, owns=Owns.RUN)
_OWN_RUN = Rule(roles=DEALERS_OWN, owns=Owns.RUN)

OPERATIONS = {
    "healthz": _OPEN,
    "readyz": _OPEN,
}

IDENTITY = {
    "sign_in": _OPEN,
    "confirm_mfa": _OPEN,
    "refresh": _OPEN,
    "sign_out": _OPEN,
    "sign_out_everywhere": _ONESELF,
    "get_auth_user": _ONESELF,
    "update_phone": _ONESELF,
    "verify_phone": _ONESELF,
    "set_up_totp": _ONESELF,
    "verify_totp": _ONESELF,
    "prefer_mfa": _ONESELF,
    "list_trusted_devices": _ONESELF,
    "remember_device": _ONESELF,
    "forget_trusted_device": _ONESELF,
    "forgot_password": _OPEN,
    "reset_password": _OPEN,
    "change_own_password": _ONESELF,
    "set_password": _OPEN,
    "register": _OPEN,
    "resend_email": _OPEN,
    "ask_email_change": _ONESELF,
    "accept_email_change": _OPEN,
    "decline_email_change": _OPEN,
    "revert_email_change": _OPEN,
    "lock_user": Rule(roles=frozenset({Role.ADMIN}), owns=Owns.ALL),
    "get_bot_check": _OPEN,
    "request_dealer_account": _OPEN,
    "contact_us": _OPEN,
}

_INVITERS = frozenset({Role.OWNER, Role.INSIDE_REP})

INVITATIONS = {
    "invite_user": Rule(roles=_INVITERS, owns=Owns.DEALER),
    "send_invitation_again": Rule(roles=_INVITERS, owns=Owns.DEALER),
    "list_invitations": Rule(roles=_INVITERS | {Role.ADMIN}, owns=Owns.DEALER),
    "read_invitation": _OPEN,
    "accept_invitation": _OPEN,
    "decline_invitation": Rule(roles=EVERYBODY, owns=Owns.DEALER),
}
"""The mailed token speaks for itself; the business withdraws with the token of its list."""

ACTIVATION = {
    "start_activation": Rule(roles=ACTIVATORS | {Role.ANONYMOUS}, owns=Owns.RUN),
    "list_activations": Rule(roles=DEALERS_OWN, owns=Owns.RUN),
    "get_activation": _RUN,
    "get_activation_outcome": _RUN,
    "get_handout": _RUN,
    "link_handout": Rule(roles=DEALERS_OWN, owns=Owns.RUN),
    "revoke_handout_link": Rule(roles=DEALERS_OWN, owns=Owns.RUN),
    "open_handout": _OPEN,
    "list_activation_transitions": _RUN,
    "submit_step": _RUN,
    "send_activation_command": _RUN,
    "skip_step": _RUN,
    "back_step": _RUN,
    "reset_activation": _RUN,
    "change_activation_device": _RUN,
    "hand_over_activation": Rule(roles=DEALERS_OWN, owns=Owns.RUN),
    "abandon_activation": _RUN,
    "set_activation_pin": _RUN,
    "delete_activation_pin": _RUN,
    "set_activation_feature": _RUN,
    "buy_activation_plan": Rule(roles=DEALERS_OWN - {Role.OUTSIDE_REP}, owns=Owns.RUN),
    "get_activation_option_tables": _RUN,
    "list_option_suggestions": Rule(roles=DEALERS_OWN, owns=Owns.RUN),
    "list_activation_installers": Rule(roles=DEALERS_OWN, owns=Owns.DEALER),
    "retry_firmware": _RUN,
    "cancel_firmware": _RUN,
    "defer_firmware": _RUN,
    "list_activation_colleagues": Rule(roles=DEALERS_OWN, owns=Owns.DEALER),
    "follow_events": Rule(roles=PEOPLE | {Role.GUEST}, owns=Owns.RUN),
    "report_drift": Rule(roles=PEOPLE | {Role.GUEST}, owns=Owns.RUN),
}

FIRMWARE = {
    "list_firmware_runs": _OWN_RUN,
    "check_firmware": _OWN_RUN,
    "start_firmware": _OWN_RUN,
    "get_firmware_run": _OWN_RUN,
    "list_firmware_transitions": _OWN_RUN,
    "retry_firmware_run": _OWN_RUN,
    "cancel_firmware_run": _OWN_RUN,
    "defer_firmware_run": _OWN_RUN,
    "overrule_firmware_run": Rule(roles=frozenset({Role.OWNER, Role.ADMIN}), owns=Owns.RUN),
}
"""Guests access the run of their activation through that activation alone."""

DEVICES = {
    "list_my_devices": _OWN_RUN,
    "export_devices": _OWN_RUN,
    "get_my_device": _OWN_RUN,
    "free_my_device": _OWN_RUN,
    "release_my_device": Rule(
        roles=frozenset({Role.OWNER, Role.ADMIN, Role.INSIDE_REP, Role.OUTSIDE_REP}), owns=Owns.RUN
    ),
    "check_device": Rule(roles=ACTIVATORS | {Role.ANONYMOUS}, owns=Owns.RUN),
    "check_device_for_purchase": Rule(roles=ACTIVATORS | {Role.ANONYMOUS}, owns=Owns.RUN),
    "send_device_command": _RUN,
    "swap_device": _RUN,
    "activate_device": _RUN,
    "install_device": _RUN,
    "welcome_device": Rule(roles=EVERYBODY, owns=Owns.RUN),
    "link_device_installer": Rule(roles=DEALERS_OWN, owns=Owns.RUN),
    "check_device_firmware": _RUN,
    "get_device_option_tables": _RUN,
    "update_device_option_tables": _RUN,
    "get_device_special_option_tables": _RUN,
    "update_device_special_option_tables": _RUN,
    "get_device_features": _RUN,
    "update_device_features": _RUN,
    "set_hardwired_mode": _RUN,
    "set_device_pin": _RUN,
    "delete_device_pin": _RUN,
    "list_device_logs": _RUN,
    "receive_device_logs": _OPEN,
    "receive_erp_event": _OPEN,
    "receive_card_event": _OPEN,
    "receive_bank_event": _OPEN,
}

_HANDS = frozenset({Role.INSTALLER, Role.PURCHASER, Role.OWNER})
_OWNERS_PEOPLE = _HANDS | {Role.CONSUMER, Role.INSIDE_REP, Role.OUTSIDE_REP, Role.ADMIN}
_VISIT = Rule(roles=_OWNERS_PEOPLE, owns=Owns.PARTNER)

VISITS = {
    "ask_visit": Rule(roles=_HANDS, owns=Owns.NOTHING),
    "list_visits": _VISIT,
    "get_visit": _VISIT,
    "answer_visit": _VISIT,
    "end_visit": _VISIT,
}
"""A visit is its visitor's and theirs whose the device is, a rep's or an administrator's alone too; who works for no business
visits nobody."""

CONTENT = {
    "get_page": _OPEN,
    "get_site": _OPEN,
    "get_start_page": _ONESELF,
    "find_named": _ONESELF,
}

_WIRING = Rule(roles=PEOPLE, owns=Owns.NOTHING, feature="wiring_diagrams")

VEHICLES = {
    "year_make_model": _ANYBODY,
    "decode_vin": _ANYBODY,
    "internal_vehicle_wiring": _WIRING,
    "external_vehicle_wiring": _WIRING,
    "wiring_by_category": _WIRING,
    "instructions_by_category": _WIRING,
    "served_wires": _WIRING,
    "guides_by_vehicle_ids": Rule(roles=PEOPLE, owns=Owns.NOTHING),
    "get_folders": Rule(roles=PEOPLE, owns=Owns.NOTHING),
    "get_folder": Rule(roles=PEOPLE, owns=Owns.NOTHING),
    "vehicle_saleor_products": Rule(roles=PEOPLE, owns=Owns.PARTNER),
    "vehicle_saleor_accessory_products": Rule(roles=PEOPLE, owns=Owns.PARTNER),
    "t_harness_by_sku": Rule(roles=PEOPLE, owns=Owns.PARTNER, feature="t_harness"),
    "product_features": Rule(roles=PEOPLE, owns=Owns.NOTHING),
    "vehicle_fit": Rule(roles=PEOPLE, owns=Owns.NOTHING),
}
"""Guests look for vehicles; what is told of one is for those who sign in."""

CATALOGUE = {
    "search_products": Rule(roles=EVERYBODY, owns=Owns.PARTNER),
    "search_products_cursor": Rule(roles=EVERYBODY, owns=Owns.PARTNER),
    "search_products_facets": Rule(roles=EVERYBODY, owns=Owns.PARTNER),
    "product_brands": _OPEN,
    "product_categories": _OPEN,
    "popular_products": _ANYBODY,
    "product_by_id": _ANYBODY,
    "product_by_sku": _ANYBODY,
    "get_discounted_products": _ANYBODY,
    "get_coupons": _ANYBODY,
    "last_three_order_product_ids": Rule(roles=EVERYBODY, owns=Owns.PARTNER),
    "products_by_ids": Rule(roles=EVERYBODY, owns=Owns.PARTNER),
    "products_by_ids_cursor": Rule(roles=EVERYBODY, owns=Owns.PARTNER),
    "condensed_products_by_ids": Rule(roles=EVERYBODY, owns=Owns.PARTNER),
}
"""Everybody finds products; the prices are those of the business that the caller works for."""

_CART = Rule(roles=ACTIVE, owns=Owns.SELF, is_buying=True)

CARTS = {
    "last_b2b_token": _CART,
    "get_products_checkout": _CART,
    "create_b2b": _CART,
    "add_lines": _CART,
    "update_lines": _CART,
    "delete_lines": _CART,
    "update_b2b_shipping_address": _CART,
    "update_shipping_method": _CART,
    "update_b2b_billing_address": _CART,
    "set_b2b_po_number": _CART,
    "set_b2b_payment": _CART,
    "mock_placement": _CART,
    "complete_b2b_checkout": _CART,
    "merge_cart": _CART,
    "set_line_vehicle": _CART,
    "enter_coupon": _CART,
    "check_quick_order": _CART,
    "check_quick_order_file": _CART,
    "add_quick_order": _CART,
}
"""A cart is of one person for one business. Who may fill it is asked again at each change (`domain/checkout/cart.py`)."""

BUYERS = frozenset({Role.PURCHASER, Role.OWNER, Role.INSIDE_REP, Role.OUTSIDE_REP})
"""Those with purchasing rights (shell spec 6)."""

_BUYERS = Rule(roles=BUYERS, owns=Owns.PARTNER)

_OWN_LIST = _BUYERS.model_copy(update={"owns": Owns.SELF})
SAVED_LISTS = {
    "list_saved_lists": _BUYERS,
    "make_saved_list": _BUYERS,
    "get_saved_list": _OWN_LIST,
    "change_saved_list": _OWN_LIST,
    "delete_saved_list": _OWN_LIST,
}
"""A list is its maker's; what is shared is of the business (`domain/checkout/saved_lists.py`)."""

_READ_ORDER = Rule(roles=BUYERS | {Role.ADMIN}, owns=Owns.PARTNER)
"""Administrators read the orders of every business."""

PLACEMENTS = {
    "get_placement": Rule(roles=ACTIVE, owns=Owns.RUN),
    "list_placement_cases": Rule(roles=ACTIVE, owns=Owns.RUN),
    "choose_placement_payment": Rule(roles=BUYERS, owns=Owns.RUN),
    "cancel_placement": Rule(roles=ACTIVE, owns=Owns.RUN),
    "settle_placement": Rule(roles=frozenset({Role.ADMIN}), owns=Owns.ALL),
    "list_approvals": Rule(roles=frozenset({Role.PURCHASER, Role.OWNER}), owns=Owns.DEALER),
    "approve_order": Rule(roles=frozenset({Role.OWNER}), owns=Owns.RUN),
    "reject_order": Rule(roles=frozenset({Role.OWNER}), owns=Owns.RUN),
    "agree_to_placement": Rule(roles=frozenset({Role.PURCHASER, Role.OWNER}), owns=Owns.RUN),
}
"""A placement is its buyer's, and theirs who may buy for the same business (`domain/runs/access.py`)."""

PLAN_LINES = {
    "list_plan_lines": _CART,
    "choose_plan_line": _CART,
    "drop_plan_line": _CART,
}
"""As the cart. Who may choose plans is asked again at each change (`domain/plans/plans.py`)."""

ORDERS = {
    "order_transaction": _BUYERS,
    "order_transactions": _BUYERS,
    "order_transactions_cursor": _BUYERS,
    "get_order": _READ_ORDER,
    "list_order_cases": _READ_ORDER,
    "get_order_pdf": _READ_ORDER,
    "get_packing_list_pdf": _READ_ORDER,
    "list_last_bought": _BUYERS,
    "export_orders": _BUYERS,
    "reorder": _BUYERS,
}
"""Those with purchasing rights see the orders of their business (shell spec 6)."""

_DOCUMENTS = Rule(roles=ACTIVE - {Role.ADMIN}, owns=Owns.PARTNER)
_READ_DOCUMENT = Rule(roles=ACTIVE, owns=Owns.PARTNER)
"""Administrators read one of any business."""

DOCUMENTS = {
    "invoice": _READ_DOCUMENT,
    "invoices": _DOCUMENTS,
    "invoices_cursor": _DOCUMENTS,
    "export_invoices": _DOCUMENTS,
    "credit_memo": _READ_DOCUMENT,
    "credit_memos": _DOCUMENTS,
    "export_credit_memos": _DOCUMENTS,
    "credit_memos_cursor": _DOCUMENTS,
    "get_credit_memo_pdf": _READ_DOCUMENT,
    "get_invoice_pdf": _READ_DOCUMENT,
    "list_invoice_cases": _READ_DOCUMENT,
    "list_credit_memo_cases": _READ_DOCUMENT,
    "get_statement": _DOCUMENTS,
    "get_statement_pdf": _DOCUMENTS,
    "export_statement": _DOCUMENTS,
}
"""Whether one of these sees a business with its money is asked at each call (`api/billing/invoices/queries.py`)."""

PLAN_BUYERS = ACTIVE - {Role.OUTSIDE_REP}
"""Whether one of these may buy is asked again at each purchase (`domain/plans/plans.py`)."""

PLANS = {
    "list_plans": Rule(roles=PEOPLE, owns=Owns.PARTNER),
    "get_plan": Rule(roles=PEOPLE, owns=Owns.PARTNER),
    "list_upgrades": Rule(roles=PLAN_BUYERS, owns=Owns.PARTNER),
    "list_subscriptions_of_business": Rule(roles=PLAN_BUYERS, owns=Owns.PARTNER),
    "export_subscriptions": Rule(roles=PLAN_BUYERS, owns=Owns.PARTNER),
    "pay_for_plans": Rule(roles=PLAN_BUYERS, owns=Owns.PARTNER),
    "list_open_purchases": Rule(roles=PLAN_BUYERS, owns=Owns.SELF),
    "get_purchase": Rule(roles=PLAN_BUYERS, owns=Owns.RUN),
    "pay_case": Rule(roles=PLAN_BUYERS, owns=Owns.PARTNER),
    "list_purchase_cases": Rule(roles=PLAN_BUYERS, owns=Owns.RUN),
    "list_purchase_transitions": Rule(roles=PLAN_BUYERS, owns=Owns.RUN),
    "confirm_purchase": Rule(roles=PLAN_BUYERS, owns=Owns.RUN),
    "choose_purchase_payment": Rule(roles=PLAN_BUYERS, owns=Owns.RUN),
    "retry_purchase": Rule(roles=PLAN_BUYERS, owns=Owns.RUN),
    "give_up_purchase": Rule(roles=PLAN_BUYERS, owns=Owns.RUN),
    "cancel_purchase": Rule(roles=PLAN_BUYERS, owns=Owns.RUN),
    "approve_purchase": Rule(roles=frozenset({Role.OWNER}), owns=Owns.RUN),
    "reject_purchase": Rule(roles=frozenset({Role.OWNER}), owns=Owns.RUN),
    "agree_to_purchase": Rule(roles=frozenset({Role.PURCHASER, Role.OWNER}), owns=Owns.RUN),
    "list_plan_payments": Rule(roles=PLAN_BUYERS, owns=Owns.PARTNER),
    "export_receipts": Rule(roles=PLAN_BUYERS, owns=Owns.PARTNER),
    "get_plan_payment": Rule(roles=PLAN_BUYERS, owns=Owns.PARTNER),
    "get_plan_receipt_pdf": Rule(roles=PLAN_BUYERS, owns=Owns.PARTNER),
}

REPS = frozenset({Role.INSIDE_REP, Role.OUTSIDE_REP})

_METHOD_KEEPERS = frozenset({Role.CONSUMER, Role.OWNER, Role.PURCHASER, Role.INSIDE_REP})
_METHOD = Rule(roles=_METHOD_KEEPERS, owns=Owns.PARTNER)

BANK_ACCOUNTS = {
    "create_bank_account": _METHOD,
    "verify_bank_account": _METHOD,
    "update_bank_account": _METHOD,
    "delete_bank_account": _METHOD,
}
"""Outside reps never; an inside rep for the business that is chosen (`domain/identity/people.py:may_manage_methods`)."""

_INVOICE_PAYMENT = Rule(roles=_METHOD_KEEPERS, owns=Owns.RUN)

_LINK = Rule(roles=EVERYBODY, owns=Owns.NOTHING, is_open=True, feature="card_payments")
"""The token of a link speaks for itself; it lends its maker's right."""

INVOICE_PAYMENTS = {
    "pay_invoice": _METHOD,
    "quote_invoice_payment": _METHOD,
    "advise_invoice_payment": _METHOD,
    "submit_invoice_payment": _METHOD,
    "make_pay_link": _METHOD.model_copy(update={"feature": "card_payments"}),
    "list_pay_links": _METHOD,
    "revoke_pay_link": _METHOD,
    "open_pay_link": _LINK,
    "pay_by_link": _LINK,
    "get_invoice_payment": _INVOICE_PAYMENT,
    "get_invoice_payment_receipt": _INVOICE_PAYMENT,
    "list_invoice_payment_transitions": _INVOICE_PAYMENT,
    "list_invoice_payment_cases": _INVOICE_PAYMENT,
    "choose_invoice_payment": _INVOICE_PAYMENT,
    "cancel_invoice_payment": _INVOICE_PAYMENT,
}
"""Whoever keeps the payment methods of a business pays its invoices."""

_CARD = Rule(roles=_METHOD_KEEPERS, owns=Owns.PARTNER, feature="card_payments")

PAYMENT_METHODS = {
    "users_payment_methods": Rule(roles=ACTIVE, owns=Owns.PARTNER),
    "get_stripe_key": _CARD,
    "attach_stripe_card_to_user": _CARD,
    "create_credit_card": _CARD,
    "update_credit_card": _CARD,
    "delete_credit_card": _CARD,
    "list_cards": _CARD,
    "create_card": _CARD,
    "get_card": _CARD,
    "update_card": _CARD,
    "delete_card": _CARD,
}
"""As bank accounts. Everybody is told how they can pay; saved methods are told to those who keep them alone."""

PARTNERS = {
    "list_business_partners": Rule(roles=PEOPLE, owns=Owns.PARTNER),
    "get_business_partner": Rule(roles=PEOPLE, owns=Owns.PARTNER),
    "select_business": Rule(roles=REPS, owns=Owns.PARTNER),
    "clear_business": Rule(roles=REPS, owns=Owns.SELF),
    "get_user_drone_profile": _ONESELF,
    "get_user": _ONESELF,
    "update_user": _ONESELF,
    "get_policy": _OPEN,
    "list_audit": Rule(roles=frozenset({Role.ADMIN}), owns=Owns.ALL),
}

_RUN_BUSINESS = frozenset({Role.OWNER, Role.INSIDE_REP})
_LOOK_AT_BUSINESS = Rule(roles=_RUN_BUSINESS | {Role.ADMIN}, owns=Owns.DEALER)
_REWARDED = Rule(
    roles=frozenset({Role.INSTALLER, Role.OWNER, Role.INSIDE_REP, Role.ADMIN}), owns=Owns.DEALER
)

DEALERS = {
    "list_dealers": _LOOK_AT_BUSINESS,
    "get_dealer": _LOOK_AT_BUSINESS,
    "list_installers": _LOOK_AT_BUSINESS,
    "update_dealer": Rule(roles=_RUN_BUSINESS, owns=Owns.DEALER),
    "update_installer": Rule(roles=_RUN_BUSINESS, owns=Owns.DEALER),
    "add_owner": Rule(roles=frozenset({Role.OWNER}), owns=Owns.DEALER),
    "get_purchase_limits": Rule(roles=_RUN_BUSINESS, owns=Owns.DEALER),
    "update_purchase_limits": Rule(roles=frozenset({Role.OWNER}), owns=Owns.DEALER),
    "update_user_permissions": Rule(roles=_RUN_BUSINESS, owns=Owns.DEALER),
    "users_info": Rule(roles=ACTIVE, owns=Owns.PARTNER),
    "list_device_rewards": _REWARDED,
    "list_reward_sums": _REWARDED,
    "list_payouts": _LOOK_AT_BUSINESS,
    "get_payout_account": _LOOK_AT_BUSINESS,
    "open_payout_account": Rule(roles=frozenset({Role.OWNER}), owns=Owns.DEALER),
    "list_open_activations": _LOOK_AT_BUSINESS,
    "remind_activation": Rule(roles=_RUN_BUSINESS | {Role.ADMIN}, owns=Owns.RUN),
    "hand_over_open_work": Rule(roles=_RUN_BUSINESS, owns=Owns.DEALER),
}
"""An installer sees their own rewards alone (`api/dealers/rewards.py`); owners are made by owners."""

_OPERATORS = Rule(roles=frozenset({Role.ADMIN}), owns=Owns.ALL)

RUNS = {
    "get_operations": _OPERATORS,
    "list_runs": _OPERATORS,
    "list_all_open_activations": _OPERATORS,
    "list_activation_steps": _OPERATORS,
    "get_run": _OPERATORS,
    "try_run_again": _OPERATORS,
    "list_run_transitions": _OPERATORS,
    "settle_run": _OPERATORS,
    "give_up_run": _OPERATORS,
    "close_effect": _OPERATORS,
    "get_reconciliation": _OPERATORS,
    "list_differences": _OPERATORS,
    "begin_reconciliation": _OPERATORS,
    "settle_difference": _OPERATORS,
    "list_all_payouts": _OPERATORS,
    "retry_payout": _OPERATORS,
    "settle_payout": _OPERATORS,
    "get_account": _OPERATORS,
    "list_open_runs_of_account": _OPERATORS,
    "get_known_of_account": _OPERATORS,
    "erase_person": _OPERATORS,
    "list_open_runs_of_address": _OPERATORS,
    "get_known_of_address": _OPERATORS,
    "erase_address": _OPERATORS,
    "open_payloads": _OPERATORS,
    "get_erp_mirror": _OPERATORS,
    "list_erp_differences": _OPERATORS,
    "compare_with_erp": _OPERATORS,
}

CASES = {
    "list_cases": _OPERATORS,
    "get_case": _OPERATORS,
    "assign_case": _OPERATORS,
    "note_case": _OPERATORS,
    "retry_case": _OPERATORS,
    "resolve_case": _OPERATORS,
}

POLICY: dict[str, Rule] = {
    **OPERATIONS,
    **IDENTITY,
    **INVITATIONS,
    **ACTIVATION,
    **FIRMWARE,
    **DEVICES,
    **VISITS,
    **CONTENT,
    **VEHICLES,
    **CATALOGUE,
    **CARTS,
    **SAVED_LISTS,
    **PLACEMENTS,
    **ORDERS,
    **DOCUMENTS,
    **INVOICE_PAYMENTS,
    **PLAN_LINES,
    **PLANS,
    **BANK_ACCOUNTS,
    **PAYMENT_METHODS,
    **PARTNERS,
    **DEALERS,
    **RUNS,
    **CASES,
}

REFUSED_WHILE_ACTING = frozenset(
    {
        "change_own_password",
        "update_phone",
        "verify_phone",
        "set_up_totp",
        "verify_totp",
        "prefer_mfa",
        "remember_device",
        "forget_trusted_device",
        "update_user",
        "ask_email_change",
    }
)
"""What touches the secrets of a person, or the person: closed to a rep while a business is chosen (promise 40)."""
