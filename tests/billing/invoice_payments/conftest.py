"""A whole portal whose payments of invoices wait seconds instead of minutes."""

from collections.abc import AsyncGenerator

import pytest
from temporalio.client import Client

from db.base import Sessions
from tests.billing.invoice_payments.runs import PATIENT
from tests.drivers.database.own_database import database_url, sessions
from tests.drivers.whole_portal import Whole, a_whole_portal

__all__ = ["database_url", "sessions"]


@pytest.fixture(scope="package")
async def whole(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Whole]:
    folder = tmp_path_factory.mktemp("invoice-payments")
    async with a_whole_portal(
        temporal,
        temporal_address,
        sessions,
        database_url,
        folder,
        policy_invoice_payment=PATIENT.model_dump(mode="json"),
    ) as here:
        yield here
