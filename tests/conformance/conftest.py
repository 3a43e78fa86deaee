"""With WHOLE=1 every plan is walked; else plans that together hold every pair of neighbouring steps, or every step."""

import pytest

from dev.testing import is_whole
from tests.drivers.stage import stage

__all__ = ["stage"]


@pytest.fixture(scope="package")
def every_plan() -> bool:
    return is_whole()
