"""Which saved methods may pay invoices."""

from urllib.parse import urlsplit

import pytest
from sqlalchemy import text, update

from api.billing.invoice_payments.paying import pay_by_of
from db.base import Sessions, make_engine, make_sessions
from db.billing.payment_methods import PaymentMethodRow
from dev.postgres import OWNER
from dev.servers import Servers
from domain.billing.invoice_payment import InvoicePaymentMethodRefused
from tests.billing.payments.factories import a_method
from tests.drivers.factories import a_partner


async def test_a_card_runs_out_by_the_clock_of_the_database(
    sessions: Sessions, servers: Servers, database_url: str
) -> None:
    code = await a_partner(sessions)
    method = await a_method(sessions, partner_code=code)
    owner = make_engine(
        servers.postgres().url(OWNER, urlsplit(database_url).path.removeprefix("/"))
    )
    async with make_sessions(owner)() as session:
        await session.execute(
            update(PaymentMethodRow)
            .where(PaymentMethodRow.id == method.id)
            .values(exp_year=2041, exp_month=3)
        )
        assert await pay_by_of(session, code, None, method.id, cards=True) is not None
        # The database's clock is years ahead of the process's, in this transaction alone.
        await session.execute(text("create schema ahead"))
        await session.execute(
            text(
                "create function ahead.clock_timestamp() returns timestamptz language sql"
                " as $$ select timestamptz '2041-04-01 00:30Z' $$"
            )
        )
        await session.execute(text("set local search_path = ahead, pg_catalog, public"))
        with pytest.raises(InvoicePaymentMethodRefused):
            await pay_by_of(session, code, None, method.id, cards=True)
        await session.rollback()
    await owner.dispose()
