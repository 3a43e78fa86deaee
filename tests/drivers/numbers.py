"""Numbers of a run's own: its parts share one Temporal and one account of each kind at the stand-ins."""

from collections.abc import Iterator

from dev.servers import Servers

AT_ONCE = 100


def _numbers() -> Iterator[int]:
    while True:
        yield from Servers().numbers(AT_ONCE)


_drawn = _numbers()


def a_count() -> int:
    """From 1 on; no other process of the run is given it."""
    return next(_drawn)


def a_phone_number() -> str:
    """Of Vancouver. Its last digits are none that the stand-in takes for a fault."""
    return f"+1604{a_count() % 10**6:06d}9"


def an_account_number(first: str = "1") -> str:
    """Of a bank account whose deposits end as its last digits say: 67 and 89 cents. One whose deposit holds a code begins
    with 5, at the card provider."""
    return f"{first}{a_count() % 10**6:06d}6789"
