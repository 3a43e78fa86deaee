"""Asks the ERP what a business owes before anything is ordered: credit is judged by an account of this minute (rulings
"Later rulings")."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.deps import Portal
from db.base import reading
from db.partner_tables import site_of
from db.partners.businesses import id_of_stale_account, save_account
from db.platform.clock import database_now
from domain.checkout.quote import CREDIT_FRESH_FOR
from domain.errors import PortalError

ASK_AFTER = CREDIT_FRESH_FOR / 2
"""So that it is fresh still when the order is judged."""

log = structlog.stdlib.get_logger()


async def refresh_credit(portal: Portal, code: str | None) -> None:
    """Does nothing for a business whose account was mirrored just now, or while the ERP does not answer: then nothing can
    be ordered on TERMS once the last account has grown old (`db/checkout/credit.py`)."""
    if code is None:
        return
    async with reading(portal.sessions) as session:
        partner_id = await id_of_stale_account(session, code, ASK_AFTER)
        if partner_id is None:
            return
        now = await database_now(session)
        today = await day_at(session, code, now)
    try:
        account = await portal.erp.account_of(code, today)
    except PortalError as error:
        log.warning("account was not heard of", partner_code=code, code=error.code)
        return
    async with portal.sessions.begin() as session:
        await save_account(session, partner_id, account, now)


async def day_at(session: AsyncSession, code: str, now: datetime) -> date:
    """By which the invoices of a business are past due: the day of its site."""
    site = await site_of(session, code)
    return now.astimezone(ZoneInfo(site.time_zone)).date()
