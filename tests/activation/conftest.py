"""The stage of the activation's tests."""

from tests.drivers.stage import stage
from tests.drivers.whole_portal import whole

__all__ = ["stage", "whole"]
