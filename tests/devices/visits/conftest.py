"""The portal of these tests."""

from tests.drivers.database.own_database import database_url, sessions
from tests.drivers.whole_portal import whole

__all__ = ["database_url", "sessions", "whole"]
