"""Asks the ERP what a business owes where nothing is known of it yet: without that it could order nothing on TERMS."""

from datetime import UTC, datetime

import structlog

from api.platform.deps import Portal
from db.base import reading
from db.partners.businesses import keep_account, unheard_partner
from domain.errors import PortalError

log = structlog.stdlib.get_logger()


async def hear_of_credit(portal: Portal, code: str | None) -> None:
    """Does nothing for a business whose account was heard of before, or while the ERP does not answer. An account is
    refreshed where a business is looked at (`api/partners/partners.py`)."""
    if code is None:
        return
    async with reading(portal.sessions) as session:
        partner_id = await unheard_partner(session, code)
    if partner_id is None:
        return
    try:
        account = await portal.erp.account_of(code, datetime.now(UTC).date())
    except PortalError as error:
        log.warning("account was not heard of", partner_code=code, code=error.code)
        return
    async with portal.sessions.begin() as session:
        await keep_account(session, partner_id, account)
