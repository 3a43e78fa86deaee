"""What operators see of all runs, read from rows alone: Temporal is down here."""

import secrets
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import select, text, update

from activities.firmware.firmware import (
    FirmwareActivities,
    FirmwareCommand,
    SendFirmware,
    SendOutcome,
)
from db.base import Sessions
from db.devices.devices import DeviceLogRow
from db.operations.audit_search import AuditQuery, search_audit
from db.operations.erp_mirror import places
from db.operations.loose_ends import complete_intents
from db.operations.rounds import save_pass
from db.operations.third_parties import save_third_parties
from db.platform.webhook_events import WebhookEventRow
from db.runs.drift import DriftRow
from db.runs.flows import FlowRow
from db.runs.intents import IntentRow, begin_intent, complete_intent, refuse_intents
from domain.activation import reducer as activation
from domain.devices.devices import FirmwareTarget
from domain.kinds import ACTIVATION, BY_NAME
from domain.operations.erp_mirror import Feed
from domain.operations.operations import Pass, Repair, ThirdParty
from domain.runs.kind import WaitsFor
from providers.device_network.device_cloud import DeviceCloud
from tests.drivers.factories import a_name, an_admin, an_installer
from tests.drivers.portal import a_key, sign_in, use_token
from tests.drivers.stage import a_device_key
from tests.drivers.times import NOON

_FLOW = text(
    """
    insert into flow (id, kind, version, workflow_id, run_id, rev, seq, state, allowed, view, device_key, site, outcome,
                      created_at, updated_at, ended_at)
    values (:id, :kind, 1, 'wf-' || :id, 'run-1', 3, 1, :state, :allowed, cast(:shown as jsonb) || cast(:view as jsonb), :device_key, 'ca',
            :outcome, now() - interval '1 hour', now() - cast(:age as interval),
            case when :ended then now() - cast(:age as interval) end)
    """
)


SHOWN = '{"type": "installer", "owner": "Robin Test", "position": 4, "total": 12}'
"""What lists of open activations show of one: they are everybody's."""


async def a_flow(sessions: Sessions, state: str = "verify-connection", **more: Any) -> str:
    flow_id = uuid.uuid4().hex
    values: dict[str, Any] = {
        "id": flow_id,
        "kind": "activation",
        "state": state,
        "allowed": [],
        "shown": SHOWN,
        "view": "{}",
        "device_key": f"FT-X1-{flow_id[:8]}",
        "outcome": None,
        "age": "1 second",
        "ended": False,
    }
    async with sessions.begin() as session:
        await session.execute(_FLOW, values | more)
    return flow_id


async def as_admin(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    assert (await sign_in(browser, await an_admin(sessions))).is_success


async def runs(browser: httpx.AsyncClient, **filters: Any) -> list[dict[str, Any]]:
    answer = await browser.get("/v1/operations/runs", params=filters)
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


async def overview(browser: httpx.AsyncClient) -> dict[str, Any]:
    answer = await browser.get("/v1/operations")
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("kind", "state", "allowed", "age", "view", "stuck"),
    [
        ("activation", "verify-connection/busy", [], "11 minutes", "{}", True),
        ("activation", "verify-connection/busy", [], "9 minutes", "{}", False),
        ("activation", "check-firmware/waiting", ["ABANDON"], "1 hour", "{}", True),
        ("activation", "verify-connection", ["SUBMIT", "ABANDON"], "5 days", "{}", False),
        ("firmware", "failed", ["RETRY_NOW"], "20 minutes", "{}", False),
        ("firmware", "waiting_online", ["CANCEL"], "20 minutes", "{}", True),
        ("firmware", "deferred", [], "3 days", '{"next_at": "2999-01-01T00:00:00Z"}', False),
        ("firmware", "deferred", [], "3 days", '{"next_at": "2020-01-01T00:00:00Z"}', True),
    ],
)
async def test_a_run_is_stuck_that_does_not_move_and_waits_for_no_person(
    sessions: Sessions,
    browser: httpx.AsyncClient,
    kind: str,
    state: str,
    allowed: list[str],
    age: str,
    view: str,
    stuck: bool,
) -> None:
    flow_id = await a_flow(sessions, state, kind=kind, allowed=allowed, age=age, view=view)
    await as_admin(sessions, browser)
    assert [run["id"] for run in await runs(browser, shown="stuck", subject=flow_id)] == (
        [flow_id] if stuck else []
    )
    (shown,) = await runs(browser, subject=flow_id)
    assert shown["waits_for"] == BY_NAME[kind].waits_for(state, tuple(allowed))


