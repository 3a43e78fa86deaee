"""Which refusals the fuzz run expects of an operation although the request fits its schema: what a schema cannot say is
said by a rule, and stands here for that operation alone. 503 is expected of none, the third parties being there."""

from collections.abc import Mapping
from typing import Any

from dev.places import ROOT
from domain.identity.people import Role
from domain.identity.policy import POLICY

ROLES: dict[str, frozenset[Role]] = {
    "owner": frozenset({Role.OWNER, Role.INSTALLER}),
    "installer": frozenset({Role.INSTALLER}),
    "purchaser": frozenset({Role.PURCHASER, Role.INSTALLER}),
    "accountant": frozenset({Role.DEALER_ACCOUNTANT, Role.INSTALLER}),
    "consumer": frozenset({Role.CONSUMER, Role.INSTALLER}),
    "retired": frozenset({Role.RETIRED}),
    "inside-rep": frozenset({Role.INSIDE_REP}),
    "outside-rep": frozenset({Role.OUTSIDE_REP}),
    "administrator": frozenset({Role.ADMIN}),
    "guest": frozenset({Role.GUEST}),
    "nobody": frozenset({Role.ANONYMOUS}),
}

MALFORMED = 400
"""A NUL in a text: refused wherever it stands, before anybody is asked who they are."""
BY_RULE: dict[int, frozenset[str]] = {
    401: frozenset(
        {
            "change_own_password",
            "receive_bank_event",
            "receive_card_event",
            "receive_device_logs",
            "receive_erp_event",
            "refresh",
            "sign_in",
        }
    ),
    403: frozenset(
        {
            "add_owner",
            "add_quick_order",
            "change_own_password",
            "create_b2b",
            "delete_card",
            "invoices_cursor",
        }
    ),
    404: frozenset(
        {
            "activate_device",
            "ask_visit",
            "attach_stripe_card_to_user",
            "check_device",
            "check_device_for_purchase",
            "check_firmware",
            "choose_plan_line",
            "condensed_products_by_ids",
            "create_bank_account",
            "create_card",
            "credit_memo",
            "credit_memos",
            "credit_memos_cursor",
            "delete_bank_account",
            "delete_credit_card",
            "export_invoices",
            "external_vehicle_wiring",
            "forgot_password",
            "install_device",
            "instructions_by_category",
            "internal_vehicle_wiring",
            "invoice",
            "invoices",
            "invoices_cursor",
            "list_cards",
            "list_device_logs",
            "list_firmware_runs",
            "list_invitations",
            "list_upgrades",
            "order_transaction",
            "order_transactions",
            "order_transactions_cursor",
            "products_by_ids",
            "products_by_ids_cursor",
            "report_drift",
            "search_products",
            "search_products_cursor",
            "set_hardwired_mode",
            "start_activation",
            "start_firmware",
            "swap_device",
            "update_bank_account",
            "update_credit_card",
            "update_user_permissions",
            "users_info",
            "users_payment_methods",
            "vehicle_saleor_accessory_products",
            "vehicle_saleor_products",
            "verify_bank_account",
            "welcome_device",
            "wiring_by_category",
        }
    ),
    409: frozenset(
        {
            "abandon_activation",
            "add_quick_order",
            "ask_visit",
            "attach_stripe_card_to_user",
            "back_step",
            "buy_activation_plan",
            "change_activation_device",
            "check_quick_order",
            "choose_purchase_payment",
            "complete_b2b_checkout",
            "confirm_purchase",
            "create_b2b",
            "delete_activation_pin",
            "delete_device_pin",
            "delete_lines",
            "export_orders",
            "free_my_device",
            "get_activation_option_tables",
            "get_device_option_tables",
            "get_device_special_option_tables",
            "hand_over_activation",
            "install_device",
            "invite_user",
            "merge_cart",
            "pay_for_plans",
            "remember_device",
            "reorder",
            "reset_activation",
            "send_activation_command",
            "set_activation_feature",
            "set_activation_pin",
            "set_b2b_payment",
            "set_device_pin",
            "set_hardwired_mode",
            "set_up_totp",
            "skip_step",
            "start_activation",
            "start_firmware",
            "submit_step",
            "update_b2b_shipping_address",
            "update_bank_account",
            "update_device_features",
            "update_installer",
            "update_lines",
            "update_shipping_method",
            "verify_totp",
            "welcome_device",
        }
    ),
    410: frozenset(
        {
            "abandon_activation",
            "accept_email_change",
            "accept_invitation",
            "back_step",
            "change_activation_device",
            "decline_email_change",
            "decline_invitation",
            "hand_over_activation",
            "read_invitation",
            "reset_activation",
            "revert_email_change",
            "send_activation_command",
            "set_activation_feature",
            "skip_step",
            "submit_step",
        }
    ),
    422: frozenset(
        {
            "accept_invitation",
            "activate_device",
            "add_lines",
            "add_quick_order",
            "ask_email_change",
            "ask_visit",
            "attach_stripe_card_to_user",
            "change_activation_device",
            "check_device",
            "check_device_firmware",
            "check_device_for_purchase",
            "check_firmware",
            "check_quick_order_file",
            "choose_plan_line",
            "complete_b2b_checkout",
            "confirm_mfa",
            "contact_us",
            "create_b2b",
            "create_bank_account",
            "create_card",
            "create_credit_card",
            "credit_memos",
            "credit_memos_cursor",
            "decline_invitation",
            "decode_vin",
            "delete_activation_pin",
            "delete_credit_card",
            "delete_device_pin",
            "delete_lines",
            "external_vehicle_wiring",
            "follow_events",
            "forgot_password",
            "free_my_device",
            "get_device_features",
            "get_device_option_tables",
            "get_device_special_option_tables",
            "get_my_device",
            "hand_over_activation",
            "install_device",
            "instructions_by_category",
            "internal_vehicle_wiring",
            "invite_user",
            "invoices",
            "invoices_cursor",
            "link_device_installer",
            "list_activations",
            "list_business_partners",
            "list_device_logs",
            "list_device_rewards",
            "list_firmware_runs",
            "list_my_devices",
            "list_plan_payments",
            "list_reward_sums",
            "list_subscriptions_of_business",
            "list_upgrades",
            "list_visits",
            "merge_cart",
            "order_transactions",
            "order_transactions_cursor",
            "pay_for_plans",
            "products_by_ids",
            "products_by_ids_cursor",
            "register",
            "reorder",
            "request_dealer_account",
            "resend_email",
            "reset_password",
            "search_products",
            "send_device_command",
            "set_activation_pin",
            "set_b2b_payment",
            "set_b2b_po_number",
            "set_device_pin",
            "set_hardwired_mode",
            "set_password",
            "sign_in",
            "start_activation",
            "start_firmware",
            "submit_step",
            "swap_device",
            "update_b2b_billing_address",
            "update_b2b_shipping_address",
            "update_bank_account",
            "update_card",
            "update_credit_card",
            "update_dealer",
            "update_device_features",
            "update_device_option_tables",
            "update_device_special_option_tables",
            "update_installer",
            "update_lines",
            "update_phone",
            "update_shipping_method",
            "update_user",
            "verify_bank_account",
            "verify_phone",
            "welcome_device",
            "wiring_by_category",
            "year_make_model",
        }
    ),
    429: frozenset(
        {
            "accept_email_change",
            "add_owner",
            "ask_email_change",
            "change_own_password",
            "decline_email_change",
            "register",
            "resend_email",
            "revert_email_change",
            "set_password",
        }
    ),
}


def operations_of(document: Mapping[str, Any]) -> dict[str, str]:
    """Operation → its path."""
    return {
        operation["operationId"]: path
        for path, methods in document["paths"].items()
        for operation in methods.values()
    }


def refusals(person: str, operation: str, path: str) -> list[int]:
    """The statuses of refusals that this person may meet there."""
    if not ROLES[person] & POLICY[operation].roles:
        return [MALFORMED, 401 if person in ("guest", "nobody") else 403]
    named = [404] if "{" in path else []
    return sorted(
        {MALFORMED, *named, *(status for status, names in BY_RULE.items() if operation in names)}
    )


def expectations(person: str, operations: Mapping[str, str]) -> str:
    """The configuration of Schemathesis for a run as this person."""
    parts = [(ROOT / "dev/fuzz.toml").read_text()]
    for operation, path in operations.items():
        statuses = ["2xx", "3xx", *map(str, refusals(person, operation, path))]
        parts.append(
            f'[[operations]]\ninclude-operation-id = "{operation}"\n'
            f"checks.positive_data_acceptance.expected-statuses = {statuses!r}\n"
        )
    return "\n".join(parts)
