"""Rows of a quick order go into the cart, each with its verdict."""

from decimal import Decimal
from typing import Any

from fastapi import Response
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from api.catalogue.answers import Pricing, pricing_out
from api.checkout.cart_changes import (
    Made,
    cart_response,
    made_in,
    present_cart,
    recording_refusals,
    repeat_of,
)
from api.platform.deps import Portal
from db.catalogue.viewers import find_viewer
from db.checkout.cart_lines import add_pieces, count_pieces, pieces_in
from db.checkout.skus import articles_by_skus
from db.operations.audit import record_by
from domain.card_numbers import masked
from domain.catalogue.pricing import Viewer
from domain.checkout.quick_order import CheckedRow, Row, Verdict, judge, wanted_of
from domain.identity.people import Actor
from domain.money import Money


class CheckedRowOut(BaseModel):
    """`row` is the line in what was sent. `pieces` are added for it, those of rows merged into it included. `case_quantity`
    is told where the pieces do not fill cases, `later` are the pieces that are not on hand."""

    row: int
    sku: str
    quantity: str
    verdict: Verdict
    pieces: int
    merged_into: int | None
    is_alias: bool
    found_sku: str | None
    product_id: str | None
    name: str | None
    case_quantity: int | None
    later: int
    pricing: Pricing | None
    total: Money | None


class QuickOrder(BaseModel):
    """Every row that was sent, in its order. `ready` of them can be added, or were; `total` is their price."""

    rows: list[CheckedRowOut]
    ready: int
    merged: int
    refused: int
    pieces: int
    total: Money


class Added(QuickOrder):
    """`token` is the cart that the rows are in now, `quantity` the pieces that it holds."""

    token: str
    quantity: int


async def add_rows(
    portal: Portal,
    actor: Actor,
    key: str | None,
    name: str,
    body: BaseModel,
    given: tuple[Row, ...],
    happened: str,
) -> Response:
    """Adds what can be added of these rows to the caller's present cart, and answers a verdict for each. `name` is the
    operation, `body` what a repeat must have in common with the first, `happened` what the audit says."""
    async with recording_refusals(portal, actor, name), portal.sessions.begin() as session:
        held = await present_cart(session, actor)
        viewer = await find_viewer(session, actor)
        made = made_in(held, name, body)
        repeated = await repeat_of(session, actor, key, made, formerly=Made(name, body))
        present = {} if repeated else await pieces_in(session, held.token)
        judged = await judged_rows(session, viewer, given, present)
        wanted = wanted_of(judged)
        if wanted and not repeated:
            await add_pieces(session, held.token, wanted)
            counts = {"rows": len(given), "lines": len(wanted), "pieces": sum(wanted.values())}
            await record_by(session, actor, happened, on=("cart", held.token), more=counts)
        answer = Added.model_construct(
            **summary_of(judged),
            token=held.token,
            quantity=await count_pieces(session, held.token),
        )
    return cart_response(answer, repeated=repeated)


async def judged_rows(
    session: AsyncSession, viewer: Viewer, rows: tuple[Row, ...], present: dict[str, int]
) -> tuple[CheckedRow, ...]:
    """All articles are found at once."""
    found = await articles_by_skus(session, viewer, [row.sku for row in rows if row.sku])
    return judge(rows, found, present)


def summary_of(judged: tuple[CheckedRow, ...]) -> dict[str, Any]:
    ready = [one for one in judged if one.verdict is Verdict.READY]
    merged = sum(one.verdict is Verdict.MERGED for one in judged)
    rows = [_row(one) for one in judged]
    return {
        "rows": rows,
        "ready": len(ready),
        "merged": merged,
        "refused": len(judged) - len(ready) - merged,
        "pieces": sum(one.pieces for one in ready),
        "total": sum((row.total or Decimal(0) for row in rows), Decimal(0)),
    }


def _row(one: CheckedRow) -> CheckedRowOut:
    sellable = one.sellable
    amount = sellable.figure.amount if sellable else None
    is_added = one.verdict is Verdict.READY and amount is not None
    return CheckedRowOut.model_construct(
        row=one.row.number,
        sku=one.row.sku if sellable else masked(one.row.sku),
        quantity=masked(one.row.quantity),
        verdict=one.verdict,
        pieces=one.pieces,
        merged_into=one.merged_into,
        is_alias=one.is_alias,
        found_sku=sellable.sku if sellable else None,
        product_id=sellable.product_id if sellable else None,
        name=sellable.name if sellable else None,
        case_quantity=one.case_quantity,
        later=one.later,
        pricing=pricing_out(sellable.figure) if sellable else None,
        total=amount * one.pieces if is_added and amount is not None else None,
    )
