"""The rules of device calls, option tables and ownership, without anything outside."""

from typing import Any

import pytest

from domain.activation.activation import ActivationView
from domain.activation.device_calls import (
    STEPS,
    CommandNotSupported,
    DeviceCall,
    check_command,
    refusal_within,
)
from domain.card_numbers import masked
from domain.devices.devices import (
    ACTING_COMMANDS,
    CONFIGURATION_COMMANDS,
    FAMILY,
    QUERY_COMMANDS,
    TESTING_COMMANDS,
    Family,
    Product,
)
from domain.devices.option_tables import (
    OptionChoice,
    OptionTable,
    OptionTables,
    Row,
    RowKind,
    Section,
    check_changes,
    check_value,
    digest_of,
    within_spec,
)
from domain.devices.ownership import (
    Asker,
    DeviceFacts,
    LiveRun,
    Ownership,
    Party,
    asker_of,
    asker_of_run,
    is_paid_by_another,
    owner_of,
    whose_device,
)
from domain.identity.people import (
    ADMIN_ACCESS,
    INSIDE_REP_GROUP,
    OUTSIDE_REP_GROUP,
    Actor,
    Site,
    User,
)


def a_view(step: str, phase: str = "ready", commands: tuple[str, ...] = ()) -> ActivationView:
    """Of a view the rules read three fields."""
    return ActivationView.model_construct(step=step, phase=phase, commands=commands)


def a_table(*rows: Row, controller: str | None = "CM7300") -> OptionTables:
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
    runtimes = tuple(OptionChoice(value=v, label=str(v)) for v in (3, 10, 15, 25, 45, 60))
    table = within_spec(
        a_table(
            a_row("runtime", RowKind.CHOICE, choices=runtimes),
            a_row("pulse", RowKind.CHOICE, choices=runtimes),
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
    assert bounds["siren"] == (1, 99)
    assert bounds["dome"] == (5, 20)
    assert bounds["turbo"] == (1, 15)
    assert bounds["pad"] == (1, 5)


OFFERED = tuple(OptionChoice(value=v, label=f"{v} min") for v in (2, 3, 10, 15, 25, 45, 60))


@pytest.mark.parametrize("key", ["runtime", "kl_runtime"])
@pytest.mark.parametrize("controller", ["CM7300", None])
@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ({"kind": RowKind.CHOICE, "choices": OFFERED}, {3, 15, 25, 45}),
        ({"kind": RowKind.NUMBER, "minimum": 1, "maximum": 90}, {3, 15, 25, 45}),
        ({"kind": RowKind.MINUTES}, {3, 15, 25, 45}),
        ({"kind": RowKind.NUMBER, "minimum": 10, "maximum": 30}, {15, 25}),
    ],
)
def test_the_runtime_is_one_of_four(
    key: str, controller: str | None, told: dict[str, Any], kept: set[int]
) -> None:
    table = a_table(a_row(key, **told), controller=controller)
    row = within_spec(table).rows[key]
    assert {value for value in range(-1, 99) if check_value(row, value) is None} == kept


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ({"kind": RowKind.CHOICE, "choices": OFFERED}, {3, 10, 15, 25, 45}),
        ({"kind": RowKind.NUMBER, "minimum": 1, "maximum": 90}, set(range(3, 46))),
        ({"kind": RowKind.MINUTES, "minimum": 10, "maximum": 30}, set(range(10, 31))),
    ],
)
def test_the_runtime_of_a_cmx_is_within_its_range(told: dict[str, Any], kept: set[int]) -> None:
    table = a_table(a_row("runtime", **told), controller="CMX")
    row = within_spec(table).rows["runtime"]
    assert {value for value in range(-1, 99) if check_value(row, value) is None} == kept


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


def test_a_digest_that_looks_like_the_number_of_a_card_is_told_as_it_comes_back() -> None:
    """A form is masked on its way to the run."""
    digests = [digest_of({"a": value}) for value in range(60_000)]
    assert any("*" in digest for digest in digests)
    assert all(masked(digest) == digest for digest in digests)


HARBOUR = Party(dealer_id="harbour", partner_code="N1001", person_id="ivan")
PRAIRIE = Party(dealer_id="prairie", partner_code="N1002", person_id="marcus")
CONSUMER = Party(partner_code="B2C7", person_id="carol")
ALONE = Party(person_id="owen")
GUEST = Party()


