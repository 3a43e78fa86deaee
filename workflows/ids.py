"""Workflow ids and search attribute names: natural keys that never leave the server.

SQL visibility allows at most 10 Keyword, 3 Datetime and 3 Int attributes in a namespace; these are all of them. No
attribute carries a VIN, a name, an e-mail address or a phone number: they are stored in clear.
"""

from temporalio.common import SearchAttributeKey

from domain.kinds import (
    ACTIVATION,
    BANK_VERIFICATION,
    CASE,
    FIRMWARE,
    INVITATION,
    INVOICE_PAYMENT,
    PLACEMENT,
    PURCHASE,
    VISIT,
)

DEALER_ID = SearchAttributeKey.for_keyword("DealerId")
BP_CODE = SearchAttributeKey.for_keyword("BpCode")
DEVICE_KEY = SearchAttributeKey.for_keyword("DeviceKey")
PRODUCT_FAMILY = SearchAttributeKey.for_keyword("ProductFamily")
FLOW_KIND = SearchAttributeKey.for_keyword("FlowKind")
FLOW_STEP = SearchAttributeKey.for_keyword("FlowStep")
INSTALLER_ID = SearchAttributeKey.for_keyword("InstallerId")
SITE = SearchAttributeKey.for_keyword("Site")
NUMBER = SearchAttributeKey.for_keyword("Number")
"""An order's number as people say it."""
OUTCOME = SearchAttributeKey.for_keyword("Outcome")
NEEDS_ATTENTION = SearchAttributeKey.for_bool("NeedsAttention")
IDLE_DEADLINE = SearchAttributeKey.for_datetime("IdleDeadline")

SEARCH_ATTRIBUTES = (
    DEALER_ID,
    BP_CODE,
    DEVICE_KEY,
    PRODUCT_FAMILY,
    FLOW_KIND,
    FLOW_STEP,
    INSTALLER_ID,
    SITE,
    NUMBER,
    OUTCOME,
    NEEDS_ATTENTION,
    IDLE_DEADLINE,
)


def keyword(name: str) -> SearchAttributeKey[str]:
    """The key of one of the keywords above."""
    return SearchAttributeKey.for_keyword(name)


def activation_id(device_key: str, turn: int = 1) -> str:
    """The run that was opened for this serial number. A later turn is needed only while an earlier run has moved on
    to another device and still lives under this one's name."""
    return (
        f"{ACTIVATION.id_prefix}-{device_key}"
        if turn == 1
        else f"{ACTIVATION.id_prefix}-{device_key}~{turn}"
    )


def firmware_id(device_key: str) -> str:
    """At most one firmware run lives for a device: the id is the lock."""
    return f"{FIRMWARE.id_prefix}-{device_key}"


def placement_id(token: str, turn: int = 1) -> str:
    """The run that places this cart. A later turn follows one that came to nothing, so that no two are taken for one."""
    return (
        f"{PLACEMENT.id_prefix}-{token}" if turn == 1 else f"{PLACEMENT.id_prefix}-{token}~{turn}"
    )


def purchase_id(purchase_id: str) -> str:
    return f"{PURCHASE.id_prefix}-{purchase_id}"


def invoice_payment_id(payment_id: str) -> str:
    return f"{INVOICE_PAYMENT.id_prefix}-{payment_id}"


def invitation_id(invitation_id: str) -> str:
    return f"{INVITATION.id_prefix}-{invitation_id}"


def bank_verification_id(method_id: str) -> str:
    return f"{BANK_VERIFICATION.id_prefix}-{method_id}"


def visit_id(visit_id: str) -> str:
    return f"{VISIT.id_prefix}-{visit_id}"


def case_id(case_id: str) -> str:
    return f"{CASE.id_prefix}-{case_id}"
