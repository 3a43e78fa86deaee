"""Every kind of run, one record each. Adding one: a record here, its transitions, its steps in `workflows/`."""

from domain.billing import bank_verification_v1
from domain.billing.bank_verification import (
    BankVerificationStart,
    DepositsOnTheirWay,
    VerificationEnded,
)
from domain.checkout import placement_v1
from domain.checkout.placement import NotCancellable, PlacementMoved, PlacementStart
from domain.checkout.placement_snapshot import PlacementView
from domain.devices import visit_v1
from domain.devices.visits import VisitAnswered, VisitEnded, VisitStart
from domain.identity import invitation_v1
from domain.identity.invitations import InvitationEnded, InvitationStart
from domain.plans import purchase_v1
from domain.plans.purchases import NoCard, PurchaseEnded, PurchaseStart, PurchaseView, QuoteChanged
from domain.plans.quote import LinesFailed
from domain.runs.kind import LOST_NOTE, Refusal, RunKind, Subject, TooLate, WaitsFor

PLACEMENT = RunKind[PlacementStart](
    name="placement",
    workflow="Placement",
    word="Order",
    does="Makes one order of a submitted cart, paid once and handed over once, or takes everything back.",
    begins="checking",
    versions={1: placement_v1.PLACEMENT},
    labels=placement_v1.LABELS,
    asks=placement_v1.USER_EVENTS,
    commands={
        "choose_payment": placement_v1.CHOOSE_PAYMENT,
        "cancel": placement_v1.CANCEL,
    },
    id_prefix="order",
    id_of=lambda start: start.token if start.turn == 1 else f"{start.token}~{start.turn}",
    about=lambda start: Subject(
        site=start.site,
        dealer_id=start.dealer_id,
        person_id=start.owner_id,
        partner=start.partner_code,
    ),
    summary=lambda start: f"placement · {start.partner_code} · {start.payment.type} · {start.site}",
    not_now=Refusal.of(PlacementMoved),
    over=Refusal(status=410, code="closed", detail="This order has ended."),
    too_late={
        placement_v1.CANCEL: TooLate(
            refusal=Refusal.of(NotCancellable), states=frozenset({"capturing", "confirmed"})
        )
    },
    turns={WaitsFor.PERSON: ("action_required", "payment_failed", "needs_attention")},
    row="flow",
    lost="needs_attention",
    lost_view={"deadline": None, "error": {"code": "run_lost", "detail": LOST_NOTE}},
    view=PlacementView,
    snapshot=True,
)

PURCHASE = RunKind[PurchaseStart](
    name="purchase",
    workflow="Purchase",
    word="Purchase of plans",
    does="Quotes plans, charges once, sets each up at the device network, and pays back what failed.",
    begins="quoting",
    versions={1: purchase_v1.PURCHASE},
    labels=purchase_v1.LABELS,
    asks=purchase_v1.USER_EVENTS,
    commands={
        "requote": purchase_v1.REQUOTE,
        "confirm": purchase_v1.CONFIRM,
        "choose_payment": purchase_v1.PAY,
        "retry": purchase_v1.RETRY,
        "give_up": purchase_v1.GIVE_UP,
        "cancel": purchase_v1.CANCEL,
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
    refuses=(Refusal.of(QuoteChanged), Refusal.of(LinesFailed), Refusal.of(NoCard)),
    turns={WaitsFor.PERSON: ("quoted", "action_required", "declined", "part_failed")},
    row="flow",
    lost="needs_attention",
    lost_view={"deadline": None, "error": {"code": "run_lost", "detail": LOST_NOTE}},
    view=PurchaseView,
    snapshot=True,
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
    asks=(bank_verification_v1.VERIFY,),
    id_prefix="bank",
    id_of=lambda start: start.account.method_id,
    about=lambda start: Subject(
        site=start.site, dealer_id=start.dealer_id, partner=start.partner_code
    ),
    summary=lambda start: f"bank account · {start.partner_code} · {start.site}",
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
