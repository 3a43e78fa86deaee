"""What the ERP tells of its documents: each time the whole document, so that any order of events ends the same."""

from typing import Annotated, Literal

from pydantic import Field

from domain.base import Frozen, Utc
from domain.billing.invoices.documents import CreditMemo, Invoice, Short


class _Event(Frozen):
    """`id` names the event for good: the same again is the same."""

    id: Short
    at: Utc


class InvoiceChanged(_Event):
    type: Literal["invoice.changed"] = "invoice.changed"
    document: Invoice


class CreditMemoChanged(_Event):
    type: Literal["credit_memo.changed"] = "credit_memo.changed"
    document: CreditMemo


DocumentEvent = Annotated[InvoiceChanged | CreditMemoChanged, Field(discriminator="type")]


class Feed(Frozen):
    """A page of what changed at the ERP; `cursor` is where the next one begins."""

    invoices: tuple[Invoice, ...] = ()
    credit_memos: tuple[CreditMemo, ...] = ()
    cursor: str
    has_more: bool