def asked_by(party: Party, **more: Any) -> Asker:
    return Asker(**party.model_dump(), **more)


def a_run_of(party: Party) -> LiveRun:
    return LiveRun(id="run", party=party)


@pytest.mark.parametrize(
    ("facts", "owner"),
    [
        (DeviceFacts(), None),
        (DeviceFacts(run=a_run_of(HARBOUR)), None),
        (DeviceFacts(finisher=HARBOUR), HARBOUR),
        (DeviceFacts(payer=PRAIRIE, finisher=HARBOUR), PRAIRIE),
        (
            DeviceFacts(network_owner="third", payer=PRAIRIE, finisher=HARBOUR),
            Party(dealer_id="third"),
        ),
        (DeviceFacts(finisher=HARBOUR, run=a_run_of(PRAIRIE)), HARBOUR),
    ],
)
def test_the_network_then_the_plan_then_the_installation_says_whose_a_device_is(
    facts: DeviceFacts, owner: Party | None
) -> None:
    assert owner_of(facts) == owner


@pytest.mark.parametrize(
    "facts",
    [
        DeviceFacts(network_owner="harbour"),
        DeviceFacts(payer=HARBOUR),
        DeviceFacts(finisher=HARBOUR),
    ],
)
def test_a_dealers_device_is_of_its_people_and_foreign_to_everybody_else(
    facts: DeviceFacts,
) -> None:
    colleague = HARBOUR.model_copy(update={"person_id": "chloe"})
    assert whose_device(asked_by(HARBOUR), facts) is Ownership.OWN
    assert whose_device(asked_by(colleague), facts) is Ownership.OWN
    moved_away = Asker(dealer_id="prairie", partner_code="N1002", person_id="ivan")
    for stranger in (asked_by(PRAIRIE), asked_by(ALONE), asked_by(GUEST), moved_away):
        assert whose_device(stranger, facts) is Ownership.FOREIGN
    assert whose_device(Asker(person_id="ada", everywhere=True), facts) is Ownership.OWN


@pytest.mark.parametrize("mine", [CONSUMER, ALONE])
def test_without_a_dealer_a_device_is_the_consumers_or_the_persons(mine: Party) -> None:
    for facts in (DeviceFacts(payer=mine), DeviceFacts(finisher=mine)):
        assert whose_device(asked_by(mine), facts) is Ownership.OWN
        assert whose_device(asked_by(HARBOUR), facts) is Ownership.FOREIGN
        assert whose_device(Asker(), facts) is Ownership.FOREIGN


def test_who_worked_for_a_business_has_no_share_in_its_devices() -> None:
    by_a_rep = DeviceFacts(finisher=Party(partner_code="N1001", person_id="owen"))
    assert whose_device(Asker(person_id="owen"), by_a_rep) is Ownership.FOREIGN
    elsewhere = Asker(partner_code="N1002", person_id="owen")
    assert whose_device(elsewhere, by_a_rep) is Ownership.FOREIGN
    assert whose_device(asked_by(HARBOUR), by_a_rep) is Ownership.OWN


def test_what_is_nobodys_is_foreign_while_somebody_else_activates_it() -> None:
    for asker in (asked_by(HARBOUR), asked_by(ALONE), Asker()):
        assert whose_device(asker, DeviceFacts()) is Ownership.NOBODYS
    held = DeviceFacts(run=a_run_of(HARBOUR))
    colleague = Asker(dealer_id="harbour", person_id="chloe")
    assert whose_device(asked_by(HARBOUR), held) is Ownership.OWN
    assert whose_device(colleague, held) is Ownership.OWN
    for stranger in (asked_by(PRAIRIE), asked_by(ALONE), Asker()):
        assert whose_device(stranger, held) is Ownership.FOREIGN
        assert whose_device(stranger, held.apart_from_runs()) is Ownership.NOBODYS


