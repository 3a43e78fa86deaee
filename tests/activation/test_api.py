"""An activation through its calls: begun, left, gone on with elsewhere, handed over, ended."""

import json
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import cast, func, select, update
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.types import Text
from temporalio.api.history.v1 import HistoryEvent

from db.runs.flows import FlowRow
from tests.billing.payments.factories import a_main_card
from tests.drivers.factories import (
    a_dealer,
    a_name,
    an_admin,
    an_inside_rep,
    an_installer,
    an_owner,
)
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Flow, Whole, problem
from tests.operations.reconciler.rounds import came_of
from workflows import ids


async def test_an_installer_activates_a_new_device_to_its_end(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as installer:
        begun = await installer.started(key)
        assert (begun["kind"], begun["state"], begun["ended"]) == (
            "activation",
            "power-on-device",
            False,
        )
        testing = await installer.walk_to(begun, "device-testing")
        sent = await installer.send(begun["id"], "commands", seq=testing["seq"], command="arm")
        assert sent.status_code == 200
        tested = await installer.until(
            begun["id"],
            lambda flow: flow["view"]["facts"]["commands"][-1]["state"] == "confirmed",
        )
        ended = await installer.walk_to(tested, "completed")
    assert (ended["ended"], ended["view"]["outcome"]) == (True, "completed")
    effects = await whole.stage.effects(key)
    assert (effects["activate"], effects["install"], effects["welcome"]) == (1, 1, 1)
    assert effects["command:arm"] == 1


async def test_a_history_names_what_people_did_and_the_step_of_each_effect(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as installer:
        flow = await installer.walk_to(await installer.started(key), "device-testing")
        assert (
            await installer.send(flow["id"], "commands", seq=flow["seq"], command="arm")
        ).is_success
        flow = await installer.until(
            flow["id"], lambda seen: seen["view"]["facts"]["commands"][-1]["state"] == "confirmed"
        )
        back = await installer.send(flow["id"], "back", step="device-testing", seq=flow["seq"])
        assert back.is_success, back.text
        ended = await installer.walk_to(await installer.look(flow["id"]), "completed")
    handle = whole.stage.client.get_workflow_handle(ids.activation_id(key))
    events = (await handle.fetch_history()).events
    asked = {
        one.workflow_execution_update_accepted_event_attributes.accepted_request.input.name
        for one in events
        if one.HasField("workflow_execution_update_accepted_event_attributes")
    }
    assert asked == {"open", "submit", "act", "skip", "go_back"}
    effects = [
        (one.activity_task_scheduled_event_attributes.activity_type.name, summary_of(one))
        for one in events
        if one.HasField("activity_task_scheduled_event_attributes")
    ]
    assert effects
    steps = {"checking", *ended["view"]["plan"]}
    for name, summary in effects:
        if name == "project":  # the end is shown, which is no effect of a step
            continue
        assert summary.partition(":")[0] in steps, (name, summary)


def summary_of(event: HistoryEvent) -> str:
    return json.loads(event.user_metadata.summary.data or b'""')


async def test_the_answer_holds_nothing_of_the_inside(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as installer:
        answer = await installer.start(key)
    assert set(answer.json()) == {
        *("kind", "id", "rev", "seq", "state", "allowed", "view", "updated_at", "ended"),
        *("version", "moved", "resume_token"),
    }
    assert answer.json()["resume_token"] is None
    assert f"act-{key}" not in answer.text
    assert "iccid" not in answer.text


@pytest.mark.parametrize("typed", ["{key}", "  {key} ", "{lower}"])
async def test_starting_again_goes_on_where_it_was_left(whole: Whole, typed: str) -> None:
    key = a_device_key()
    async with whole.signed_in() as installer:
        begun = await installer.started(key)
        left = await installer.walk_to(begun, "set-vehicle-details")
        async with whole.signed_in(installer.user) as elsewhere:
            resumed = await elsewhere.started(typed.format(key=key, lower=key.lower()))
            assert (resumed["id"], resumed["state"]) == (begun["id"], "set-vehicle-details")
            assert resumed["seq"] == left["seq"]


async def test_a_colleague_goes_on_and_is_named(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    first, second = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    key = a_device_key()
    async with whole.signed_in(first) as one, whole.signed_in(second) as other:
        begun = await one.started(key)
        resumed = await other.started(key)
        assert resumed["id"] == begun["id"]
        assert (await other.submit(resumed)).status_code == 200
        seen = await one.look(begun["id"])
        assert seen["state"] == "set-vehicle-details"
        assert seen["view"]["updated_by"] == second.name
        assert seen["view"]["owner_id"] == first.id


async def test_a_rep_without_a_dealer_activates_for_themselves(whole: Whole) -> None:
    key = a_device_key()
    async with (
        whole.signed_in(await an_inside_rep(whole.sessions)) as rep,
        whole.signed_in(await an_inside_rep(whole.sessions)) as other,
    ):
        begun = await rep.started(key)
        assert (await rep.submit(begun)).status_code == 200
        assert problem(await other.start(key)) == (404, "unknown_device")


async def test_an_administrator_accesses_every_dealers_activation(whole: Whole) -> None:
    key = a_device_key()
    async with (
        whole.signed_in() as installer,
        whole.signed_in(await an_admin(whole.sessions)) as admin,
    ):
        begun = await installer.started(key)
        assert (await admin.look(begun["id"]))["id"] == begun["id"]
        assert (await admin.started(key))["id"] == begun["id"]
        assert (await admin.submit(begun)).status_code == 200


async def test_a_type_that_does_not_fit_the_device_is_refused(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as installer:
        for kind in ("service-device", "replace-device"):
            assert problem(await installer.start(key, type=kind)) == (409, "type_not_applicable")
        assert (await installer.start(key)).status_code == 200


@pytest.mark.parametrize(
    ("traits", "expected"),
    [
        ("900", (404, "unknown_device")),
        ("400", (409, "service_mode_required")),
        ("800", (409, "device_blocked")),
        ("600", (409, "region_refused")),
    ],
)
async def test_the_device_checks_refusal_is_told(
    whole: Whole, traits: str, expected: tuple[int, str]
) -> None:
    async with whole.signed_in() as installer:
        assert problem(await installer.start(a_device_key(traits=traits))) == expected


@pytest.mark.parametrize(
    ("host", "card", "refused"),
    [("localhost", None, True), ("localhost", "US", False), ("us.localhost", "CA", True)],
)
async def test_who_pays_with_a_canadian_card_starts_as_a_canadian_on_either_site(
    whole: Whole, host: str, card: str | None, refused: bool
) -> None:
    owner = await an_owner(whole.sessions)
    if card is not None:
        await a_main_card(whole.sessions, owner.partner_code or "", country=card)
    async with whole.signed_in(owner) as caller:
        caller.browser.headers["Host"] = host
        answer = await caller.start(a_device_key(traits="600"))
    if refused:
        assert problem(answer) == (409, "region_refused")
    else:
        assert answer.status_code in (200, 202), answer.text


async def test_an_outage_of_the_device_network_is_waited_out(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        answer = await installer.start(a_device_key(traits="700"))
        assert answer.status_code in (200, 202)
        begun = await installer.until(answer.json()["id"], lambda f: f["state"] != "checking")
    assert begun["state"] == "power-on-device"


async def test_a_slow_device_is_accepted_first_and_arrives_later(whole: Whole) -> None:
    key = a_device_key(traits="001")
    async with whole.signed_in() as installer:
        answer = await installer.start(key)
        assert answer.status_code == 202, answer.text
        assert set(answer.json()) == {"id", "update_id", "resume_token"}
        told = await came_of(whole.stage, "activation", answer.json()["id"])
        assert told == {"opened an activation": "accepted"}
        begun = await installer.until(answer.json()["id"], lambda f: f["state"] != "checking")
        assert begun["state"] == "power-on-device"
        assert (await installer.started(key))["id"] == answer.json()["id"]


async def test_going_back_from_the_first_step_returns_to_the_choice_of_a_type(
    whole: Whole,
) -> None:
    key = a_device_key()
    async with whole.signed_in() as installer:
        begun = await installer.started(key)
        second = await installer.walk_to(begun, "set-vehicle-details")
        back = await installer.send(
            begun["id"], "back", step="set-vehicle-details", seq=second["seq"]
        )
        assert back.json()["state"] == "power-on-device"
        out = await installer.send(
            begun["id"], "back", step="power-on-device", seq=back.json()["seq"]
        )
        assert (out.json()["state"], out.json()["ended"]) == ("choose-type", True)
        again = await installer.started(key)
    assert again["id"] != begun["id"]


async def test_a_reset_begins_again_and_keeps_the_run(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        later = await installer.walk_to(begun, "device-testing")
        reset = await installer.send(begun["id"], "reset", seq=later["seq"])
    assert (reset.json()["state"], reset.json()["id"]) == ("power-on-device", begun["id"])
    assert reset.json()["view"]["facts"]["connection_verified"] is False


async def test_a_step_is_skipped_with_a_reason_only_where_that_is_allowed(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        refused = await installer.send(
            begun["id"], "skip", step="power-on-device", seq=begun["seq"], reason="in a hurry"
        )
        assert problem(refused) == (409, "not_skippable")
        at = await installer.walk_to(begun, "check-firmware")
        skipped = await installer.send(
            begun["id"], "skip", step="check-firmware", seq=at["seq"], reason="done yesterday"
        )
    plan = begun["view"]["plan"]
    assert skipped.json()["state"] == plan[plan.index("check-firmware") + 1]
    assert skipped.json()["view"]["skipped"] == {"check-firmware": "done yesterday"}


async def test_an_abandoned_activation_is_taken_up_again_where_it_was_left(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    key = a_device_key()
    async with (
        whole.signed_in(await an_installer(whole.sessions, dealer)) as one,
        whole.signed_in(await an_installer(whole.sessions, dealer)) as colleague,
        whole.signed_in() as stranger,
    ):
        begun = await one.started(key)
        at = await one.walk_to(begun, "verify-connection")
        ended = await one.send(begun["id"], "abandon", seq=at["seq"], reason="lunch")
        assert (ended.json()["state"], ended.json()["view"]["reason"]) == ("abandoned", "lunch")
        again = await colleague.started(key)
        assert again["id"] != begun["id"]
        assert again["state"] == "verify-connection"
        assert again["view"]["facts"]["vehicle"] == at["view"]["facts"]["vehicle"]
        await colleague.send(again["id"], "abandon", seq=again["seq"])
        assert (await stranger.started(key))["state"] == "power-on-device"


@pytest.mark.parametrize(
    ("place", "written", "state"),
    [
        (["facts", "connection"], 7, "verify-connection"),
        (["plan"], ["a-step-of-long-ago"], "power-on-device"),
        (["skipped"], {"a-step-of-long-ago": "no time"}, "power-on-device"),
    ],
)
async def test_what_another_release_wrote_of_an_abandoned_activation_hinders_no_new_one(
    whole: Whole, place: list[str], written: object, state: str
) -> None:
    """Where what is taken over can be read, it is."""
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        at = await installer.walk_to(begun, "verify-connection")
        await installer.send(begun["id"], "abandon", seq=at["seq"])
        async with rewritten(whole, begun["id"], place, written):
            again = await installer.started(begun["view"]["device"]["device_key"])
        assert again["state"] == state


@asynccontextmanager
async def rewritten(
    whole: Whole, flow_id: str, place: list[str], written: object
) -> AsyncGenerator[None]:
    """The view of this run has something else there meanwhile."""

    async def write(value: object) -> None:
        view = func.jsonb_set(FlowRow.view, cast(place, ARRAY(Text)), cast(value, JSONB))
        async with whole.sessions.begin() as session:
            await session.execute(update(FlowRow).where(FlowRow.id == flow_id).values(view=view))

    async with whole.sessions() as session:
        before = await session.scalar(
            select(FlowRow.view[tuple(place)]).where(FlowRow.id == flow_id)
        )
    await write(written)
    try:
        yield
    finally:
        await write(before)


async def test_an_ended_activation_is_gone_for_messages_and_still_readable(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        await installer.send(begun["id"], "abandon", seq=begun["seq"])
        messages: dict[str, dict[str, Any]] = {
            "submit": {"step": "power-on-device", "seq": 0, "data": {}},
            "reset": {"seq": 0},
            "abandon": {"seq": 0},
        }
        for call, body in messages.items():
            assert problem(await installer.send(begun["id"], call, **body)) == (410, "closed")
        assert (await installer.look(begun["id"]))["ended"]


async def transitions(caller: Caller, flow: Flow, **query: Any) -> list[Flow]:
    answer = await caller.browser.get(
        f"/v1/activations/{flow['id']}/transitions", params={k: str(v) for k, v in query.items()}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


async def test_the_transitions_tell_who_did_what_in_pages(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        at = await installer.walk_to(begun, "check-firmware")
        moves = await transitions(installer, begun)
        assert [move["rev"] for move in moves] == list(range(1, at["rev"] + 1))
        assert (moves[-1]["to_state"], moves[0]["from_state"]) == ("check-firmware", "checking")
        assert installer.user is not None
        by = {move["actor"] for move in moves if move["event"] == "SUBMIT"}
        assert by == {installer.user.name}
        paged: list[Flow] = []
        while page := await transitions(
            installer, begun, limit=2, after=paged[-1]["rev"] if paged else -1
        ):
            paged += page
    assert paged == moves


async def page_of(caller: Caller, **query: Any) -> Flow:
    answer = await caller.browser.get("/v1/activations", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_unfinished_activations_are_listed_as_summaries(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    first, second = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with (
        whole.signed_in(first) as one,
        whole.signed_in(second) as other,
        whole.signed_in() as stranger,
    ):
        mine = await one.started(a_device_key())
        theirs = await other.started(a_device_key())
        (summary,) = (await page_of(one))["results"]
        assert (summary["id"], summary["step"], summary["position"]) == (
            mine["id"],
            "power-on-device",
            1,
        )
        assert (summary["owner"], summary["updated_by"]) == (first.name, first.name)
        dealers = await page_of(one, scope="dealer")
        assert {c["id"] for c in dealers["results"]} == {mine["id"], theirs["id"]}
        assert dealers["count"] == 2
        assert (await page_of(stranger, scope="dealer"))["results"] == []
        await one.send(mine["id"], "abandon", seq=mine["seq"])
        assert (await page_of(one))["count"] == 0
        assert [c["id"] for c in (await page_of(one, state="ended"))["results"]] == [mine["id"]]


async def test_pages_neither_repeat_nor_lose_a_row_while_others_change(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = [await installer.started(a_device_key()) for _ in range(5)]
        newest_first = [flow["id"] for flow in reversed(begun)]
        page = await page_of(installer, limit=2)
        seen = [summary["id"] for summary in page["results"]]
        # The first row changes and moves to the front: behind the cursor, where it was shown already.
        await installer.submit(begun[-1])
        while page["end_cursor"]:
            page = await page_of(installer, limit=2, cursor=page["end_cursor"])
            seen += [summary["id"] for summary in page["results"]]
            assert page["count"] == 5
    assert seen == newest_first


async def test_a_handed_over_activation_has_a_new_owner(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    first, second = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    retired = await an_installer(whole.sessions, dealer, is_retired=True)
    stranger = await an_installer(whole.sessions)
    async with whole.signed_in(first) as one, whole.signed_in(second) as other:
        begun = await one.started(a_device_key())
        answer = await one.browser.get(f"/v1/activations/{begun['id']}/colleagues")
        assert [person["id"] for person in answer.json()["results"]] == [second.id]
        for somebody in (stranger.id, retired.id, "nobody"):
            refused = await one.send(begun["id"], "hand-over", seq=begun["seq"], user_id=somebody)
            assert problem(refused) == (409, "not_a_colleague")
        given = await one.send(begun["id"], "hand-over", seq=begun["seq"], user_id=second.id)
        assert given.status_code == 200
        assert given.json()["view"]["owner_id"] == second.id
        assert [summary["id"] for summary in (await page_of(other))["results"]] == [begun["id"]]
        assert (await page_of(one))["results"] == []


async def test_a_colleague_is_told_what_is_written_to_them(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    first = await an_installer(whole.sessions, dealer)
    buyer = await an_installer(whole.sessions, dealer, is_purchaser=True)
    key = a_device_key()
    async with whole.signed_in(first) as one, whole.signed_in(buyer) as other:
        begun = await one.started(key)
        people = await one.browser.get(f"/v1/activations/{begun['id']}/colleagues")
        assert [(who["id"], who["may_buy"]) for who in people.json()["results"]] == [
            (buyer.id, True)
        ]
        said = {"user_id": buyer.id, "note": "  It is the red one. "}
        early = await one.send(begun["id"], "hand-over", seq=begun["seq"], only_to_pay=True, **said)
        assert problem(early) == (409, "step_out_of_order")
        given = await one.send(begun["id"], "hand-over", seq=begun["seq"], **said)
        assert given.json()["view"]["handed"] == {
            "by": first.name,
            "step": "power-on-device",
            "note": "It is the red one.",
            "only_to_pay": False,
            "back_to_id": None,
        }
        (summary,) = (await page_of(other))["results"]
        assert summary["handed"]["note"] == "It is the red one."
        taken = await one.send(begun["id"], "hand-over", seq=given.json()["seq"], user_id=first.id)
        assert taken.json()["view"]["handed"]["note"] == ""
    await whole.app.state.portal.errands.drain()
    (mail,) = await whole.stage.mails(buyer.email)
    assert mail["subject"] == f"An activation was handed to you: {key}"
    assert "They write: It is the red one." in mail["text"]
    assert await whole.stage.mails(first.email) == []


@pytest.mark.parametrize(
    ("mailbox", "mails"), [("refused", 0), ("rejected", 0), ("down", 0), ("slow", 1)]
)
async def test_what_was_handed_over_is_answered_so_whatever_the_mail_server_says(
    whole: Whole, mailbox: str, mails: int
) -> None:
    dealer = await a_dealer(whole.sessions)
    first = await an_installer(whole.sessions, dealer)
    second = await an_installer(whole.sessions, dealer, email=f"{mailbox}@{a_name()}.example")
    errands = whole.app.state.portal.errands
    async with whole.signed_in(first) as one:
        begun = await one.started(a_device_key())
        said = {"seq": begun["seq"], "user_id": second.id, "key": str(uuid.uuid4())}
        given = await one.send(begun["id"], "hand-over", **said)
        assert (given.status_code, given.json()["view"]["owner_id"]) == (200, second.id)
        again = await one.send(begun["id"], "hand-over", **said)
        assert (again.status_code, again.headers["idempotency-replayed"]) == (200, "true")
    await errands.drain()
    assert len(await whole.stage.mails(second.email)) == mails


async def test_an_administrator_hands_over_within_the_dealer(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    first, second = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with (
        whole.signed_in(first) as one,
        whole.signed_in(await an_admin(whole.sessions)) as admin,
    ):
        begun = await one.started(a_device_key())
        given = await admin.send(begun["id"], "hand-over", seq=begun["seq"], user_id=second.id)
    assert given.json()["view"]["owner_id"] == second.id


async def test_a_changed_device_frees_the_first_one_for_anybody(whole: Whole) -> None:
    old, new = a_device_key(), a_device_key()
    async with whole.signed_in() as one, whole.signed_in() as stranger:
        begun = await one.started(old)
        same = await one.send(begun["id"], "change-device", seq=begun["seq"], device_key=old)
        assert problem(same) == (409, "same_device")
        changed = await one.send(begun["id"], "change-device", seq=begun["seq"], device_key=new)
        assert changed.json()["view"]["device"]["device_key"] == new
        # The first run lives on under the old serial's name; a stranger's run takes the next turn.
        second = await stranger.started(old)
        assert second["id"] != begun["id"]
        assert (await stranger.submit(second)).status_code == 200
        assert (await one.started(new))["id"] == begun["id"]
        assert problem(await one.start(old)) == (404, "unknown_device")
        assert problem(await stranger.start(new)) == (404, "unknown_device")
        assert (await stranger.started(old))["id"] == second["id"]


async def test_changing_to_a_device_that_somebody_else_activates_changes_nothing(
    whole: Whole,
) -> None:
    taken = a_device_key()
    async with whole.signed_in() as one, whole.signed_in() as other:
        await other.started(taken)
        begun = await one.started(a_device_key())
        answer = await one.send(begun["id"], "change-device", seq=begun["seq"], device_key=taken)
        assert problem(answer) == (404, "unknown_device")
        after = await one.look(begun["id"])
        assert after["view"]["device"] == begun["view"]["device"]
        assert (after["rev"], after["state"]) == (begun["rev"], "power-on-device")
