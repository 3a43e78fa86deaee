"""The portal of these tests."""

from tests.drivers.whole_portal import whole

__all__ = ["whole"]
