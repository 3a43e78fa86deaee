"""What a run waits for that an activity is tried for again and again, and which part has to answer."""

from collections.abc import Mapping
from enum import StrEnum

from domain.base import Frozen, Utc
from domain.errors import Conflict


class Part(StrEnum):
    """An outside system, by the name that its calls are counted under."""

    DEVICE_NETWORK = "device network"
    MAIL = "mail"
    ERP = "ERP"
    CARDS = "card provider"
    GATEWAY = "ACH/COD gateway"


_DEVICES = (Part.DEVICE_NETWORK,)
_MAIL = (Part.MAIL,)
_ERP = (Part.ERP,)
_CARDS = (Part.CARDS,)
_PAYING = (Part.CARDS, Part.GATEWAY)

ASKS: Mapping[str, tuple[Part, ...]] = {
    "check_device": _DEVICES,
    "send_command": _DEVICES,
    "check_firmware": _DEVICES,
    "send_welcome": _DEVICES,
    "finish": _DEVICES,
    "remind": _MAIL,
    "swap_device": _DEVICES,
    "reset_pairing": _DEVICES,
    "set_mode": _DEVICES,
    "patch_tables": _DEVICES,
    "set_pin": _DEVICES,
    "delete_pin": _DEVICES,
    "set_feature": _DEVICES,
    "set_wires": _DEVICES,
    "link_installer": _DEVICES,
    "send_firmware": _DEVICES,
    "read_version": _DEVICES,
    "read_readings": _DEVICES,
    "send_bank_deposits": _PAYING,
    "compare_bank_deposits": _PAYING,
    "forget_bank_account": _PAYING,
    "mail_bank_return": _MAIL,
    "ask_about_purchase": _MAIL,
    "post_invoice_payment": _ERP,
    "unpost_invoice_payment": _ERP,
    "mail_invoice_payment": _MAIL,
    "pay_dealer": _CARDS,
    "look_at_payout_account": _CARDS,
    "look_at_transfer": _CARDS,
    "tell_owners_of_payout": _MAIL,
    "authorise_payment": _PAYING,
    "capture_payment": _PAYING,
    "void_payment": _PAYING,
    "refund_payment": _PAYING,
    "look_up_payment": _PAYING,
    "look_up_dispute": (Part.CARDS,),
    "mail_visit": _MAIL,
    "mail_invitation": _MAIL,
    "tell_inviter": _MAIL,
    "hold_for_case": _ERP,
    "suspend_for_case": _DEVICES,
    "mail_case": _MAIL,
    "record_order": _ERP,
    "hand_order_over": _ERP,
    "cancel_order": _ERP,
    "mail_order": _MAIL,
    "mail_approval": _MAIL,
    "mail_purchase_approval": _MAIL,
    "quote_plans": _DEVICES,
    "provision_plan": _DEVICES,
    "look_up_plan": _DEVICES,
    "mail_purchase": _MAIL,
}
"""Activity → the parts that it asks. An activity that is not named here asks our own database alone."""


WORKFLOW_TASK = "workflow task"
"""Beside the activities: the run's own next step, tried again and again by the workers."""
CANNOT_GO_ON = (
    "The workers cannot carry this run on: this release cannot read what came in, or what it did before. "
    "Nothing is lost; the run goes on with a release that can."
)


class PartState(Frozen):
    """How a part answered of late, whichever of our processes asked. `reason` is the kind of its last failure."""

    name: Part
    last_ok_at: Utc | None = None
    last_failed_at: Utc | None = None
    reason: str | None = None


class Retrying(Frozen):
    """An activity that is tried again. `failure` is what the last try was told, in our own words; `request_id` is what the outside
    system calls it, where it says so."""

    activity: str
    attempt: int
    failure: str | None
    next_at: Utc | None
    request_id: str | None = None
    parts: tuple[PartState, ...]


class NothingToTry(Conflict):
    code = "nothing_to_try"
    detail = "Nothing waits to be tried again in this run."
