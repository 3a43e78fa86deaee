"""Which refusals the fuzz run expects of an operation although the request fits its schema: what a schema cannot say is
said by a rule, and stands here for that operation alone. What does not fit it is refused as such, or so. 503 is expected of
none, the third parties being there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from dev.places import ROOT
from domain.identity.people import Role
from domain.identity.policy import POLICY

ROLES: dict[str, frozenset[Role]] = {
    "owner": frozenset({Role.OWNER, Role.INSTALLER}),
    "installer": frozenset({Role.INSTALLER}),
    "purchaser": frozenset({Role.PURCHASER, Role.INSTALLER}),
    "accountant": frozenset({Role.OWNER, Role.DEALER_ACCOUNTANT, Role.INSTALLER}),
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
MISFITS = frozenset({MALFORMED, 413, 422})
"""What does not fit the schema is called so; a text of many bytes may be more than a request may have before anybody reads
it."""
LENIENT = frozenset(
    {
        "credit_memos",
        "credit_memos_cursor",
        "invoices",
        "invoices_cursor",
        "list_business_partners",
        "order_transactions",
        "order_transactions_cursor",
        "products_by_ids",
        "products_by_ids_cursor",
        "search_products",
        "search_products_cursor",
    }
)
"""They read by a body: as with every GET a page or limit that makes no sense falls back to the usual one, and a filter of
unknown value is left out. What the document says of them is what a caller should send."""
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
            "ask_visit",
            "attach_stripe_card_to_user",
            "change_own_password",
            "change_saved_list",
            "check_quick_order",
            "check_quick_order_file",
            "choose_plan_line",
            "create_b2b",
            "create_bank_account",
            "create_card",
            "create_credit_card",
            "credit_memo",
            "credit_memos",
            "credit_memos_cursor",
            "delete_bank_account",
            "delete_card",
            "delete_device_pin",
            "delete_saved_list",
            "export_credit_memos",
            "export_invoices",
            "export_statement",
            "get_card",
            "get_credit_memo_pdf",
            "get_invoice_pdf",
            "get_saved_list",
            "get_statement",
            "get_statement_pdf",
            "invoice",
            "invoices",
            "invoices_cursor",
            "list_cards",
            "list_credit_memo_cases",
            "list_invoice_cases",
            "list_saved_lists",
            "make_saved_list",
            "open_payout_account",
            "pay_case",
            "pay_for_plans",
            "release_my_device",
            "set_device_pin",
            "update_bank_account",
            "update_card",
            "update_credit_card",
            "verify_bank_account",
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
            "close_effect",
            "condensed_products_by_ids",
            "create_b2b",
            "create_bank_account",
            "create_card",
            "credit_memo",
            "credit_memos",
            "credit_memos_cursor",
            "delete_bank_account",
            "delete_credit_card",
            "export_credit_memos",
            "export_invoices",
            "export_statement",
            "external_vehicle_wiring",
            "forgot_password",
            "get_account",
            "get_statement",
            "get_statement_pdf",
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
            "list_pay_links",
            "list_upgrades",
            "make_pay_link",
            "make_saved_list",
            "open_payloads",
            "order_transaction",
            "order_transactions",
            "order_transactions_cursor",
            "pay_for_plans",
            "products_by_ids",
            "products_by_ids_cursor",
            "quote_invoice_payment",
            "report_drift",
            "search_products",
            "search_products_cursor",
            "search_products_facets",
            "select_business",
            "served_wires",
            "set_hardwired_mode",
            "start_activation",
            "start_firmware",
            "swap_device",
            "update_bank_account",
            "update_credit_card",
            "update_user_permissions",
            "users_info",
            "users_payment_methods",
            "vehicle_fit",
            "vehicle_saleor_accessory_products",
            "vehicle_saleor_products",
            "verify_bank_account",
            "welcome_device",
            "wiring_by_category",
        }
    ),
    409: frozenset(
        {
            "change_saved_list",
            "check_quick_order",
            "check_quick_order_file",
            "credit_memo",
            "credit_memos",
            "credit_memos_cursor",
            "delete_bank_account",
            "delete_credit_card",
            "delete_saved_list",
            "export_credit_memos",
            "export_invoices",
            "export_orders",
            "export_statement",
            "get_activation_option_tables",
            "get_credit_memo_pdf",
            "get_handout",
            "get_invoice_pdf",
            "get_order",
            "get_order_pdf",
            "get_packing_list_pdf",
            "get_saved_list",
            "get_statement",
            "get_statement_pdf",
            "get_stripe_key",
            "hand_over_activation",
            "hand_over_open_work",
            "invoice",
            "invoices",
            "invoices_cursor",
            "give_up_run",
            "link_handout",
            "list_cards",
            "list_credit_memo_cases",
            "list_invitations",
            "list_invoice_cases",
            "list_order_cases",
            "list_pay_links",
            "list_saved_lists",
            "mock_placement",
            "order_transaction",
            "order_transactions",
            "order_transactions_cursor",
            "quote_invoice_payment",
            "remember_device",
            "revoke_handout_link",
            "revoke_pay_link",
            "search_products",
            "search_products_cursor",
            "search_products_facets",
            "select_business",
            "set_up_totp",
            "t_harness_by_sku",
            "try_run_again",
            "update_card",
            "update_credit_card",
            "update_installer",
            "update_purchase_limits",
            "vehicle_saleor_accessory_products",
            "vehicle_saleor_products",
            "verify_totp",
        }
    ),
    410: frozenset(
        {
            "abandon_activation",
            "accept_email_change",
            "accept_invitation",
            "agree_to_placement",
            "assign_case",
            "back_step",
            "cancel_placement",
            "change_activation_device",
            "choose_placement_payment",
            "decline_email_change",
            "decline_invitation",
            "hand_over_activation",
            "note_case",
            "open_handout",
            "open_pay_link",
            "pay_by_link",
            "read_invitation",
            "reset_activation",
            "resolve_case",
            "retry_case",
            "revert_email_change",
            "send_activation_command",
            "send_invitation_again",
            "set_activation_feature",
            "set_activation_pin",
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
            "advise_invoice_payment",
            "ask_email_change",
            "ask_visit",
            "assign_case",
            "attach_stripe_card_to_user",
            "change_activation_device",
            "change_saved_list",
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
            "enter_coupon",
            "erase_address",
            "export_credit_memos",
            "export_devices",
            "export_receipts",
            "export_subscriptions",
            "external_vehicle_wiring",
            "find_named",
            "follow_events",
            "forgot_password",
            "free_my_device",
            "get_device_features",
            "get_device_option_tables",
            "get_device_special_option_tables",
            "get_known_of_address",
            "get_my_device",
            "guides_by_vehicle_ids",
            "install_device",
            "instructions_by_category",
            "internal_vehicle_wiring",
            "invite_user",
            "invoices",
            "invoices_cursor",
            "link_device_installer",
            "list_activations",
            "list_all_open_activations",
            "list_audit",
            "list_business_partners",
            "list_cases",
            "list_device_logs",
            "list_device_rewards",
            "list_differences",
            "list_firmware_runs",
            "list_my_devices",
            "list_open_activations",
            "list_open_runs_of_address",
            "list_payouts",
            "list_plan_payments",
            "list_reward_sums",
            "list_runs",
            "list_subscriptions_of_business",
            "list_upgrades",
            "list_visits",
            "make_saved_list",
            "merge_cart",
            "note_case",
            "order_transactions",
            "order_transactions_cursor",
            "pay_for_plans",
            "pay_invoice",
            "products_by_ids",
            "products_by_ids_cursor",
            "quote_invoice_payment",
            "register",
            "release_my_device",
            "reorder",
            "request_dealer_account",
            "resend_email",
            "reset_password",
            "search_products",
            "search_products_cursor",
            "search_products_facets",
            "send_device_command",
            "send_invitation_again",
            "served_wires",
            "set_activation_pin",
            "set_b2b_payment",
            "set_b2b_po_number",
            "set_device_pin",
            "set_hardwired_mode",
            "set_line_vehicle",
            "set_password",
            "sign_in",
            "start_activation",
            "start_firmware",
            "submit_invoice_payment",
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
            "update_purchase_limits",
            "update_shipping_method",
            "update_user",
            "vehicle_fit",
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
            "accept_invitation",
            "add_owner",
            "ask_email_change",
            "attach_stripe_card_to_user",
            "change_own_password",
            "contact_us",
            "decline_email_change",
            "decline_invitation",
            "open_handout",
            "open_pay_link",
            "open_payout_account",
            "pay_by_link",
            "read_invitation",
            "register",
            "resend_email",
            "reset_password",
            "revert_email_change",
            "set_activation_pin",
            "set_password",
        }
    ),
}


REPS = ("inside-rep", "outside-rep")


@dataclass(frozen=True)
class Operation:
    """`takes_key`: it is done once for an Idempotency-Key, which generated requests share. `names_device`: by its
    key, in the path, the query or the body. `is_lenient`: what does not fit the schema may be left out."""

    name: str
    path: str
    takes_key: bool
    names_device: bool
    is_lenient: bool


def operations_of(document: Mapping[str, Any]) -> dict[str, Operation]:
    """By their names."""
    return {
        (name := operation["operationId"]): Operation(
            name=name,
            path=path,
            takes_key=any(
                one["name"] == "Idempotency-Key" for one in operation.get("parameters", ())
            ),
            names_device=any(
                field.endswith("device_key") for field in _fields(document, operation)
            ),
            is_lenient=method == "get" or name in LENIENT,
        )
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def _fields(document: Mapping[str, Any], operation: Mapping[str, Any]) -> list[str]:
    """The names in its path, its query, and its body."""
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return [
        *(one["name"] for one in operation.get("parameters", ())),
        *schema.get("properties", ()),
    ]


def refusals(person: str, operation: Operation) -> list[int]:
    """The statuses of refusals that this person may meet there. Whoever works for many businesses may have chosen none, or
    another; a device may be in use, and who asks for many of them has to wait."""
    if not ROLES[person] & POLICY[operation.name].roles:
        return [MALFORMED, 401 if person in ("guest", "nobody") else 403]
    expected = {MALFORMED}
    expected |= {status for status, names in BY_RULE.items() if operation.name in names}
    if "{" in operation.path:
        expected.add(404)
    if operation.takes_key or person in REPS:
        expected.add(409)
    if operation.names_device:
        expected |= {409, 429}
    return sorted(expected)


def expectations(
    person: str, operations: Mapping[str, Operation], without_bounds: Collection[str] = ()
) -> str:
    """The configuration of Schemathesis for a run as this person. `without_bounds` are the operations of which not every
    bound of the schema is tried, but random examples alone."""
    parts = [(ROOT / "dev/fuzz.toml").read_text()]
    for name, operation in operations.items():
        refused = refusals(person, operation)
        fitting = ["2xx", "3xx", *map(str, refused)]
        # A path that does not fit is none of ours, whoever asks.
        nowhere = {404} if "{" in operation.path else set[int]()
        accepted = ["2xx"] if operation.is_lenient else []
        misfits = [*accepted, *map(str, {*refused, *MISFITS, *nowhere})]
        parts.append(
            f'[[operations]]\ninclude-operation-id = "{name}"\n'
            f"checks.positive_data_acceptance.expected-statuses = {fitting!r}\n"
            f"checks.negative_data_rejection.expected-statuses = {sorted(misfits)!r}\n"
            + ("phases.coverage.enabled = false\n" if name in without_bounds else "")
        )
    return "\n".join(parts)
