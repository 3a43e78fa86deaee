"""What the checkout of a cart was filled in with, so far. The caller holds the lock of the cart."""

from typing import Any

from sqlalchemy import func, null, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.checkout.cart import CartRow
from domain.checkout.draft import DraftPayment, PostalAddress


async def write_po_number(session: AsyncSession, token: str, po_number: str | None) -> None:
    """None clears it."""
    await _write(session, token, po_number=po_number)


async def choose_billing_address(session: AsyncSession, token: str, address_id: str) -> None:
    """One of the business, in place of a typed one."""
    await _write(session, token, billing_address_id=address_id, billing_address=null())


async def write_billing_address(session: AsyncSession, token: str, address: PostalAddress) -> None:
    """A typed one, in place of one of the business."""
    await _write(
        session, token, billing_address_id=None, billing_address=address.model_dump(mode="json")
    )


async def write_payment(session: AsyncSession, token: str, payment: DraftPayment) -> None:
    await _write(session, token, payment=payment.model_dump(mode="json"))


async def write_coupon(session: AsyncSession, token: str, code: str | None) -> None:
    """None takes the entered one away."""
    await _write(session, token, coupon_code=code)


async def _write(session: AsyncSession, token: str, **values: Any) -> None:
    await session.execute(
        update(CartRow)
        .where(CartRow.token == token)
        .values(rev=CartRow.rev + 1, updated_at=func.now(), **values)
    )
