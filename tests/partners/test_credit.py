"""What a business owes is asked before it orders, unless it was heard of just now."""

from datetime import timedelta
from decimal import Decimal

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select, update

from api.partners.credit import refresh_credit
from db.base import Sessions
from db.partner_tables import PartnerRow
from tests.drivers.factories import an_owner
from tests.partners.test_details_api import set_account


@pytest.mark.parametrize(("seconds", "owed"), [(10, "10.00"), (31, "77.50"), (None, "77.50")])
async def test_an_account_is_asked_for_when_it_is_not_of_this_moment(
    portal: FastAPI, sessions: Sessions, erp: FastAPI, seconds: int | None, owed: str
) -> None:
    code = (await an_owner(sessions)).partner_code or ""
    await set_account(erp, code, balance=77.5, credit_limit=900)
    heard = None if seconds is None else func.now() - timedelta(seconds=seconds)
    async with sessions.begin() as session:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == code)
            .values(account_balance=10, credit_limit=500, mirrored_at=heard)
        )
    await refresh_credit(portal.state.portal, code)
    async with sessions() as session:
        found = await session.scalar(
            select(PartnerRow.account_balance).where(PartnerRow.sap_bp_code == code)
        )
    assert found == Decimal(owed)
