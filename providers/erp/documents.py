"""The ERP's feed of invoices and credit memos: what changed since a cursor."""

from typing import Any

import httpx
import structlog
from pydantic import BaseModel, ValidationError

from domain.billing.invoices.documents import CreditMemo, Invoice
from domain.billing.invoices.events import Feed
from providers.erp.wire import wire_of

BATCH = 100

log = structlog.stdlib.get_logger()


class Changed(BaseModel):
    """A document as the ERP tells it."""

    kind: str
    document: dict[str, Any]


class _Page(BaseModel):
    results: list[Changed]
    cursor: str
    has_more: bool


class ErpDocuments:
    """Raises Unavailable without a usable answer."""

    def __init__(
        self, client: httpx.AsyncClient, *, base_url: str, seconds: float = 7.0, at_once: int = 4
    ) -> None:
        self._wire = wire_of(client, base_url, seconds=seconds, at_once=at_once)

    async def changed_since(self, cursor: str) -> Feed:
        """The next documents after `cursor`, empty for the first ones. One that cannot be read is passed over, so that
        the others do not wait behind it."""
        answer = await self._wire.call(
            "documents", "GET", "/documents", params={"after": cursor, "limit": BATCH}
        )
        try:
            page = _Page.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable("documents", error) from None
        read = [document for one in page.results if (document := document_of(one)) is not None]
        return Feed(
            invoices=tuple(one for one in read if isinstance(one, Invoice)),
            credit_memos=tuple(one for one in read if isinstance(one, CreditMemo)),
            cursor=page.cursor,
            has_more=page.has_more,
        )


def document_of(told: Changed) -> Invoice | CreditMemo | None:
    """None for one that cannot be read."""
    shape = {"invoice": Invoice, "credit_memo": CreditMemo}.get(told.kind)
    try:
        return shape.model_validate(told.document) if shape else None
    except ValidationError as error:
        number = str(told.document.get("number"))
        log.error("a document is unreadable", number=number, faults=error.error_count())
        return None
