"""Two sides of facts that agree, made from a seed: what is found among them is a fault of the rules."""

from collections.abc import Iterator
from decimal import Decimal
from random import Random

from domain.base import Frozen
from domain.billing.invoice_payment import InvoiceStatus
from domain.billing.payments import PaymentStatus, PaymentType
from domain.billing.reconciliation.charges import compare_payment, stray
from domain.billing.reconciliation.differences import About, Difference
from domain.billing.reconciliation.documents import (
    compare_balance,
    compare_document,
    compare_invoice_payment,
    compare_memo,
)
from domain.billing.reconciliation.facts import (
    AllocationFacts,
    BalanceFacts,
    Charge,
    DocumentFacts,
    ErpOrder,
    InvoicePaymentFacts,
    MemoFacts,
    OpenInvoice,
    OrderFacts,
    OwnPayment,
    PaymentFacts,
    Posting,
    PurchaseFacts,
)
from domain.billing.reconciliation.sales import compare_order, compare_purchase

ZERO = Decimal("0.00")
PARTNER = "N1010"


class Books(Frozen):
    """Everything that one comparison looks at."""

    payments: tuple[PaymentFacts, ...] = ()
    strays: tuple[Charge, ...] = ()
    orders: tuple[OrderFacts, ...] = ()
    purchases: tuple[PurchaseFacts, ...] = ()
    documents: tuple[DocumentFacts, ...] = ()
    invoice_payments: tuple[InvoicePaymentFacts, ...] = ()
    memos: tuple[MemoFacts, ...] = ()
    balances: tuple[BalanceFacts, ...] = ()


def compared(books: Books) -> list[Difference]:
    return list(_compared(books))


def _compared(books: Books) -> Iterator[Difference]:
    for payment in books.payments:
        yield from compare_payment(payment)
    for charge in books.strays:
        yield from stray(charge)
    for order in books.orders:
        yield from compare_order(order)
    for purchase in books.purchases:
        yield from compare_purchase(purchase)
    for document in books.documents:
        yield from compare_document(document)
    for paid in books.invoice_payments:
        yield from compare_invoice_payment(paid)
    for memo in books.memos:
        yield from compare_memo(memo)
    for balance in books.balances:
        yield from compare_balance(balance)


def clean_books(seed: int, size: int = 40) -> Books:
    """Money of every kind and state, the same on both sides."""
    chance = Random(seed)
    return Books(
        payments=tuple(_a_payment(chance, n) for n in range(size)),
        strays=tuple(
            a_charge(f"pi_stray{n}", ZERO, status=PaymentStatus.UNKNOWN, amount=_some(chance))
            for n in range(3)
        ),
        orders=tuple(_an_order(chance, n) for n in range(size)),
        purchases=tuple(_a_purchase(chance, n) for n in range(size)),
        documents=tuple(_a_document(chance, n) for n in range(size)),
        invoice_payments=tuple(_an_invoice_payment(chance, n) for n in range(size)),
        memos=tuple(_a_memo(chance, n) for n in range(size)),
        balances=tuple(_a_balance(chance, n) for n in range(size)),
    )


def a_payment(id_: str, amount: Decimal = Decimal("104.99"), **more: object) -> OwnPayment:
    """Taken, and kept."""
    about = (About(kind="order", id="order-1", name="T-100001"),)
    values: dict[str, object] = {
        "id": id_,
        "provider_id": f"pi_{id_}",
        "about": about,
        "partner_code": PARTNER,
        "type": PaymentType.CARD,
        "amount": amount,
        "customer": "cus_1",
        "status": PaymentStatus.CAPTURED,
        "captured": amount,
    }
    return OwnPayment.model_validate(values | more)


def a_charge(id_: str, captured: Decimal, payment_id: str | None = None, **more: object) -> Charge:
    values: dict[str, object] = {
        "id": id_,
        "provider": "card",
        "payment_id": payment_id,
        "status": PaymentStatus.CAPTURED,
        "captured": captured,
        "amount": captured,
        "customer": "cus_1",
    }
    return Charge.model_validate(values | more)


def charged(payment: OwnPayment, **more: object) -> PaymentFacts:
    """With the charge that it is at its provider."""
    charge = a_charge(
        payment.provider_id or "",
        payment.captured,
        payment.id,
        status=payment.status,
        refunded=payment.refunded,
        amount=payment.amount,
    )
    return PaymentFacts(payment=payment, charges=(charge.model_copy(update=more),))


