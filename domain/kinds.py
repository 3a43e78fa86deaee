"""Every kind of run, one record each. Adding one: a record here, its transitions, its steps in `workflows/`."""

from collections.abc import Mapping
from typing import Any

from domain.activation import reducer
from domain.activation.activation import REJECTIONS, ActivationView, Facts, Start
from domain.activation.words import LABELS
from domain.billing import bank_verification_v1, invoice_payment_v1, invoice_payment_v2
from domain.billing.bank_verification import (
    REFUSALS,
    BankVerificationStart,
    DepositsOnTheirWay,
    VerificationEnded,
)
from domain.billing.invoice_payment import (
    InvoicePaymentEnded,
    InvoicePaymentMethodNeeded,
    InvoicePaymentStart,
    InvoicePaymentStateConflict,
    InvoicePaymentTriedTooOften,
    InvoicePaymentView,
)
from domain.checkout.approvals import AgreementNeeded, ApprovalAnswered, NotApprover
from domain.checkout.placement import (
    NotCancellable,
    PlacementStart,
    PlacementStateConflict,
    PlacementTriedTooOften,
    StockChanged,
)
from domain.checkout.placement_snapshot import PlacementView
from domain.checkout.placements import placement_v1, placement_v2, placement_v3, placement_v4
from domain.checkout.quote import OverCreditLimit
from domain.checkout.quote import QuoteChanged as OrderQuoteChanged
from domain.devices import visit_v1
from domain.devices.visits import VisitAnswered, VisitEnded, VisitStart
from domain.firmware import firmware_v1, firmware_v2
from domain.firmware.firmware import (
    LOST_STATE,
    LOST_VIEW,
    FirmwareStart,
    FirmwareStateConflict,
    FirmwareView,
    UpdateEnded,
    UpdateNotCancellable,
)
from domain.identity import invitation_v1
from domain.identity.invitations import (
    AlreadyInvited,
    BelongsElsewhere,
    InvitationEnded,
    InvitationStart,
    InvitationVoid,
)
from domain.operations import case_v1
from domain.operations.cases import (
    CaseEnded,
    CaseFull,
    CaseStart,
    CaseStateConflict,
    CaseTriedTooOften,
    CaseView,
)
from domain.plans import purchase_v1, purchase_v2, purchase_v3
from domain.plans.purchases import (
    NoCard,
    PurchaseEnded,
    PurchaseStart,
    PurchaseTriedTooOften,
    PurchaseView,
    QuoteChanged,
)
from domain.plans.quote import LinesFailed
from domain.runs.engine import USER_EVENTS
from domain.runs.kind import (
    LOST_NOTE,
    LOST_WITH_MONEY,
    Refusal,
    RunKind,
    Subject,
    TooLate,
    Transitions,
    WaitsFor,
)

NOT_OWNER = "not_owner"
"""What is somebody else's is not there: no words of a run."""

BUYING = "purchase-plan/waiting"
"""An activation waits for a purchase, which is its buyer's; how long that takes is no sign of trouble."""

CHECKING_FIRMWARE = "check-firmware/waiting"
"""An activation waits for the firmware run of its device."""

UPDATING = "device-testing"
"""Where nobody can do anything, an activation waits there for its device's firmware."""


def _edges(version: int) -> Transitions:
    return {
        state: {str(event): target for event, target in to.items()}
        for state, to in reducer.edges(version).items()
    }


def _rejection(code: str) -> Refusal:
    status, detail = REJECTIONS[code]
    return Refusal(status=status, code=code, detail=detail)


ACTIVATION = RunKind[Start](
    name="activation",
    workflow="Activation",
    word="Activation",
    does="Takes a device step by step from its check to its place in the car; it waits wherever it is left.",
    begins="checking",
    versions={version: _edges(version) for version in reducer.VERSIONS},
    labels=LABELS,
    asks=USER_EVENTS,
    commands={
        "submit": "SUBMIT",
        "act": "ACT",
        "skip": "SKIP",
        "go_back": "BACK",
        "begin_again": "RESET",
        "change_device": "CHANGE_DEVICE",
        "abandon": "ABANDON",
    },
    id_prefix="act",
    id_of=lambda start: start.device_key,
    about=lambda start: Subject(
        site=start.site,
        dealer_id=start.actor.dealer_id,
        person_id=start.actor.user_id,
        partner=start.partner,
        device_key=start.device_key,
    ),
    summary=lambda start: (
        f"{start.device_key} · {start.kind} · dealer {start.actor.dealer_id or 'none'} · {start.site}"
    ),
    not_now=_rejection("step_out_of_order"),
    over=_rejection("closed"),
    refuses=tuple(_rejection(code) for code in REJECTIONS if code != NOT_OWNER),
    turns={WaitsFor.PERSON: (BUYING,), WaitsFor.DEVICE: ("*/waiting", UPDATING)},
    persons=("SUBMIT", "ACT", "SKIP"),
    row="flow",
    lost="abandoned",
    lost_view={"step": "abandoned", "phase": "ready", "deadline": None, "reason": LOST_NOTE},
    lost_outcome=lambda view: reducer.left_as(
        "abandoned",
        Facts.model_validate(view.get("facts", {})),
        irreversible=view.get("irreversible", False),
    ),
    view=ActivationView,
)