def test_whoever_may_go_on_is_waited_for() -> None:
    for state, edges in activation.edges(1).items():
        expected = {"SUBMIT", "ACT", "SKIP"} & set(edges)
        found = ACTIVATION.waits_for(state, tuple(edges))
        assert (found is WaitsFor.PERSON) == bool(expected), state


async def test_each_filter_narrows(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    key = f"FT-X1-{a_name()}"
    first = await a_flow(sessions, "power-on-device", device_key=key, age="3 minutes")
    second = await a_flow(sessions, "done", kind="firmware", device_key=key, ended=True)
    await as_admin(sessions, browser)
    for filters, found in (
        ({"subject": key}, [first]),
        ({"subject": key, "shown": "ended"}, [second]),
        ({"subject": f"wf-{first}"}, [first]),
        ({"subject": key, "kind": "firmware"}, []),
        ({"subject": key, "kind": "activation"}, [first]),
        ({"subject": key, "state": "power-on-device"}, [first]),
        ({"subject": key, "state": "completed"}, []),
    ):
        assert [run["id"] for run in await runs(browser, **filters)] == found, filters
    (run,) = await runs(browser, subject=key)
    assert run["temporal_url"].endswith(f"/namespaces/default/workflows/wf-{first}/run-1/history")


async def test_runs_are_read_page_by_page(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    key = f"FT-X1-{a_name()}"
    made = [await a_flow(sessions, device_key=key, age=f"{age} minutes") for age in (1, 2, 2, 2, 3)]
    await as_admin(sessions, browser)
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(3):
        more = {"cursor": cursor} if cursor else {}
        answer = await browser.get(
            "/v1/operations/runs", params={"subject": key, "limit": 2, **more}
        )
        seen += [run["id"] for run in answer.json()["results"]]
        cursor = answer.json()["end_cursor"]
    assert (sorted(seen), cursor) == (sorted(made), None)
    assert (seen[0], seen[-1]) == (made[0], made[-1])


@pytest.mark.parametrize(
    "filters",
    [
        {"cursor": "nonsense"},
        {"state": "a b"},
    ],
)
async def test_bad_filters_are_refused(
    sessions: Sessions, browser: httpx.AsyncClient, filters: dict[str, Any]
) -> None:
    await as_admin(sessions, browser)
    assert (await browser.get("/v1/operations/runs", params=filters)).status_code == 422


async def test_unknown_values_and_names_are_dropped(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    await as_admin(sessions, browser)
    key = a_name()
    asked = {"shown": "everything", "kind": "x", "limit": "many", "colour": "red", "subject": key}
    answer = await browser.get("/v1/operations/runs", params=asked)
    assert (answer.status_code, answer.json()) == (
        200,
        {"things": [], "results": [], "end_cursor": None},
    )


async def test_a_past_run_shows_who_did_what_and_how_long_it_took(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    flow_id = await a_flow(sessions, "completed", ended=True)
    async with sessions.begin() as session:
        await session.execute(
            text(
                "insert into transition (flow_id, rev, event, from_state, to_state, at, actor)"
                " select :id, n, 'OK', 'a', 'b', f.created_at + make_interval(secs => n * n), 'Ina'"
                " from generate_series(1, 3) n, flow f where f.id = :id"
            ),
            {"id": flow_id},
        )
    await as_admin(sessions, browser)
    url = f"/v1/operations/runs/activation/{flow_id}/transitions"
    first = (await browser.get(url, params={"limit": 2})).json()
    rest = (await browser.get(url, params={"after": first["end"]})).json()
    assert [move["lasted_ms"] for move in first["results"]] == [1000, 3000]
    assert [(move["lasted_ms"], move["actor"]) for move in rest["results"]] == [(5000, "Ina")]
    assert rest["end"] is None
    assert (await browser.get(url.replace(flow_id, "absent"))).status_code == 404


async def test_what_needs_attention_is_listed_until_somebody_says_what_was_done(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    flow_id = await a_flow(sessions, "abandoned", ended=True, outcome="needs_attention")
    await as_admin(sessions, browser)
    (shown,) = await runs(browser, shown="attention", subject=flow_id)
    assert shown["outcome"] == "needs_attention"
    url, key = f"/v1/operations/runs/activation/{flow_id}/settle", a_key()
    for _ in range(2):
        answer = await browser.post(url, json={"note": "installed by hand"}, headers=key)
        assert answer.status_code == 200, answer.text
    assert await runs(browser, shown="attention", subject=flow_id) == []
    again = await browser.post(url, json={"note": "me too"}, headers=a_key())
    assert (again.status_code, again.json()["code"]) == (409, "already_settled")
    (entry,) = (await browser.get("/v1/audit", params={"object_id": flow_id})).json()["results"]
    assert (entry["action"], entry["more"]) == ("attention settled", {"note": "installed by hand"})
    detail = (await browser.get(f"/v1/operations/runs/activation/{flow_id}")).json()
    assert detail["request_id"] == entry["request_id"]


async def test_a_run_that_needs_nothing_cannot_be_settled(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    flow_id = await a_flow(sessions)
    await as_admin(sessions, browser)
    url = f"/v1/operations/runs/activation/{flow_id}/settle"
    answer = await browser.post(url, json={"note": "x"}, headers=a_key())
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_to_settle")


async def test_everything_at_a_glance(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    await as_admin(sessions, browser)
    before = await overview(browser)
    flow_id = await a_flow(sessions, "verify-connection/busy", age="11 minutes")
    device_key, system = f"FT-X1-{a_name()}", a_name()
    async with sessions.begin() as session:
        await session.execute(
            text(
                "insert into device_reservation (id, device_key, kind, flow_id, workflow_id)"
                " overriding system value values (:id, :key, 'activation', 'nobody', 'act-nobody')"
            ),
            {"id": -secrets.randbits(30), "key": device_key},  # before those of other tests
        )
        await session.execute(
            text(
                "insert into device_log (id, device_key, type, timestamp, ok, reading, received_at)"
                " values (:key, :key, 'report', now(), true, '{}', now() - interval '30 years')"
            ),
            {"key": device_key},
        )
        await session.execute(
            text(
                "insert into run_check (run, kind, events, rev, row_at, pending) values"
                ' (:id, \'activation\', 9, 3, now(), \'[{"activity": "check_device", "attempt": 7}]\')'
            ),
            {"id": flow_id},
        )
        done = Pass(
            at=datetime.now(UTC) + timedelta(hours=1),  # later than the passes of other tests
            took_ms=40,
            looked=5,
            asked=1,
            repaired={Repair.LOST: 2},
            failed=("free claims",),
        )
        await save_pass(session, done)
        seen = ThirdParty(
            system=system,
            process="worker 1",
            calls=4,
            failures=1,
            last_ok_at=None,
            last_failed_at=NOON,
            reason="503",
        )
        for _ in range(2):
            await save_third_parties(session, [seen])
    now = await overview(browser)
    assert now["counted"]["stuck"] > before["counted"]["stuck"]
    assert now["counted"]["retrying"] > before["counted"]["retrying"]
    assert device_key in [orphan["device_key"] for orphan in now["orphans"]]
    assert device_key in [log["device_key"] for log in now["undelivered"]]
    assert now["backlog"] is None
    assert now["last_pass"]["failed"] == ["free claims"]
    (party,) = [each for each in now["third_parties"] if each["system"] == system]
    assert (party["well"], party["failures"], party["reason"]) == (False, 1, "503")
    tally = {"kind": "activation", "state": "verify-connection/busy", "is_open": True}
    assert any(tally.items() <= each.items() and each["count"] >= 1 for each in now["tallies"])
    (retrying,) = await runs(browser, shown="retrying", subject=flow_id)
    assert retrying["pending"][0]["attempt"] == 7


async def test_what_providers_told_and_nobody_was_told_of_is_counted(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    await as_admin(sessions, browser)
    event_id, held = f"evt_{a_name()}", datetime.now(UTC) + timedelta(hours=1)
    async with sessions.begin() as session:
        session.add(
            WebhookEventRow(
                provider="card",
                event_id=event_id,
                type="charge.refunded",
                subject=event_id,
                body={},
                received_at=datetime.now(UTC) - timedelta(minutes=10),
                taken_until=held,
            )
        )
    (waiting,) = [
        one for one in (await overview(browser))["outboxes"] if one["name"] == "providers"
    ]
    async with sessions.begin() as session:
        await session.execute(
            update(WebhookEventRow)
            .where(WebhookEventRow.event_id == event_id)
            .values(delivered_at=held)
        )
    assert waiting["rows"] >= 1
    assert waiting["oldest_seconds"] >= 600


async def test_an_effect_without_an_outcome_is_shown_until_it_has_one(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    """Its run went on; one that was refused, or asked for a moment ago, is no secret."""
    flow_id, long_ago = a_name(), datetime.now(UTC) - timedelta(hours=1)
    keys = [f"{flow_id}-{what}" for what in ("lost", "refused", "young")]
    async with sessions.begin() as session:
        for key in keys:
            await begin_intent(session, key=key, flow_id=flow_id, kind=key)
        await refuse_intents(session, [keys[1]])
        await session.execute(
            update(IntentRow).where(IntentRow.key.in_(keys[:2])).values(created_at=long_ago)
        )

    await as_admin(sessions, browser)

    async def shown() -> list[str]:
        now = await overview(browser)
        return [one["effect"] for one in now["unsettled"] if one["run"] == flow_id]

    assert await shown() == [keys[0]]
    async with sessions.begin() as session:
        await complete_intent(session, keys[0], {"done": True})
    assert await shown() == []


async def test_an_effect_whose_outcome_is_known_by_now_is_closed_and_no_other(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    """By the device's own log, or because the same was done again since."""
    flow_id, device_key = await a_flow(sessions), a_device_key()
    now = datetime.now(UTC)
    told, lost, before, again = (
        f"{flow_id}-{what}" for what in ("told", "lost", "before", "again")
    )
    async with sessions.begin() as session:
        await session.execute(
            update(FlowRow).where(FlowRow.id == flow_id).values(device_key=device_key)
        )
        for minutes, (key, kind) in enumerate(
            (
                (again, "keylocker-mode"),
                (before, "keylocker-mode"),
                (told, "command:lock"),
                (lost, "command:unlock"),
            )
        ):
            await begin_intent(session, key=key, flow_id=flow_id, kind=kind)
            await session.execute(
                update(IntentRow)
                .where(IntentRow.key == key)
                .values(created_at=now - timedelta(hours=1, minutes=minutes))
            )
        await complete_intent(session, again, {"done": True})
        session.add(
            DeviceLogRow(
                id=told,
                device_key=device_key,
                type="command",
                timestamp=now,
                command="lock",
                command_id=told,
                ok=True,
                reading={},
                delivered_at=now,
            )
        )
    async with sessions.begin() as session:
        await complete_intents(session)
    async with sessions() as session:
        rows = await session.execute(
            select(IntentRow.key, IntentRow.outcome).where(IntentRow.flow_id == flow_id)
        )
        found = {key: (outcome or {}).get("found") for key, outcome in rows.all()}
    assert found == {again: None, before: "done again since", told: "device log", lost: None}
    await as_admin(sessions, browser)
    shown = [one for one in (await overview(browser))["unsettled"] if one["run"] == flow_id]
    assert [one["effect"] for one in shown] == ["command:unlock"]


@pytest.mark.parametrize("happened", [True, False])
async def test_an_operator_who_looked_closes_an_effect(
    sessions: Sessions, browser: httpx.AsyncClient, happened: bool
) -> None:
    flow_id = a_name()
    lost, young = (f"{flow_id}-{what}" for what in ("lost", "young"))
    async with sessions.begin() as session:
        for name in (lost, young):
            await begin_intent(session, key=name, flow_id=flow_id, kind=name)
        await session.execute(
            update(IntentRow)
            .where(IntentRow.key == lost)
            .values(created_at=datetime.now(UTC) - timedelta(hours=1))
        )
    await as_admin(sessions, browser)
    url, key = "/v1/operations/effects/close", a_key()
    said = {"key": lost, "happened": happened, "note": "The network shows it."}
    for _ in range(2):
        answer = await browser.post(url, headers=key, json=said)
        assert answer.status_code == 200, answer.text
    refused = (
        (lost, 409, "effect_closed"),
        (young, 409, "effect_not_over"),
        (a_name(), 404, "not_found"),
    )
    for name, status, code in refused:
        again = await browser.post(url, headers=a_key(), json={**said, "key": name})
        assert (again.status_code, again.json()["code"]) == (status, code)
    shown = [one["effect"] for one in (await overview(browser))["unsettled"]]
    assert lost not in shown
    async with sessions.begin() as session:
        outcome = await begin_intent(session, key=lost, flow_id=flow_id, kind=lost)
        entries = await search_audit(
            session, AuditQuery(object_kind="run", object_id=flow_id), limit=5
        )
    assert (outcome is not None) is happened
    (entry,) = entries
    assert (entry.action, entry.more["note"]) == ("effect closed by hand", said["note"])


async def test_what_is_known_to_have_happened_is_not_asked_for_again(sessions: Sessions) -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(500)

    send = SendFirmware(
        flow_id=a_name(),
        key=a_name(),
        device_key=a_device_key(),
        command=FirmwareCommand.DOWNLOAD,
        target=FirmwareTarget.MAIN,
        version="2.0",
    )
    async with sessions.begin() as session:
        await begin_intent(session, key=send.key, flow_id=send.flow_id, kind="firmware")
        await complete_intent(session, send.key, {"done": True, "found": "by hand"})
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
        network = DeviceCloud(client, base_url="http://network", api_key="any")
        assert await FirmwareActivities(network, sessions).send_firmware(send) == SendOutcome()
    assert not asked


async def test_others_are_turned_away(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    assert (await browser.get("/v1/operations")).status_code == 401
    await sign_in(browser, await an_installer(sessions))
    for path in ("", "/runs", "/runs/activation/x", "/runs/activation/x/transitions"):
        assert (await browser.get(f"/v1/operations{path}")).status_code == 403


async def test_a_page_that_is_older_than_a_run_is_counted_once(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    flow_id = await a_flow(sessions)
    await as_admin(sessions, browser)
    before = (await overview(browser))["counted"]["drifts"]
    drift = a_drift(flow_id)
    for _ in range(2):
        assert (await browser.post("/v1/flows/drift", json=drift)).status_code == 204
    assert (
        await browser.post("/v1/flows/drift", json={**drift, "what": "mood"})
    ).status_code == 422
    async with sessions() as session:
        kept = await session.scalars(select(DriftRow.name).where(DriftRow.flow_id == flow_id))
        assert kept.all() == ["SUBMIT"]
    assert (await overview(browser))["counted"]["drifts"] > before


def a_drift(flow_id: str) -> dict[str, Any]:
    return {
        "kind": "activation",
        "id": flow_id,
        "version": 1,
        "rev": 3,
        "state": "verify-connection",
        "what": "allowed",
        "name": "SUBMIT",
    }


async def test_nobody_says_that_of_anothers_run(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    drift = a_drift(await a_flow(sessions))
    await sign_in(browser, await an_installer(sessions))
    assert (await browser.post("/v1/flows/drift", json=drift)).status_code == 404
    refusals = [await browser.post("/v1/flows/drift", json=drift) for _ in range(30)]
    assert refusals[-1].status_code == 429


async def test_whoever_invents_capabilities_leaves_one_count(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    drift = a_drift(await a_flow(sessions))
    refusals: list[int] = []
    for number in range(31):
        use_token(browser, f"resume_{number:043}")
        refusals.append((await browser.post("/v1/flows/drift", json=drift)).status_code)
    assert refusals == [404] * 30 + [429]


async def test_each_feed_of_the_erp_is_listed_with_its_last_change(
    sessions: Sessions,
) -> None:
    cursors = {
        "items": "2026-08-03|10:00:00|CS-1",
        "documents": '{"invoices": {"on": "2026-08-03", "at": "11:00:00", "code": "7"},'
        ' "credit_notes": {"on": "2026-08-02", "at": "09:00:00", "code": ""}}',
        "shipments": '{"on": "2026-08-01", "at": "08:00:00", "code": ""}',
        "cancellations": "",
    }
    async with sessions() as session:
        for name, cursor in cursors.items():
            await session.execute(
                text(
                    "insert into erp_feed (name, cursor) values (:name, :cursor)"
                    " on conflict (name) do update set cursor = excluded.cursor"
                ),
                {"name": name, "cursor": cursor},
            )
        told = {one.feed: one.until for one in await places(session)}
        await session.rollback()
    assert {name: told[Feed(name)] for name in cursors} == {
        "items": "2026-08-03 10:00:00",
        "documents": "2026-08-02 09:00:00",
        "shipments": "2026-08-01 08:00:00",
        "cancellations": "",
    }
