"""What finished activations of the same vehicle and product wrote into an option table most."""

from collections.abc import Sequence

from domain.base import Frozen

FEWEST_ACTIVATIONS, FEWEST_DEALERS = 5, 3
"""A value that fewer used is nobody's custom, and might tell whose it is."""


class OptionTally(Frozen):
    """How many activations, of how many dealers, wrote this value of a row."""

    key: str
    value: int
    used: int
    dealers: int


class OptionSuggestion(Frozen):
    """`used` of `finished` activations wrote this value."""

    key: str
    value: int
    used: int
    finished: int


def suggestions_from(tallies: Sequence[OptionTally], finished: int) -> tuple[OptionSuggestion, ...]:
    """For each row the value that most used, if that is more than half of all and of enough activations and dealers."""
    return tuple(
        OptionSuggestion(key=one.key, value=one.value, used=one.used, finished=finished)
        for one in sorted(tallies, key=lambda tally: tally.key)
        if one.used >= FEWEST_ACTIVATIONS
        and one.dealers >= FEWEST_DEALERS
        and one.used * 2 > finished
    )
