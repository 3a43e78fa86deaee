"""What `make test` tries of many that only differ: every nth; `make test-all` tries all."""

from collections.abc import Iterable
from typing import TypeVar

from dev.testing import is_whole

T = TypeVar("T")


def sampled(many: Iterable[T], every: int) -> list[T]:
    """Every nth, the first among them; all with WHOLE=1."""
    return list(many)[:: 1 if is_whole() else every]