FIRMWARE = RunKind[FirmwareStart](
    name="firmware",
    workflow="Firmware",
    word="Firmware update",
    does="Downloads and writes each waiting part of a device, and reads its version again.",
    begins="starting",
    versions={1: firmware_v1.FIRMWARE, 2: firmware_v2.FIRMWARE},
    labels=firmware_v2.LABELS,
    asks=firmware_v2.USER_EVENTS,
    commands={
        "retry_now": firmware_v2.RETRY_NOW,
        "cancel": firmware_v2.CANCEL,
        "defer": firmware_v2.DEFER,
        "overrule": firmware_v2.OVERRULE,
    },
    id_prefix="fw",
    id_of=lambda start: start.device_key,
    about=lambda start: Subject(
        site=start.site,
        dealer_id=start.dealer_id,
        person_id=start.owner_id,
        partner=start.partner,
        device_key=start.device_key,
    ),
    summary=lambda start: (
        f"firmware · {start.device_key} · dealer {start.dealer_id or 'none'} · {start.site}"
    ),
    not_now=Refusal.of(FirmwareStateConflict),
    over=Refusal.of(UpdateEnded),
    too_late={
        firmware_v2.CANCEL: TooLate(
            refusal=Refusal.of(UpdateNotCancellable),
            states=frozenset({"update_sent", "verifying"}),
        )
    },
    turns={
        WaitsFor.PERSON: ("failed",),
        WaitsFor.DEVICE: ("download_sent", "update_sent", "waiting_online", "weak"),
        WaitsFor.CLOCK: ("retry_wait", "deferred"),
    },
    row="flow",
    lost=LOST_STATE,
    lost_view=LOST_VIEW,
    view=FirmwareView,
)

PLACEMENT = RunKind[PlacementStart](
    name="placement",
    workflow="Placement",
    word="Order",
    does="Makes one order of a submitted cart, paid once and handed over once, or takes everything back.",
    begins="checking",
    versions={
        1: placement_v1.PLACEMENT,
        2: placement_v2.PLACEMENT,
        3: placement_v3.PLACEMENT,
        4: placement_v4.PLACEMENT,
    },
    labels=placement_v4.LABELS,
    asks=placement_v4.USER_EVENTS,
    commands={
        "choose_payment": placement_v4.CHOOSE_PAYMENT,
        "cancel": placement_v4.CANCEL,
        "approve_order": placement_v4.APPROVE,
        "reject": placement_v4.REJECT,
        "agree": placement_v4.AGREE,
    },
    id_prefix="order",
    id_of=lambda start: start.token if start.turn == 1 else f"{start.token}~{start.turn}",
    about=lambda start: Subject(
        site=start.site,
        dealer_id=start.dealer_id,
        person_id=start.owner_id,
        partner=start.partner_code,
        number=start.resume.order.number if start.resume and start.resume.order else None,
    ),
    summary=lambda start: f"placement · {start.partner_code} · {start.payment.type} · {start.site}",
    not_now=Refusal.of(PlacementStateConflict),
    over=Refusal(status=410, code="closed", detail="This order has ended."),
    refuses=(
        Refusal.of(NotApprover),
        Refusal.of(AgreementNeeded),
        Refusal.of(OrderQuoteChanged),
        Refusal.of(OverCreditLimit),
        Refusal.of(StockChanged),
        Refusal.of(PlacementTriedTooOften),
    ),
    too_late={
        placement_v4.CANCEL: TooLate(
            refusal=Refusal.of(NotCancellable), states=frozenset({"capturing", "confirmed"})
        ),
        **dict.fromkeys(
            placement_v4.OWNERS_EVENTS,
            TooLate(
                refusal=Refusal.of(ApprovalAnswered),
                states=frozenset(placement_v4.PLACEMENT)
                - {"checking", "waiting_for_approval", "requoted"},
            ),
        ),
    },
    turns={
        WaitsFor.PERSON: (
            "waiting_for_approval",
            "requoted",
            "action_required",
            "payment_failed",
            "needs_attention",
        )
    },
    row="flow",
    lost="needs_attention",
    lost_note=LOST_WITH_MONEY,
    lost_view={"deadline": None, "error": {"code": "run_lost", "detail": LOST_WITH_MONEY}},
    view=PlacementView,
    snapshot=True,
)

