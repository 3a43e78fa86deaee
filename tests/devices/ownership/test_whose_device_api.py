"""Every door × whose the device is × who knocks: what is foreign looks as if it never was, and feels nothing
(promises 35 and 39; decision 34)."""

import asyncio
import uuid
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select
from temporalio.service import RPCError, RPCStatusCode

from api.runs.events import Pace
from db.plans.plans import subscribe
from db.runs import capabilities, device_reservations
from db.runs.flows import FlowRow
from dev.testing import is_whole
from domain.activation.activation import OpeningPolicy
from domain.devices.activation_type import ActivationType
from domain.devices.ownership import Party
from domain.identity.people import Role
from domain.identity.policy import POLICY
from domain.plans.plans import FOUR, Subscription, Term, plan_id
from providers.security.tokens import new_capability
from tests.devices.ownership.doors import (
    BY_PROOF,
    DOORS,
    PURCHASES,
    UNSEEN,
    Door,
    Named,
    named_doors,
    needs_own_run,
    operations,
)
from tests.drivers.factories import a_dealer, a_name, an_installer
from tests.drivers.portal import a_browser, use_token
from tests.drivers.stage import a_device_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole, iccid_of
from tests.identity.policy.recipes import Asked
from tests.identity.policy.world import Somebody, World, a_view_of_run
from tests.plans.purchases.buying import ready
from workflows import ids

OPERATIONS = operations()
NEVER = "0" * 32
EVERY_DOOR = {id(door) for door in DOORS.values()}
CHANGING_HEADERS = frozenset({"x-request-id", "date"})


class Relation(StrEnum):
    """Whose the device is, seen from whoever knocks. A door that names a run is shown the run of that party, and from
    `FINISHED` to `REPLACED` the caller's own run on such a device."""

    OWN = "own"
    COLLEAGUES = "a colleague's"
    FOREIGN = "another dealer's at the network"
    ACTIVATED = "activated by another now"
    FINISHED = "installed by another"
    PAID = "paid by another"
    REPLACED = "in the place of another's"
    NOBODYS = "nobody's"
    GUESTS = "a guest's"


class Expected(StrEnum):
    ALLOWED = "allowed"
    FOREIGN = "foreign"
    BARRED = "barred"
    """The role never comes so far, whatever is named."""


PEOPLE_OF_A_DEALER = frozenset(
    {Role.INSTALLER, Role.PURCHASER, Role.OWNER, Role.DEALER_ACCOUNTANT, Role.INSIDE_REP}
)
WITHOUT_SIGN_IN = frozenset({Role.GUEST, Role.ANONYMOUS})
PLAN_BUYERS = frozenset({Role.CONSUMER, Role.PURCHASER, Role.OWNER, Role.INSIDE_REP})
BY_POSSESSION = frozenset(
    {
        "start_activation",
        "check_device",
        "check_device_for_purchase",
        "change_activation_device",
        "submit_step",
    }
)
"""Where a guest who proves possession again takes up what a guest began."""


TAKING_OVER = frozenset({"start_activation", "check_device", "check_device_for_purchase"})
"""Where who is signed in takes it over by the same proof."""


def expected(somebody: Somebody, door: Door, relation: Relation) -> Expected:
    role, operation = somebody.role, door.operation
    if not somebody.roles & POLICY[operation].roles:
        return Expected.BARRED
    if operation in ("choose_plan_line", "pay_for_plans") and role not in PLAN_BUYERS:
        return Expected.BARRED
    if operation == "follow_events" and role is Role.RETIRED:
        return Expected.BARRED
    if role is Role.ADMIN:
        return Expected.ALLOWED
    match relation:
        case Relation.NOBODYS:
            return Expected.ALLOWED
        case Relation.OWN:
            mine = role not in (Role.RETIRED, Role.ANONYMOUS) or _by_possession(role, door)
        case Relation.COLLEAGUES:
            mine = role in PEOPLE_OF_A_DEALER
        case Relation.GUESTS:
            mine = _by_possession(role, door) or _takes_over(role, door)
        case _:
            mine = False
    return Expected.ALLOWED if mine else Expected.FOREIGN


def _by_possession(role: Role, door: Door) -> bool:
    return role in WITHOUT_SIGN_IN and door.operation in BY_POSSESSION and not door.of_run


def _takes_over(role: Role, door: Door) -> bool:
    return role not in WITHOUT_SIGN_IN and door.operation in TAKING_OVER and not door.of_run


def test_every_field_that_names_a_device_has_a_door() -> None:
    assert named_doors() - PURCHASES - BY_PROOF == set(DOORS) - UNSEEN
    assert named_doors() >= PURCHASES


