"""What the two sides say, as far as it is compared. Each group holds everything that concerns one thing."""

from domain.base import Frozen, Utc
from domain.billing.invoice_payment import InvoiceStatus
from domain.billing.payments import GOOD, NOTHING, PROMISES, PaymentStatus, PaymentType
from domain.billing.reconciliation.differences import About
from domain.money import Money


class Charge(Frozen):
    """A charge at a payment provider. `payment_id` is our id, as the provider keeps it."""

    id: str
    provider: str
    payment_id: str | None
    status: PaymentStatus
    captured: Money = NOTHING
    refunded: Money = NOTHING
    amount: Money
    currency: str = "USD"
    customer: str | None = None
    is_disputed: bool = False

    @property
    def kept(self) -> Money:
        """What stands with us, or is held for us."""
        if self.status is PaymentStatus.AUTHORISED:
            return self.amount
        if self.status in (PaymentStatus.RETURNED, PaymentStatus.VOIDED):
            return NOTHING
        return self.captured - self.refunded


class OwnPayment(Frozen):
    """A payment as we keep it. `is_running` while its run is open, `is_dispute_known` where a chargeback of it is known."""

    id: str
    provider_id: str | None = None
    about: tuple[About, ...] = ()
    partner_code: str
    type: PaymentType
    amount: Money
    currency: str = "USD"
    customer: str | None = None
    status: PaymentStatus
    captured: Money = NOTHING
    refunded: Money = NOTHING
    is_running: bool = False
    is_dispute_known: bool = False

    @property
    def kept(self) -> Money:
        if self.status is PaymentStatus.RETURNED:
            return NOTHING
        return self.captured - self.refunded

    @property
    def is_live(self) -> bool:
        return self.kept > 0 or self.status in GOOD

    @property
    def is_promise(self) -> bool:
        """Orders from before decision 80 kept one."""
        return self.type in PROMISES


class PaymentFacts(Frozen):
    """A payment, and every charge that names it or that it names."""

    payment: OwnPayment
    charges: tuple[Charge, ...] = ()


class ErpOrder(Frozen):
    """An order as the ERP has it. `reference` is our number of it, `withdrawn`
    are its shipments that will not be sent."""

    reference: str
    number: str
    is_cancelled: bool = False
    total: Money
    withdrawn: tuple[str, ...] = ()


class OrderFacts(Frozen):
    """An order that a run of ours made, its payments and its document. One on TERMS or COD is promised: it needs no
    payment. `withdrawn` are the shipments of which we know that they will not be sent."""

    id: str
    token: str
    number: str
    partner_code: str
    total: Money
    is_cancelled: bool
    is_running: bool = False
    has_case: bool = False
    is_promised: bool = False
    withdrawn: frozenset[str] = frozenset()
    payments: tuple[OwnPayment, ...] = ()
    document: ErpOrder | None = None


class PurchaseFacts(Frozen):
    """A purchase of plans: what was paid, and the plans that name it. `charged` is its receipt's charge less what went
    back."""

    id: str
    partner_code: str | None
    is_running: bool = False
    has_case: bool = False
    payments: tuple[OwnPayment, ...] = ()
    plans: int = 0
    charged: Money | None = None


class DocumentFacts(Frozen):
    """A document of the ERP, and the version of it that is mirrored."""

    kind: str
    number: str
    partner_code: str
    version: int
    total: Money
    mirrored: int | None = None
    mirrored_total: Money | None = None


class Posting(Frozen):
    """A payment in the ERP's books, by our reference of it."""

    number: str
    reference: str
    invoice_number: str
    partner_code: str
    amount: Money
    discount: Money = NOTHING
    from_memos: Money = NOTHING


class AllocationFacts(Frozen):
    """What one invoice got. `noted` is how often the invoice itself names this posting."""

    invoice_number: str
    charged: Money
    discount: Money
    applied: Money
    from_memos: Money
    status: InvoiceStatus
    postings: tuple[Posting, ...] = ()
    noted: int = 0


class InvoicePaymentFacts(Frozen):
    id: str
    partner_code: str
    charged: Money
    is_running: bool = False
    has_case: bool = False
    payments: tuple[OwnPayment, ...] = ()
    allocations: tuple[AllocationFacts, ...]


class MemoFacts(Frozen):
    """A credit memo, what its entries come to, and what our payments have applied of it."""

    number: str
    partner_code: str
    total: Money
    applied: Money
    entries: Money = NOTHING
    posted: Money = NOTHING


class OpenInvoice(Frozen):
    number: str
    amount: Money


class BalanceFacts(Frozen):
    """What a business owes by the ERP's own figure, by the invoices that it names, and by those that are mirrored. `credit` is
    what is left of its memos."""

    partner_code: str
    balance: Money
    open_there: tuple[OpenInvoice, ...] = ()
    open_here: tuple[OpenInvoice, ...] = ()
    credit: Money = NOTHING


class Look(Frozen):
    """How far a round looks back, and since when nothing may have moved for it to be compared."""

    since: Utc
    until: Utc
