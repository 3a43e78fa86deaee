"""What the fuzz run tries, as whom, and which refusals it takes for an answer."""

import re

from api.main import create_app
from dev.fuzz import PEOPLE, operations_of, turn_of
from dev.places import ROOT
from settings import Settings

OPERATIONS = operations_of(create_app(Settings(environment="test")).openapi())


def test_a_quick_run_leaves_no_kind_of_person_and_no_operation_out() -> None:
    turns = {person: turn_of(person, OPERATIONS) for person in PEOPLE}
    shares = [name for turn in turns.values() for name in turn]
    assert sorted(shares) == sorted(OPERATIONS)
    assert [person for person, turn in turns.items() if not turn] == ["owner", "nobody"]


def test_nobody_is_told_that_something_is_away() -> None:
    assert not re.search(r"\"(4xx|5xx|5\d\d)\"", (ROOT / "dev/fuzz.toml").read_text())