@pytest.fixture(scope="module")
async def world(whole: Whole) -> AsyncGenerator[World]:
    """Each role is one person, who knocks at more foreign devices than anybody may."""
    await ready(whole)
    before = whole.app.state.portal
    without_end = OpeningPolicy(per_hour=100_000, wrong_per_hour=100_000)
    whole.app.state.portal = replace(before, opening_policy=without_end)
    short = Pace(heartbeat=timedelta(milliseconds=10), longest=timedelta(milliseconds=20))
    whole.app.state.pace = short
    yield World(whole.app, whole.sessions)
    whole.app.state.portal = before


@dataclass
class Cells:
    """One role before the doors, with one relation to what stands behind each."""

    whole: Whole
    world: World
    somebody: Somebody
    relation: Relation
    felt_nothing: list[str] = field(default_factory=list[str])
    """Devices of which nothing may have been asked."""

    @property
    def party(self) -> Party:
        """As whom the caller works; a guest as nobody."""
        user, own = self.somebody.user, self.somebody.own
        if user is None:
            return Party()
        if self.somebody.role is Role.INSIDE_REP:
            return Party(dealer_id=own.dealer_id, partner_code=own.partner_code, person_id=user.id)
        return Party(dealer_id=user.dealer_id, partner_code=user.partner_code, person_id=user.id)

    async def other(self) -> Party:
        dealer = await a_dealer(self.whole.sessions)
        person = await an_installer(self.whole.sessions, dealer)
        return Party(dealer_id=dealer.id, partner_code=dealer.partner_code, person_id=person.id)

    async def colleague(self) -> Party:
        """Somebody else of the dealer; who has no dealer meets a stranger."""
        if self.somebody.role not in PEOPLE_OF_A_DEALER | {Role.RETIRED}:
            return await self.other()
        own = self.somebody.own
        return Party(dealer_id=own.dealer_id, partner_code=own.partner_code, person_id=a_name())

    async def behind(self, door: Door) -> tuple[Named, str | None]:
        """The names that the door is shown, and a guest's token for the caller's own run."""
        key, own_device = a_device_key(), a_device_key()
        token = None
        if door.of_run:
            run_id, token = await self._run_behind(key, door)
            return Named(key, run_id, own_device, run_id), token
        await self._relate(key, on_run=False)
        own_run = await self._live(own_device, self.party) if needs_own_run(door) else NEVER
        if self.somebody.role is Role.GUEST:
            if self.relation is Relation.OWN:
                holder = await self._live(key, self.party)
                token = await self._capability(own_run if needs_own_run(door) else holder)
                if needs_own_run(door):
                    await self._release(holder)
            elif needs_own_run(door):
                token = await self._capability(own_run)
        elif self.party.person_id is not None and door.operation == "swap_device":
            await self._finished(own_device, self.party)
        return Named(key, NEVER, own_device, own_run), token

    async def _run_behind(self, key: str, door: Door) -> tuple[str, str | None]:
        whose = self.party
        if self.relation is Relation.COLLEAGUES:
            whose = await self.colleague()
        elif self.relation in (Relation.FOREIGN, Relation.ACTIVATED):
            whose = await self.other()
        elif self.relation is Relation.GUESTS:
            whose = Party()
        await self._relate(key, on_run=True)
        run_id = await self._live(key, whose)
        is_own = whose == self.party and self.relation is not Relation.GUESTS
        is_guests = self.somebody.role is Role.GUEST and is_own
        return run_id, await self._capability(run_id) if is_guests else None

    async def _relate(self, key: str, *, on_run: bool) -> None:
        match self.relation:
            case Relation.OWN if self.party.person_id is not None:
                await self._finished(key, self.party)
            case Relation.COLLEAGUES:
                await self._finished(key, await self.colleague())
            case Relation.FOREIGN:
                other = await self.other()
                await self.whole.stage.control(key, owner_dealer_id=other.dealer_id)
            case Relation.FINISHED:
                await self._finished(key, await self.other())
            case Relation.REPLACED:
                await self._finished(key, await self.other(), ActivationType.REPLACE_DEVICE)
            case Relation.PAID:
                await self._paid(key, await self.other())
            case Relation.ACTIVATED if not on_run:
                await self._live(key, await self.other())
            case Relation.GUESTS if not on_run:
                await self._live(key, Party())
            case Relation.OWN if self.somebody.role is Role.ANONYMOUS and not on_run:
                await self._live(key, Party())
            case _:
                pass

    async def _finished(
        self, key: str, party: Party, kind: ActivationType = ActivationType.NEW_DEVICE
    ) -> None:
        async with self.whole.sessions.begin() as session:
            session.add(a_row("activation", uuid.uuid4().hex, key, party, type_=kind, ended=True))

    async def _live(self, key: str, party: Party) -> str:
        """An activation of the party that holds the device, with a firmware run."""
        run_id = uuid.uuid4().hex
        async with self.whole.sessions.begin() as session:
            session.add(a_row("activation", run_id, key, party))
            session.add(a_row("firmware", f"fw{run_id}", key, party))
            await device_reservations.reserve(
                session,
                device_key=key,
                kind="activation",
                flow_id=run_id,
                workflow_id=f"row-{run_id}",
            )
        return run_id

    async def _release(self, run_id: str) -> None:
        async with self.whole.sessions.begin() as session:
            await device_reservations.release(session, flow_id=run_id)

    async def _paid(self, key: str, party: Party) -> None:
        kind, now = FOUR[1], datetime.now(UTC)
        async with self.whole.sessions.begin() as session:
            await subscribe(
                session,
                Subscription(
                    id=f"paid:{key}",
                    device_key=key,
                    product_name="ft-x1",
                    plan_id=plan_id(kind.slug, Term.ONE_YEAR),
                    plan_slug=kind.slug,
                    plan_name=kind.name,
                    rank=kind.rank,
                    term=Term.ONE_YEAR,
                    starts_at=now - timedelta(days=1),
                    ends_at=now + timedelta(days=364),
                    worth="73.00",  # pyright: ignore[reportArgumentType] read by pydantic
                    partner_code=party.partner_code,
                    dealer_id=party.dealer_id,
                    owner_id=None,
                    purchase_id=None,
                ),
            )

    async def _capability(self, run_id: str) -> str:
        capability = new_capability()
        async with self.whole.sessions.begin() as session:
            await capabilities.add_capability(
                session,
                token_hash=capability.hash,
                flow_id=run_id,
                life=timedelta(days=1),
            )
        return capability.token

    async def knock(self, browser: httpx.AsyncClient, door: Door) -> None:
        named, token = await self.behind(door)
        outcome = expected(self.somebody, door, self.relation)
        send = self.decided if outcome is Expected.FOREIGN else self.send
        answer = await send(browser, door, named, token)
        where = (door.operation, door.of_run, named, answer.status_code, answer.text[:300])
        match outcome:
            case Expected.BARRED:
                is_barred = answer.status_code in (401, 403)
                assert is_barred or code_of(answer) == "no_business_for_plans", where
            case Expected.ALLOWED:
                assert answer.status_code < 500 or answer.status_code == 503, where
                assert code_of(answer) not in ("unknown_device", "not_found"), where
            case Expected.FOREIGN:
                absent = a_device_key(traits="900")
                never = Named(
                    named.device_key if door.of_run else absent,
                    NEVER if door.of_run else named.run_id,
                    named.own_device,
                    named.own_run,
                )
                twin = await self.decided(browser, door, never, token)
                assert without_ids(answer, named) == without_ids(twin, never), where
                if door.like_absent is None:
                    assert answer.status_code == 404, where
        if outcome is not Expected.ALLOWED:
            self.felt_nothing.append(named.device_key)

    async def decided(
        self, browser: httpx.AsyncClient, door: Door, named: Named, token: str | None
    ) -> httpx.Response:
        """Asked again while it is accepted and not answered yet, as a busy machine takes longer than a call waits."""
        return await until(
            lambda: self.send(browser, door, named, token),
            lambda answer: answer.status_code != 202,
        )

    async def send(
        self, browser: httpx.AsyncClient, door: Door, named: Named, token: str | None
    ) -> httpx.Response:
        """Who does not sign in comes from a new address each time: wrong tries are counted by it."""
        method, path, in_query, in_body = OPERATIONS[door.operation]
        asked = with_digits(door.ask(named), iccid_of(named.device_key), in_query, in_body)

        async def request(by: httpx.AsyncClient) -> httpx.Response:
            return await by.request(
                method,
                path.format(**asked.path),
                params=asked.query,
                json=asked.json,
                headers={"Idempotency-Key": uuid.uuid4().hex},
            )

        if self.somebody.user is not None:
            return await request(browser)
        async with a_browser(self.whole.app) as fresh:
            shown = token or self.somebody.token
            if shown is not None:
                use_token(fresh, shown)
            return await request(fresh)

    async def check_nothing_was_felt(self) -> None:
        """By the stand-in's ledger, by Temporal and by our own rows."""
        client = self.whole.stage.client

        async def is_absent(workflow_id: str) -> bool:
            try:
                await client.get_workflow_handle(workflow_id).describe()
            except RPCError as error:
                return error.status is RPCStatusCode.NOT_FOUND
            return False

        for key in self.felt_nothing:
            assert await self.whole.stage.effects(key) == {}, key
        names = [
            name
            for key in self.felt_nothing
            for name in (ids.activation_id(key), ids.firmware_id(key))
        ]
        assert all(await asyncio.gather(*map(is_absent, names)))
        async with self.whole.sessions() as session:
            begun = await session.scalar(
                select(func.count()).where(
                    FlowRow.device_key.in_(self.felt_nothing),
                    FlowRow.workflow_id.not_like("row-%"),
                )
            )
        assert begun == 0


