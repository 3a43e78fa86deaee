"""The portal of these tests, behind a real socket: streams need one."""

from collections.abc import AsyncGenerator

import pytest

from tests.drivers.portal import serving
from tests.drivers.whole_portal import Whole, whole

__all__ = ["whole"]


@pytest.fixture(scope="package")
async def address(whole: Whole) -> AsyncGenerator[str]:
    async with serving(whole.app) as served:
        yield served
