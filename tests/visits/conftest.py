"""The portal of these tests."""

from tests.whole_portal import whole

__all__ = ["whole"]
