"""The rules of device calls and option tables, without anything outside."""

import pytest

from domain.activation import ActivationView
from domain.device_calls import (
    STEPS,
    CommandNotSupported,
    DeviceCall,
    check_command,
    refusal_within,
)
from domain.devices import (
    ACTING_COMMANDS,
    CONFIGURATION_COMMANDS,
    FAMILY,
    QUERY_COMMANDS,
    TESTING_COMMANDS,
    Family,
    Product,
)
from domain.option_tables import (
    Choice,
    OptionTable,
    OptionTables,
    Row,
    RowKind,
    Section,
    check_changes,
    digest_of,
    within_spec,
)


def a_view(step: str, phase: str = "ready", commands: tuple[str, ...] = ()) -> ActivationView:
    """Of a view the rules read three fields."""
    return ActivationView.model_construct(step=step, phase=phase, commands=commands)


def a_table(*rows: Row, controller: str = "CM7300") -> OptionTables:
    values = {row.key: row.default for row in rows}
    return OptionTables(
        table=OptionTable.CONTROLLER,
        controller=controller,
        sections=(Section(title="All", rows=rows),),
        values=values,
        digest=digest_of(values),
    )


def a_row(key: str, kind: RowKind = RowKind.SECONDS, **given: object) -> Row:
    return Row.model_validate({"key": key, "label": key, "kind": kind, "default": 1, **given})


@pytest.mark.parametrize("call", [call for call in DeviceCall if call is not DeviceCall.COMMAND])
def test_a_change_belongs_to_its_step(call: DeviceCall) -> None:
    for step in STEPS[call]:
        assert refusal_within(a_view(step), call) is None
    assert refusal_within(a_view("power-on-device"), call) == "step_out_of_order"


@pytest.mark.parametrize("phase", ["busy", "waiting", "checking"])
@pytest.mark.parametrize("call", DeviceCall)
def test_nothing_is_changed_while_the_run_is_busy(call: DeviceCall, phase: str) -> None:
    view = a_view(next(iter(STEPS.get(call, {"device-testing"}))), phase, ("location",))
    assert refusal_within(view, call, "location") == "command_in_progress"


def test_queries_may_be_sent_in_any_step_and_others_where_the_step_sends_them() -> None:
    testing = a_view("device-testing", commands=("arm", "location"))
    for query in QUERY_COMMANDS:
        assert refusal_within(a_view("set-vehicle-details"), DeviceCall.COMMAND, query) is None
    assert refusal_within(testing, DeviceCall.COMMAND, "arm") is None
    assert refusal_within(testing, DeviceCall.COMMAND, "trunk") == "step_out_of_order"


@pytest.mark.parametrize("product", Product)
def test_each_product_takes_its_own_commands(product: Product) -> None:
    family = FAMILY[product]
    expected = set(QUERY_COMMANDS)
    if family is not Family.DR:
        expected |= set(TESTING_COMMANDS) - ({"erase_device"} if family is not Family.X1 else set())
    if family in (Family.DR, Family.XC):
        expected |= set(CONFIGURATION_COMMANDS)
    for command in {*TESTING_COMMANDS, *CONFIGURATION_COMMANDS, *QUERY_COMMANDS, "update_firmware"}:
        if command in expected:
            check_command(product, command)
        else:
            with pytest.raises(CommandNotSupported):
                check_command(product, command)


def test_no_query_moves_a_car() -> None:
    assert not QUERY_COMMANDS & ACTING_COMMANDS


def test_bounds_of_the_network_are_held_to_those_of_the_portal() -> None:
    runtimes = tuple(Choice(value=v, label=str(v)) for v in (3, 10, 15, 25, 45, 60))
    table = within_spec(
        a_table(
            a_row("runtime", RowKind.CHOICE, choices=runtimes),
            a_row("pulse", RowKind.CHOICE, choices=runtimes),
            a_row("kl_runtime", RowKind.NUMBER, minimum=1, maximum=90),
            a_row("siren", RowKind.SECONDS, minimum=0, maximum=500),
            a_row("dome", RowKind.SECONDS, minimum=5, maximum=20),
            a_row("turbo", RowKind.MINUTES),
            a_row("pad", RowKind.NUMBER, minimum=1, maximum=5),
        )
    )
    rows = table.rows
    assert [choice.value for choice in rows["runtime"].choices] == [3, 15, 25, 45]
    assert len(rows["pulse"].choices) == 6
    bounds = {key: (row.minimum, row.maximum) for key, row in rows.items()}
    assert bounds["kl_runtime"] == (3, 45)
    assert bounds["siren"] == (1, 99)
    assert bounds["dome"] == (5, 20)
    assert bounds["turbo"] == (1, 15)
    assert bounds["pad"] == (1, 5)


def test_every_fault_of_the_changes_is_told() -> None:
    table = a_table(a_row("one", minimum=1, maximum=9), a_row("two", minimum=1, maximum=9))
    assert check_changes(table, {"one": 9, "two": 1}) == []
    assert check_changes(table, {"one": 0, "three": 1}) == [
        ("one", "Must be at least 1"),
        ("three", "This option does not exist."),
    ]


def test_a_digest_names_the_values_and_not_their_order() -> None:
    assert digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})
    assert digest_of({"a": 1, "b": 2}) != digest_of({"a": 12, "b": 2})
    assert digest_of({"a": 1}) != digest_of({"a": 2})