def _a_payment(chance: Random, n: int) -> PaymentFacts:
    amount = _some(chance)
    part = (amount / 2).quantize(Decimal("0.01"))
    id_ = f"pay_{n}"
    status = chance.choice(list(PaymentStatus))
    taken = status in (
        PaymentStatus.CAPTURED,
        PaymentStatus.PROCESSING,
        PaymentStatus.REFUNDED,
        PaymentStatus.RETURNED,
    )
    refunded = {PaymentStatus.REFUNDED: amount, PaymentStatus.CAPTURED: chance.choice((ZERO, part))}
    payment = a_payment(
        id_,
        amount,
        status=status,
        captured=amount if taken else ZERO,
        refunded=refunded.get(status, ZERO),
    )
    if status in (PaymentStatus.UNKNOWN, PaymentStatus.DECLINED) and chance.random() < 0.5:
        return PaymentFacts(payment=payment.model_copy(update={"provider_id": None}))
    return charged(payment)


def _an_order(chance: Random, n: int) -> OrderFacts:
    total, is_cancelled = _some(chance), chance.random() < 0.2
    payment = a_payment(f"order{n}", total)
    spent = a_payment(f"tried{n}", total, status=PaymentStatus.DECLINED, captured=ZERO)
    back = payment.model_copy(update={"status": PaymentStatus.REFUNDED, "refunded": total})
    document = ErpOrder(reference=f"T-{n}", number=f"45{n}", is_cancelled=is_cancelled, total=total)
    return OrderFacts(
        id=f"order-{n}",
        token=f"token-{n}",
        number=f"T-{n}",
        partner_code=PARTNER,
        total=total,
        is_cancelled=is_cancelled,
        payments=(spent, back if is_cancelled else payment),
        document=document,
    )


def _a_purchase(chance: Random, n: int) -> PurchaseFacts:
    total = _some(chance)
    has_failed = chance.random() < 0.2
    payment = a_payment(f"plan{n}", total)
    back = payment.model_copy(update={"status": PaymentStatus.REFUNDED, "refunded": total})
    return PurchaseFacts(
        id=f"purchase-{n}",
        partner_code=PARTNER,
        payments=(back if has_failed else payment,),
        plans=0 if has_failed else chance.randint(1, 9),
        charged=ZERO if has_failed else total,
    )


def _a_document(chance: Random, n: int) -> DocumentFacts:
    version = chance.randint(1, 9)
    total = _some(chance)
    newer = chance.randint(0, 2)
    return DocumentFacts(
        kind=chance.choice(("invoice", "credit_memo")),
        number=f"INV-{n}",
        partner_code=PARTNER,
        version=version,
        total=total,
        mirrored=version + newer,
        mirrored_total=total if newer == 0 else _some(chance),
    )


def _an_invoice_payment(chance: Random, n: int) -> InvoicePaymentFacts:
    parts = tuple(_an_allocation(chance, f"ip{n}", k) for k in range(chance.randint(1, 12)))
    whole = sum((one.charged for one in parts), ZERO)
    back = sum((one.charged for one in parts if one.status is InvoiceStatus.REFUNDED), ZERO)
    payment = a_payment(
        f"inv{n}",
        whole,
        refunded=back,
        status=PaymentStatus.REFUNDED if back == whole else PaymentStatus.CAPTURED,
    )
    return InvoicePaymentFacts(
        id=f"ip{n}",
        partner_code=PARTNER,
        charged=whole,
        payments=(payment,),
        allocations=parts,
    )


def _an_allocation(chance: Random, payment_id: str, place: int) -> AllocationFacts:
    number = f"INV-{payment_id}-{place}"
    charge, memo, discount = _some(chance), chance.choice((ZERO, _some(chance))), _some(chance)
    status = chance.choice((InvoiceStatus.POSTED, InvoiceStatus.REFUNDED))
    posting = Posting(
        number=f"RCT-{place}",
        reference=f"{payment_id}:{number}",
        invoice_number=number,
        partner_code=PARTNER,
        amount=charge,
        discount=discount,
        from_memos=memo,
    )
    is_posted = status is InvoiceStatus.POSTED
    return AllocationFacts(
        invoice_number=number,
        charged=charge,
        discount=discount,
        applied=memo,
        from_memos=memo,
        status=status,
        postings=(posting,) if is_posted else (),
        noted=1 if is_posted else 0,
    )


def _a_memo(chance: Random, n: int) -> MemoFacts:
    total = _some(chance)
    applied = chance.choice((ZERO, total))
    return MemoFacts(
        number=f"CM-{n}",
        partner_code=PARTNER,
        total=total,
        applied=applied,
        entries=applied,
        posted=chance.choice((ZERO, applied)),
    )


def _a_balance(chance: Random, n: int) -> BalanceFacts:
    invoices = tuple(
        OpenInvoice(number=f"INV-{n}-{k}", amount=_some(chance))
        for k in range(chance.randint(0, 9))
    )
    credit = chance.choice((ZERO, _some(chance)))
    return BalanceFacts(
        partner_code=f"N{n}",
        balance=sum((one.amount for one in invoices), ZERO) - credit,
        open_there=invoices,
        open_here=invoices,
        credit=credit,
    )


def _some(chance: Random) -> Decimal:
    return Decimal(chance.randint(1, 2_000_000)) / 100
