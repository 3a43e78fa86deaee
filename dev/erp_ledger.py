"""Gives the ERP's stand-in the demo data as the mirror has it: invoices and credit memos, the limits of their businesses,
articles and businesses: `python -m dev.erp_ledger`. What it has already stays as it is there."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import httpx

from db.base import make_engine, make_sessions
from db.demo.invoices.documents import Documents, credit_limits
from db.demo.invoices.load import demo_documents_of
from dev.erp_master_data import fill_master_data
from domain.billing.invoices.documents import CreditMemo, Invoice
from settings import Settings

AT_ONCE = 500


async def fill(documents: Documents, client: httpx.AsyncClient) -> int:
    """Answers how many documents were new there. `client` knows the stand-in's address."""
    taken = 0
    whole: Sequence[Invoice | CreditMemo] = (*documents.invoices, *documents.memos)
    for some in _parts(whole):
        answer = await client.post("/erp/_ledger_of_documents", json={"documents": some})
        taken += answer.raise_for_status().json()["taken"]
    limits = credit_limits(documents)
    if taken and limits:
        accounts = [
            {"code": code, "credit_limit": float(limit), "is_bare": True}
            for code, limit in limits.items()
        ]
        (await client.post("/erp/_controls", json=accounts)).raise_for_status()
    return taken


def _parts(documents: Sequence[Invoice | CreditMemo]) -> Iterator[list[dict[str, Any]]]:
    rest = iter(documents)
    while some := list(islice(rest, AT_ONCE)):
        yield [
            {
                "kind": "invoice" if isinstance(one, Invoice) else "credit_memo",
                "document": one.model_dump(mode="json", exclude={"balance"}),
            }
            for one in some
        ]


async def _main() -> None:
    settings = Settings()
    engine = make_engine(settings.migrations_database_url, is_limited=False)
    async with (
        make_sessions(engine)() as session,
        httpx.AsyncClient(base_url=settings.simulators_url, timeout=20, trust_env=False) as client,
    ):
        documents = await demo_documents_of(session)
        if documents.invoices:
            await fill(documents, client)
        await fill_master_data(session, client)
    await engine.dispose()


if __name__ == "__main__":
    asyncio.run(_main())
