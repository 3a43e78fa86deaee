"""What the fuzz run tries, as whom, and which refusals it takes for an answer."""

import re
import tomllib

from api.main import create_app
from dev.fuzz import PEOPLE, SHARES, turn_of
from dev.fuzz_refusals import BY_RULE, LENIENT, ROLES, expectations, operations_of, refusals
from dev.places import ROOT
from domain.identity.people import Role
from domain.identity.policy import POLICY
from settings import Settings

DOCUMENT = create_app(Settings(environment="test")).openapi()
OPERATIONS = operations_of(DOCUMENT)


def test_every_role_is_tried() -> None:
    assert set(ROLES) == set(PEOPLE)
    assert frozenset[Role]().union(*ROLES.values()) == frozenset(Role)


def test_a_quick_run_leaves_no_role_and_no_operation_out() -> None:
    turns = {person: turn_of(person, list(OPERATIONS)) for person in PEOPLE}
    assert {name for turn in turns.values() for name in turn} == set(OPERATIONS)
    assert all(turns.values())
    for person, turn in turns.items():
        assert all(ROLES[person] & POLICY[name].roles for name in turn), person
    is_open = {name for name, rule in POLICY.items() if Role.ANONYMOUS in rule.roles}
    assert set(turns["nobody"]) == is_open


def test_a_whole_run_goes_as_everybody_once_and_says_how_long_it_takes() -> None:
    assert sorted(person for share in SHARES for person in share) == sorted(PEOPLE)
    assert re.search(r"^fuzz:.* ## .*\d+ minutes", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_each_exception_is_of_an_operation_and_none_says_away() -> None:
    for status, names in BY_RULE.items():
        assert 400 <= status < 500
        assert names <= set(OPERATIONS)


def test_no_class_of_answers_is_expected() -> None:
    for person in PEOPLE:
        rules = tomllib.loads(expectations(person, OPERATIONS))["operations"]
        said = [rule["checks"].get("positive_data_acceptance", {}) for rule in rules]
        expected = [one["expected-statuses"] for one in said if one]
        assert len(expected) == len(OPERATIONS)
        assert not {"4xx", "5xx", "503"} & {status for one in expected for status in one}


def test_who_may_not_call_is_turned_away_and_nothing_else() -> None:
    for person, roles in ROLES.items():
        for name, operation in OPERATIONS.items():
            if not roles & POLICY[name].roles:
                assert refusals(person, operation) in ([400, 401], [400, 403])


def test_whoever_names_many_devices_may_have_to_wait_wherever_they_are_named() -> None:
    for name in ("send_device_command", "list_device_logs", "activate_device", "swap_device"):
        assert {409, 429} <= set(refusals("installer", OPERATIONS[name])), name
    assert 429 not in refusals("installer", OPERATIONS["list_my_devices"])


def test_what_does_not_fit_the_schema_is_accepted_of_reads_alone_and_else_refused_as_such() -> None:
    assert set(OPERATIONS) >= LENIENT
    assert all(OPERATIONS[name].is_lenient for name in (*LENIENT, "list_cards"))
    assert not OPERATIONS["register"].is_lenient
    for person in PEOPLE:
        rules = tomllib.loads(expectations(person, OPERATIONS))["operations"]
        for rule in rules:
            operation = OPERATIONS[rule["include-operation-id"]]
            expected = set(rule["checks"]["negative_data_rejection"]["expected-statuses"])
            assert ("2xx" in expected) == operation.is_lenient
            by_rule = set(map(str, refusals(person, operation)))
            nowhere = {"404"} if "{" in operation.path else set[str]()
            assert expected - {"2xx"} == by_rule | {"400", "413", "422"} | nowhere


def test_each_list_that_reads_by_a_body_gives_way_to_the_usual_limit() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    bodies = {
        operation["operationId"]: operation["requestBody"]["content"].get("application/json", {})
        for methods in DOCUMENT["paths"].values()
        for operation in methods.values()
        if "requestBody" in operation
    }
    named = {
        name: body.get("schema", {}).get("$ref", "").rpartition("/")[2]
        for name, body in bodies.items()
    }
    lists = {
        name
        for name, body in named.items()
        if "limit" in schemas.get(body, {}).get("properties", {})
    }
    assert lists == LENIENT


def test_a_misfit_is_no_conflict_and_nothing_missing_where_no_rule_says_so() -> None:
    (rule,) = tomllib.loads(expectations("nobody", {"register": OPERATIONS["register"]}))[
        "operations"
    ]
    expected = rule["checks"]["negative_data_rejection"]["expected-statuses"]
    assert not {"401", "403", "404", "405", "409", "415", "428"} & set(expected)
