"""The ERP's documents, postings and balances against ours."""

from collections.abc import Iterator

from domain.billing.invoice_payment import InvoiceStatus
from domain.billing.reconciliation.differences import (
    About,
    Difference,
    DifferenceKind,
    money,
    total_of,
)
from domain.billing.reconciliation.facts import (
    AllocationFacts,
    BalanceFacts,
    DocumentFacts,
    InvoicePaymentFacts,
    MemoFacts,
    Posting,
)

_CHARGED = frozenset({InvoiceStatus.WAITING, InvoiceStatus.POSTED, InvoiceStatus.REFUSED})
"""What the money of an allocation is still kept for."""


def compare_document(facts: DocumentFacts) -> Iterator[Difference]:
    """A document that the mirror has not, or has in an older version, or with other figures."""
    is_behind = facts.mirrored is None or facts.mirrored < facts.version
    is_other = facts.mirrored == facts.version and facts.mirrored_total != facts.total
    if is_behind or is_other:
        kind = "invoice" if facts.kind == "invoice" else "credit_memo"
        known = "" if facts.mirrored is None else f"version {facts.mirrored}"
        yield Difference(
            kind=DifferenceKind.AMOUNT_DIFFERS if is_other else DifferenceKind.INVOICE_NOT_MIRRORED,
            subject=facts.number,
            about=(About(kind=kind, id=facts.number, name=facts.number),),
            partner_code=facts.partner_code,
            here=money(facts.mirrored_total) if is_other and facts.mirrored_total else known,
            there=money(facts.total) if is_other else f"version {facts.version}",
            amount=facts.total,
        )


def compare_invoice_payment(facts: InvoicePaymentFacts) -> Iterator[Difference]:
    """One payment of invoices whose run has ended: its parts, its charge, and each posting."""
    if facts.is_running:
        return
    about = (About(kind="invoice_payment", id=facts.id, name=facts.id[:8], run_id=facts.id),)

    def of(kind: DifferenceKind, subject: str, here: str, there: str) -> Difference:
        named = subject.partition(":")[2]
        invoice = (About(kind="invoice", id=named, name=named),) if named else ()
        return Difference(
            kind=kind,
            subject=subject,
            about=(*about, *invoice),
            partner_code=facts.partner_code,
            here=here,
            there=there,
            amount=facts.charged,
        )

    parts = total_of([one.charged for one in facts.allocations])
    live = [one for one in facts.payments if one.is_live]
    if parts != facts.charged:
        yield of(DifferenceKind.ALLOCATIONS_DIFFER, facts.id, money(parts), money(facts.charged))
    elif not facts.has_case:
        due = total_of([one.charged for one in facts.allocations if one.status in _CHARGED])
        kept = total_of([one.kept for one in live])
        if kept != due:
            yield of(DifferenceKind.ALLOCATIONS_DIFFER, facts.id, money(due), money(kept))
    if len(live) > 1:
        sums = money(total_of([one.kept for one in live]))
        yield of(DifferenceKind.CHARGED_TWICE, facts.id, money(facts.charged), sums)
    for one in facts.allocations:
        for kind, here, there in _posted(one):
            yield of(kind, f"{facts.id}:{one.invoice_number}", here, there)


def _posted(one: AllocationFacts) -> Iterator[tuple[DifferenceKind, str, str]]:
    here = money(one.charged + one.applied)
    sums = money(total_of([each.amount + each.from_memos for each in one.postings]))
    if one.from_memos != one.applied:
        yield DifferenceKind.ALLOCATIONS_DIFFER, money(one.applied), money(one.from_memos)
    if one.status is not InvoiceStatus.POSTED:
        if one.postings:
            yield DifferenceKind.POSTING_UNKNOWN, one.status.value, sums
        return
    posting = next(iter(one.postings), None)
    if posting is None:
        yield DifferenceKind.POSTING_MISSING, here, ""
    elif len(one.postings) > 1 or one.noted > 1:
        yield DifferenceKind.POSTING_DOUBLED, here, f"{max(len(one.postings), one.noted)} × {here}"
    elif sums != here or posting.discount != one.discount:
        there = f"{sums} - {money(posting.discount)}"
        yield DifferenceKind.AMOUNT_DIFFERS, f"{here} - {money(one.discount)}", there


def unknown_posting(posting: Posting) -> Difference:
    """A posting under a reference of ours that no payment of invoices made."""
    number = posting.invoice_number
    return Difference(
        kind=DifferenceKind.POSTING_UNKNOWN,
        subject=posting.reference,
        about=(About(kind="invoice", id=number, name=number),),
        partner_code=posting.partner_code,
        there=f"{posting.reference} ({posting.number}) {money(posting.amount + posting.from_memos)}",
        amount=posting.amount,
    )


def compare_memo(facts: MemoFacts) -> Iterator[Difference]:
    """No more of a memo is applied than it is worth: by its own figure, its entries, or our payments."""
    most = max(facts.applied, facts.entries, facts.posted)
    if most > facts.total:
        yield Difference(
            kind=DifferenceKind.MEMO_OVERAPPLIED,
            subject=facts.number,
            about=(About(kind="credit_memo", id=facts.number, name=facts.number),),
            partner_code=facts.partner_code,
            here=money(facts.total),
            there=money(most),
            amount=most - facts.total,
        )


def compare_balance(facts: BalanceFacts) -> Iterator[Difference]:
    """What the ERP says is owed is the sum of its open invoices less what is left of memos, and they are the ones that we
    show."""
    owed = total_of([one.amount for one in facts.open_there]) - facts.credit
    here = {one.number: one.amount for one in facts.open_here}
    there = {one.number: one.amount for one in facts.open_there if one.number in here}
    unlike = sorted(number for number in here if there.get(number) != here[number])
    if owed != facts.balance or unlike:
        invoices = tuple(About(kind="invoice", id=one, name=one) for one in unlike[:5])
        partner = About(kind="partner", id=facts.partner_code, name=facts.partner_code)
        yield Difference(
            kind=DifferenceKind.BALANCE_DIFFERS,
            subject=facts.partner_code,
            about=(partner, *invoices),
            partner_code=facts.partner_code,
            here=money(total_of(list(here.values())) - facts.credit),
            there=money(facts.balance),
            amount=abs(facts.balance - owed),
        )
