"""Vehicles: how one is chosen (devices spec 4 and 5)."""

from domain.base import Frozen

FIRST_YEAR = 1940
"""The year list runs from next year down to this one (devices spec 9)."""


class Choice(Frozen):
    """One entry of a list of makes or models."""

    id: int
    name: str
