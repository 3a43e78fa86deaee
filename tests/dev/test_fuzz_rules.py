"""What the fuzz run tries, as whom, and which refusals it takes for an answer."""

import re

from api.main import create_app
from dev.fuzz import PEOPLE, turn_of
from dev.fuzz_refusals import BY_RULE, ROLES, expectations, operations_of, refusals
from dev.places import ROOT
from domain.identity.people import Role
from domain.identity.policy import POLICY
from settings import Settings

OPERATIONS = operations_of(create_app(Settings(environment="test")).openapi())


def test_every_role_is_tried() -> None:
    assert set(ROLES) == set(PEOPLE)
    assert frozenset[Role]().union(*ROLES.values()) == frozenset(Role)


def test_a_quick_run_leaves_no_role_and_no_operation_out() -> None:
    turns = {person: turn_of(person, list(OPERATIONS)) for person in PEOPLE}
    shares = [name for person, turn in turns.items() for name in turn]
    assert sorted(shares) == sorted(OPERATIONS)
    assert [person for person, turn in turns.items() if not turn] == ["owner", "nobody"]


def test_each_exception_is_of_an_operation_and_none_says_away() -> None:
    for status, names in BY_RULE.items():
        assert 400 <= status < 500
        assert names <= set(OPERATIONS)


def test_no_class_of_answers_is_expected() -> None:
    for person in PEOPLE:
        said = expectations(person, OPERATIONS)
        assert not re.search(r"503|[45]xx", said)
        assert said.count("include-operation-id") == len(OPERATIONS)


def test_who_may_not_call_is_turned_away_and_nothing_else() -> None:
    for person, roles in ROLES.items():
        for name, path in OPERATIONS.items():
            if not roles & POLICY[name].roles:
                assert refusals(person, name, path) in ([400, 401], [400, 403])


def test_what_does_not_fit_the_schema_is_never_accepted_nor_a_fault() -> None:
    said = (ROOT / "dev/fuzz.toml").read_text()
    assert not re.search(r'"(2xx|3xx|5xx|503)"', said.partition("negative_data_rejection")[2])
