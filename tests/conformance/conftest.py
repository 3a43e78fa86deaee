"""`--all`, or WHOLE=1, walks every plan; without it, plans that together hold every pair of neighbouring steps, or every step."""

import pytest

from dev.testing import is_whole
from tests.drivers.stage import stage

__all__ = ["stage"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="conformance: every plan of every flow")


@pytest.fixture(scope="package")
def every_plan(pytestconfig: pytest.Config) -> bool:
    return is_whole() or bool(pytestconfig.getoption("all", default=False))
