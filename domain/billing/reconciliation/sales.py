"""Orders and plans against their payments, and orders against the ERP's."""

from collections.abc import Iterator, Sequence

from domain.billing.reconciliation.differences import (
    About,
    Difference,
    DifferenceKind,
    money,
    total_of,
)
from domain.billing.reconciliation.facts import (
    ErpOrder,
    OrderFacts,
    OwnPayment,
    PurchaseFacts,
)


def compare_order(facts: OrderFacts) -> Iterator[Difference]:
    """One order whose run has ended; what a case is about is left to it."""
    if facts.is_running:
        return
    about = (About(kind="order", id=facts.id, name=facts.number, run_id=facts.token),)

    def of(kind: DifferenceKind, here: str, there: str) -> Difference:
        return Difference(
            kind=kind,
            subject=facts.number,
            about=about,
            partner_code=facts.partner_code,
            here=here,
            there=there,
            amount=facts.total,
        )

    if facts.document is None and not facts.is_cancelled:
        yield of(DifferenceKind.ORDER_NOT_IN_ERP, money(facts.total), "")
    if facts.is_cancelled and facts.document is not None and not facts.document.is_cancelled:
        yield of(DifferenceKind.ORDER_ALIVE_IN_ERP, "cancelled", money(facts.document.total))
    elif (
        facts.document is not None and not facts.is_cancelled and _unrecorded(facts, facts.document)
    ):
        there = "; ".join(_unrecorded(facts, facts.document))
        yield of(DifferenceKind.ORDER_CANCELLED_IN_ERP, money(facts.total), there)
    elif (
        facts.document is not None
        and not facts.document.is_cancelled
        and facts.document.total != facts.total
    ):
        yield of(DifferenceKind.AMOUNT_DIFFERS, money(facts.total), money(facts.document.total))
    live = _live(facts.payments)
    beside = facts.is_promised and not facts.is_cancelled and any(not p.is_promise for p in live)
    if len(live) > 1 or beside:
        yield of(DifferenceKind.CHARGED_TWICE, money(facts.total), _sum(live))
    if facts.has_case:
        return
    if facts.is_cancelled and live:
        yield of(DifferenceKind.PAYMENT_WITHOUT_ORDER, "cancelled", _sum(live))
    if not facts.is_cancelled and not live and not facts.is_promised:
        yield of(DifferenceKind.ORDER_NOT_PAID, money(facts.total), "")
    if len(live) == 1 and not (facts.is_cancelled or beside) and live[0].amount != facts.total:
        yield of(DifferenceKind.AMOUNT_DIFFERS, money(facts.total), money(live[0].amount))


def unknown_order(document: ErpOrder) -> Difference:
    """The ERP has an order under a number that we never gave, or of an order that is gone."""
    return Difference(
        kind=DifferenceKind.ERP_ORDER_UNKNOWN,
        subject=document.reference,
        there=f"{document.reference} ({document.number}) {money(document.total)}",
        amount=document.total,
    )


def compare_cart(payment: OwnPayment) -> Iterator[Difference]:
    """A payment of a cart that never became an order."""
    if payment.is_live and not payment.is_running:
        yield Difference(
            kind=DifferenceKind.PAYMENT_WITHOUT_ORDER,
            subject=payment.id,
            about=payment.about,
            partner_code=payment.partner_code,
            here=f"{payment.status.lower()} {money(payment.amount, payment.currency)}",
            amount=payment.amount,
            charge_id=payment.provider_id,
        )


def compare_purchase(facts: PurchaseFacts) -> Iterator[Difference]:
    """One purchase whose run has ended."""
    if facts.is_running or facts.has_case:
        return
    live = _live(facts.payments)
    kept = total_of([one.kept for one in live])

    def of(kind: DifferenceKind, here: str, there: str) -> Difference:
        return Difference(
            kind=kind,
            subject=facts.id,
            about=(About(kind="purchase", id=facts.id, name=facts.id[:8], run_id=facts.id),),
            partner_code=facts.partner_code,
            here=here,
            there=there,
            amount=kept or facts.charged,
        )

    if facts.plans and not live and facts.charged != 0:
        yield of(DifferenceKind.PLAN_WITHOUT_PAYMENT, f"{facts.plans}", "")
    if live and not facts.plans:
        yield of(DifferenceKind.PAYMENT_WITHOUT_PLAN, "0", money(kept))
    if len(live) > 1:
        yield of(DifferenceKind.CHARGED_TWICE, f"{facts.plans}", money(kept))
    elif live and facts.plans and facts.charged is not None and kept != facts.charged:
        yield of(DifferenceKind.AMOUNT_DIFFERS, money(facts.charged), money(kept))


def _unrecorded(facts: OrderFacts, document: ErpOrder) -> list[str]:
    """What of an order is cancelled there, and is not known here."""
    if document.is_cancelled:
        return ["cancelled"]
    return [f"{one} cancelled" for one in document.withdrawn if one not in facts.withdrawn]


def _live(payments: Sequence[OwnPayment]) -> list[OwnPayment]:
    return [one for one in payments if one.is_live]


def _sum(payments: Sequence[OwnPayment]) -> str:
    return money(total_of([one.kept or one.amount for one in payments]))
