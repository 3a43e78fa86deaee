"""Where a business has its goods and bills sent, and how: its addresses and the methods that go there."""

from sqlalchemy import bindparam, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.checkout.cart import ShippingMethodRow
from db.partner_tables import PartnerAddressRow, PartnerRow
from domain.orders.shipping import ShippingMethod, offered
from domain.partners.partners import Address

MOST_METHODS = 50
MOST_ADDRESSES = 200


_METHODS = (
    select(ShippingMethodRow)
    .join(PartnerRow, PartnerRow.sap_bp_code == bindparam("code"))
    .where(
        PartnerRow.country == func.any(ShippingMethodRow.countries),
        or_(
            ShippingMethodRow.partner_code.is_(None),
            ShippingMethodRow.partner_code == bindparam("code"),
        ),
    )
    .order_by(ShippingMethodRow.position, ShippingMethodRow.id)
    .limit(MOST_METHODS)
)
_ADDRESSES = (
    select(PartnerAddressRow)
    .join(PartnerRow, PartnerRow.id == PartnerAddressRow.partner_id)
    .where(PartnerRow.sap_bp_code == bindparam("code"))
    .order_by(PartnerAddressRow.kind, PartnerAddressRow.is_default.desc(), PartnerAddressRow.id)
    .limit(MOST_ADDRESSES)
)


async def methods_for(session: AsyncSession, partner_code: str) -> tuple[ShippingMethod, ...]:
    """The methods that go to the country of the business, and those agreed with it, without the hidden one."""
    rows = await session.scalars(_METHODS, {"code": partner_code})
    return offered(
        [
            ShippingMethod(
                id=row.id,
                name=row.name,
                price=row.price,
                free_from=row.free_from,
                is_pick_up=row.is_pick_up,
            )
            for row in rows
        ]
    )


async def addresses_of(session: AsyncSession, partner_code: str) -> tuple[Address, ...]:
    """Where the business has goods and bills sent; of each kind the default first."""
    rows = await session.scalars(_ADDRESSES, {"code": partner_code})
    return tuple(Address.model_validate(row, from_attributes=True) for row in rows)
