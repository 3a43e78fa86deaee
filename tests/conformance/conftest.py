"""`--all` walks every plan; without it, plans that together hold every pair of neighbouring steps."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="conformance: every plan of every flow")


@pytest.fixture(scope="session")
def every_plan(pytestconfig: pytest.Config) -> bool:
    return bool(pytestconfig.getoption("all", default=False))