PURCHASE = RunKind[PurchaseStart](
    name="purchase",
    workflow="Purchase",
    word="Purchase of plans",
    does="Quotes plans, charges once, sets each up at the device network, and pays back what failed.",
    begins="quoting",
    versions={1: purchase_v1.PURCHASE, 2: purchase_v2.PURCHASE, 3: purchase_v3.PURCHASE},
    labels=purchase_v3.LABELS,
    asks=purchase_v3.USER_EVENTS,
    commands={
        "requote": purchase_v3.REQUOTE,
        "confirm": purchase_v3.CONFIRM,
        "choose_payment": purchase_v3.PAY,
        "retry": purchase_v3.RETRY,
        "give_up": purchase_v3.GIVE_UP,
        "cancel": purchase_v3.CANCEL,
        "approve": purchase_v3.APPROVE,
        "reject": purchase_v3.REJECT,
        "agree": purchase_v3.AGREE,
    },
    id_prefix="sub",
    id_of=lambda start: start.id,
    about=lambda start: Subject(
        site=start.buyer.site,
        dealer_id=start.buyer.dealer_id,
        person_id=start.buyer.person_id,
        partner=start.buyer.partner_code,
    ),
    summary=lambda start: (
        f"plans for {len(start.lines)} · {start.buyer.partner_code} · {start.buyer.site}"
    ),
    not_now=Refusal(
        status=409,
        code="step_out_of_order",
        detail="This is not possible at this point of the purchase.",
    ),
    over=Refusal.of(PurchaseEnded),
    refuses=(
        Refusal.of(QuoteChanged),
        Refusal.of(LinesFailed),
        Refusal.of(NoCard),
        Refusal.of(PurchaseTriedTooOften),
        Refusal.of(NotApprover),
        Refusal.of(AgreementNeeded),
    ),
    too_late=dict.fromkeys(
        purchase_v3.OWNERS_EVENTS,
        TooLate(
            refusal=Refusal(
                status=ApprovalAnswered.status,
                code=ApprovalAnswered.code,
                detail="This purchase does not wait for an approval any more.",
            ),
            states=frozenset(purchase_v3.PURCHASE) - {"quoting", "quoted", *purchase_v3.WAITING},
        ),
    ),
    turns={
        WaitsFor.PERSON: (
            "quoted",
            *purchase_v3.WAITING,
            "action_required",
            "declined",
            "part_failed",
        )
    },
    row="flow",
    lost="needs_attention",
    lost_note=LOST_WITH_MONEY,
    lost_view={"deadline": None, "error": {"code": "run_lost", "detail": LOST_WITH_MONEY}},
    view=PurchaseView,
    snapshot=True,
)

INVOICE_PAYMENT = RunKind[InvoicePaymentStart](
    name="invoice_payment",
    workflow="InvoicePayment",
    word="Payment of invoices",
    does="Charges once for up to 200 invoices, posts each at the ERP, and pays back what it refuses.",
    begins="checking",
    versions={1: invoice_payment_v1.INVOICE_PAYMENT, 2: invoice_payment_v2.INVOICE_PAYMENT},
    labels=invoice_payment_v2.LABELS,
    asks=invoice_payment_v2.USER_EVENTS,
    commands={"choose_payment": invoice_payment_v2.PAY, "cancel": invoice_payment_v2.CANCEL},
    id_prefix="invpay",
    id_of=lambda start: start.id,
    about=lambda start: Subject(
        site=start.payer.site,
        dealer_id=start.payer.dealer_id,
        person_id=start.payer.person_id,
        partner=start.payer.partner_code,
    ),
    summary=lambda start: (
        f"{len(start.plan.allocations)} invoices · {start.payer.partner_code} · {start.payer.site}"
    ),
    not_now=Refusal.of(InvoicePaymentStateConflict),
    over=Refusal.of(InvoicePaymentEnded),
    refuses=(
        Refusal.of(InvoicePaymentMethodNeeded),
        Refusal.of(InvoicePaymentTriedTooOften),
    ),
    turns={
        WaitsFor.PERSON: ("action_required", "declined"),
        WaitsFor.CLOCK: ("processing", "posting_late"),
    },
    row="flow",
    lost="needs_attention",
    lost_note=LOST_WITH_MONEY,
    lost_view={"deadline": None, "error": {"code": "run_lost", "detail": LOST_WITH_MONEY}},
    view=InvoicePaymentView,
)

