"""The whole portal for the tests of bank accounts, and what stands behind its API."""

import pytest

from tests.drivers.stage import Stage
from tests.drivers.whole_portal import Whole, whole

__all__ = ["stage", "whole"]


@pytest.fixture(scope="package")
async def stage(whole: Whole) -> Stage:
    return whole.stage