@pytest.mark.parametrize("relation", Relation)
@pytest.mark.parametrize("role", Role)
async def test_every_door_answers_by_whose_the_device_is(
    whole: Whole, world: World, role: Role, relation: Relation
) -> None:
    somebody = await world.somebody(role)
    cells = Cells(whole, world, somebody, relation)
    async with world.browser(somebody) as browser:
        for door in tried(role, relation):
            await cells.knock(browser, door)
    await cells.check_nothing_was_felt()


@pytest.mark.parametrize(
    ("role", "relation", "operation"),
    [
        (Role.INSTALLER, Relation.FOREIGN, "start_activation"),
        (Role.INSTALLER, Relation.FINISHED, "start_activation"),
        (Role.INSTALLER, Relation.PAID, "start_activation"),
        (Role.CONSUMER, Relation.FOREIGN, "start_activation"),
        (Role.OUTSIDE_REP, Relation.FOREIGN, "start_activation"),
        (Role.INSTALLER, Relation.FOREIGN, "send_device_command"),
        (Role.GUEST, Relation.PAID, "swap_device"),
        (Role.INSTALLER, Relation.PAID, "swap_device"),
    ],
)
async def test_nobody_takes_over_or_swaps_away_what_is_anothers(
    whole: Whole, world: World, role: Role, relation: Relation, operation: str
) -> None:
    """The cells by which most would be lost, in whichever share they are."""
    somebody = await world.somebody(role)
    cells = Cells(whole, world, somebody, relation)
    doors = [door for door in DOORS.values() if door.operation == operation]
    assert {expected(somebody, door, relation) for door in doors} == {Expected.FOREIGN}
    async with world.browser(somebody) as browser:
        for door in doors:
            await cells.knock(browser, door)
    await cells.check_nothing_was_felt()