INVITATION = RunKind[InvitationStart](
    name="invitation",
    workflow="Invitation",
    word="Invitation",
    does="Asks somebody to work at a dealer, reminds once, and is over after its time.",
    begins="opening",
    versions={1: invitation_v1.INVITATION},
    labels=invitation_v1.LABELS,
    asks=invitation_v1.USER_EVENTS,
    id_prefix="invite",
    id_of=lambda start: start.id,
    about=lambda start: Subject(site=start.site, dealer_id=start.dealer_id, partner=start.partner),
    summary=lambda start: f"invitation · dealer {start.dealer_id} · {start.site}",
    refuses=(
        Refusal.of(AlreadyInvited),
        Refusal.of(BelongsElsewhere),
        Refusal.of(InvitationVoid),
    ),
    not_now=Refusal.of(InvitationEnded),
    over=Refusal.of(InvitationEnded),
    turns={WaitsFor.PERSON: ("waiting", "registering")},
    row="invitation",
    lost="withdrawn",
)

BANK_VERIFICATION = RunKind[BankVerificationStart](
    name="bank_verification",
    workflow="BankVerification",
    word="Bank account",
    does="Sends two small deposits, compares what their owner reads, and watches for their return.",
    begins="opening",
    versions={1: bank_verification_v1.BANK_VERIFICATION},
    labels=bank_verification_v1.LABELS,
    asks=bank_verification_v1.USER_EVENTS,
    id_prefix="bank",
    id_of=lambda start: start.account.method_id,
    about=lambda start: Subject(
        site=start.site, dealer_id=start.dealer_id, partner=start.partner_code
    ),
    summary=lambda start: f"bank account · {start.partner_code} · {start.site}",
    refuses=tuple(Refusal.of(error) for error in REFUSALS.values()),
    not_now=Refusal.of(DepositsOnTheirWay),
    over=Refusal.of(VerificationEnded),
    too_late={
        bank_verification_v1.VERIFY: TooLate(
            refusal=Refusal.of(VerificationEnded), states=frozenset({"verified"})
        )
    },
    turns={WaitsFor.PERSON: ("waiting",)},
)

_ANSWERED = TooLate(refusal=Refusal.of(VisitAnswered), states=frozenset({"permitted", "refused"}))

VISIT = RunKind[VisitStart](
    name="visit",
    workflow="ServiceVisit",
    word="Service visit",
    does="Asks the owner of a foreign device for one visit, and ends the visitor's work with it.",
    begins="waiting",
    versions={1: visit_v1.VISIT},
    labels=visit_v1.LABELS,
    asks=visit_v1.USER_EVENTS,
    id_prefix="visit",
    id_of=lambda start: start.id,
    about=lambda start: Subject(
        site=start.site,
        dealer_id=start.visitor_dealer_id,
        person_id=start.visitor_id,
        device_key=start.device_key,
    ),
    summary=lambda start: f"visit · {start.device_key} · {start.site}",
    not_now=Refusal.of(VisitAnswered),
    over=Refusal.of(VisitEnded),
    too_late={
        visit_v1.PERMIT: _ANSWERED,
        visit_v1.REFUSE: _ANSWERED,
        visit_v1.END: TooLate(
            refusal=Refusal.of(VisitEnded), states=frozenset({"waiting", "permitted"})
        ),
    },
    turns={WaitsFor.PERSON: ("waiting", "permitted")},
)

CASE = RunKind[CaseStart](
    name="case",
    workflow="Case",
    word="Case",
    does="Puts right what happened to money after its run had ended, or asks an administrator to.",
    begins="working",
    versions={1: case_v1.CASE},
    labels=case_v1.LABELS,
    asks=case_v1.USER_EVENTS,
    commands={
        "retry": case_v1.RETRY,
        "assign": case_v1.ASSIGN,
        "add_note": case_v1.NOTE,
        "resolve": case_v1.RESOLVE,
        "pay": case_v1.PAY,
    },
    id_prefix="case",
    id_of=lambda start: start.id,
    about=lambda start: Subject(
        site=start.site,
        dealer_id=start.dealer_id,
        person_id=start.person_id,
        partner=start.partner_code,
        number=start.belongs_to.number,
    ),
    summary=lambda start: f"case · {start.cause} · {start.partner_code} · {start.site}",
    not_now=Refusal.of(CaseStateConflict),
    over=Refusal.of(CaseEnded),
    refuses=(Refusal.of(CaseFull), Refusal.of(CaseTriedTooOften)),
    turns={
        WaitsFor.PERSON: ("needs_attention", "owed", "suspended"),
        WaitsFor.CLOCK: ("waiting",),
    },
    row="flow",
    view=CaseView,
    snapshot=True,
)

Kind = RunKind[Any]

KINDS: tuple[Kind, ...] = (
    ACTIVATION,
    FIRMWARE,
    PLACEMENT,
    PURCHASE,
    INVOICE_PAYMENT,
    INVITATION,
    BANK_VERIFICATION,
    VISIT,
    CASE,
)

BY_NAME: Mapping[str, Kind] = {kind.name: kind for kind in KINDS}