@pytest.mark.parametrize("worker", [HARBOUR, GUEST])
def test_what_was_given_up_is_nobodys_again(worker: Party) -> None:
    left = DeviceFacts(run=a_run_of(worker).model_copy(update={"given_up": True}))
    for asker in (asked_by(PRAIRIE), asked_by(ALONE), Asker()):
        assert whose_device(asker, left) is Ownership.NOBODYS
    assert whose_device(asked_by(HARBOUR), left) is (
        Ownership.OWN if worker is HARBOUR else Ownership.NOBODYS
    )
    owned = left.model_copy(update={"finisher": HARBOUR})
    assert whose_device(asked_by(PRAIRIE), owned) is Ownership.FOREIGN


def test_what_a_guest_activates_is_left_to_guests_and_to_who_has_it_in_hand() -> None:
    held = DeviceFacts(run=a_run_of(GUEST))
    assert whose_device(Asker(), held) is Ownership.NOBODYS
    assert whose_device(asked_by(HARBOUR), held) is Ownership.FOREIGN
    assert whose_device(asked_by(HARBOUR), held, in_hand=True) is Ownership.NOBODYS


def test_in_hand_makes_nothing_of_anybodys_ones_own() -> None:
    for facts in (DeviceFacts(payer=PRAIRIE), DeviceFacts(run=a_run_of(PRAIRIE))):
        assert whose_device(asked_by(HARBOUR), facts, in_hand=True) is Ownership.FOREIGN


def test_a_live_run_gives_no_right_to_anothers_device() -> None:
    facts = DeviceFacts(payer=HARBOUR, run=a_run_of(PRAIRIE))
    assert whose_device(asked_by(PRAIRIE), facts) is Ownership.FOREIGN
    assert whose_device(asked_by(HARBOUR), facts) is Ownership.OWN


def test_nobody_buys_a_plan_over_one_that_another_pays() -> None:
    paid = DeviceFacts(network_owner="harbour", payer=PRAIRIE)
    assert whose_device(asked_by(HARBOUR), paid) is Ownership.OWN
    assert is_paid_by_another(asked_by(HARBOUR), paid)
    assert not is_paid_by_another(asked_by(PRAIRIE), paid)
    assert not is_paid_by_another(asked_by(HARBOUR), DeviceFacts())


SITE = Site(code="ca", host="localhost", label="Canada", country="CA", time_zone="America/Toronto")


def a_user(**given: Any) -> User:
    user = User(id="somebody", email="a@b.example", first_name="Some", last_name="Body")
    return user.model_copy(update=given)


def an_actor(user: User | None, **more: Any) -> Actor:
    return Actor(request_id="request", site=SITE, user=user, **more)


def test_as_whom_somebody_asks() -> None:
    installer = a_user(dealer_id="harbour", partner_code="N1001")
    assert asker_of(an_actor(installer)) == Asker(
        dealer_id="harbour", partner_code="N1001", person_id="somebody"
    )
    retired = installer.model_copy(update={"is_retired": True})
    assert asker_of(an_actor(retired)) == Asker(person_id="somebody")
    owner = a_user(id="olivia", dealer_id="harbour")
    inside = a_user(permission_groups=(INSIDE_REP_GROUP,))
    assert asker_of(an_actor(inside)) == Asker(person_id="somebody")
    assert asker_of(an_actor(inside, impersonated=owner, partner_code="N1001")) == Asker(
        dealer_id="harbour", partner_code="N1001", person_id="somebody"
    )
    outside = a_user(permission_groups=(OUTSIDE_REP_GROUP,))
    assert asker_of(an_actor(outside, partner_code="N1001")) == Asker(person_id="somebody")
    admin = a_user(access_type=ADMIN_ACCESS)
    assert asker_of(an_actor(admin)).everywhere
    assert not asker_of(an_actor(admin.model_copy(update={"is_retired": True}))).everywhere
    assert asker_of(an_actor(None)) == Asker()


def test_a_run_asks_as_the_people_whose_it_is() -> None:
    assert asker_of_run(GUEST, None) == Asker()
    installer = a_user(dealer_id="harbour")
    assert asker_of_run(HARBOUR, installer) == asked_by(HARBOUR)
    rep = a_user(permission_groups=(OUTSIDE_REP_GROUP,))
    theirs = Party(partner_code="N1001", person_id="owen")
    assert asker_of_run(theirs, rep) == Asker(person_id="owen")
    assert asker_of_run(theirs, a_user(access_type=ADMIN_ACCESS)).everywhere