def tried(role: Role, relation: Relation) -> list[Door]:
    """Every third of the doors for an installer, for other roles every ninth, so that the neighbours of a cell try all of them.
    `WHOLE=1` tries them all."""
    doors = list(DOORS.values())
    if is_whole():
        return doors
    shares = 3 if role is Role.INSTALLER else 9
    return doors[(list(Role).index(role) + list(Relation).index(relation)) % shares :: shares]


def test_no_door_is_left_out_in_any_relation_or_any_role() -> None:
    for relation in Relation:
        assert {id(door) for role in Role for door in tried(role, relation)} == EVERY_DOOR
    for role in Role:
        assert {id(door) for relation in Relation for door in tried(role, relation)} == EVERY_DOOR


def with_digits(asked: Asked, digits: str, in_query: bool, in_body: bool) -> Asked:
    """The SIM digits of the device, wherever they are taken: possession makes nothing foreign one's own."""
    query, json = dict(asked.query), dict(asked.json) if asked.json is not None else None
    if in_query:
        query["iccid_last_digits"] = digits
    if in_body and json is not None:
        json.setdefault("iccid_last_digits", digits)
    return Asked(path=asked.path, query=query, json=json)


def code_of(answer: httpx.Response) -> str | None:
    if answer.headers.get("content-type") != "application/problem+json":
        return None
    return answer.json()["code"]


def without_ids(answer: httpx.Response, named: Named) -> tuple[int, dict[str, str], Any]:
    """Status, headers and body, without the ids of the request and of what it names."""
    headers = {k: v for k, v in answer.headers.items() if k not in CHANGING_HEADERS}
    body = answer.json()
    body.pop("instance", None)
    if "uuid" in body:  # of a purchase that only quotes
        for name in ("uuid", "flow"):
            body.pop(name, None)
        headers.pop("content-length", None)
    text = httpx.Response(200, json=body).text
    for name in (named.device_key, named.run_id):
        text = text.replace(name, "-")
    return answer.status_code, headers, text


def a_row(
    kind: str,
    id_: str,
    key: str,
    party: Party,
    *,
    type_: ActivationType = ActivationType.NEW_DEVICE,
    ended: bool = False,
) -> FlowRow:
    """A run of the party as its projection shows it; no workflow stands behind it."""
    now = datetime.now(UTC)
    view = {**a_view_of_run(kind, id_, key, None), "owner_id": party.person_id}
    if kind == "activation":
        view["type"] = type_
    return FlowRow(
        id=id_,
        kind=kind,
        version=1,
        workflow_id=f"row-{id_}",
        run_id=str(uuid.uuid4()),
        rev=1,
        seq=1,
        state="completed" if ended else "power-on-device",
        allowed=[],
        view=view,
        device_key=key,
        site="ca",
        dealer_id=party.dealer_id,
        owner_id=party.person_id,
        partner=party.partner_code,
        outcome="completed" if ended else None,
        created_at=now,
        updated_at=now,
        ended_at=now if ended else None,
    )
