"""One mail for each key, whatever the mail server forgets."""

import uuid
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import LiteralString, cast

import httpx
import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from sqlalchemy import func, select, update

from activities.operations.cases import CaseActivities, CaseMail, MailKind
from api.platform.border.deadline import MAIL_SECONDS
from api.platform.errands import Errands
from assembly import MESSAGE_SECONDS, TEXT_SECONDS_OF_A_CALL
from db.base import IDLE_SECONDS, Sessions
from db.content.inquiries import InquiryKind, save_inquiry
from db.identity.people import PersonRow
from db.plans.plans import SubscriptionRow
from db.platform.sent_mail import SentMail, SentMailRow
from db.runs.projections import save_projection
from domain.billing.payments import PayingFlow
from domain.letters.language import Language, Reader, Reads
from domain.letters.text import Written
from domain.operations.cases import BelongsTo, CaseCause, CaseView
from domain.runs.projection import Projection
from providers.erp.orders import ErpOrders
from providers.errors import Unavailable
from providers.messages.haste import HASTE
from providers.messages.letter import Paper
from providers.messenger import Messenger
from settings import Settings
from tests.drivers.factories import a_dealer, a_name, an_owner
from tests.drivers.outside.mail_server import a_messenger, taking_mail
from tests.plans.test_api import a_subscription
from workers.housekeeping import WANTS_COPY, Housekeeping
from workers.plan_reminders import PlanReminders
from workflows import calls

STAND_INS = "http://simulators"


@pytest.fixture
async def http(simulators: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(simulators)
    async with httpx.AsyncClient(transport=transport, base_url=STAND_INS) as client:
        yield client


@pytest.fixture
async def messenger(
    sessions: Sessions, simulators: FastAPI, http: httpx.AsyncClient
) -> AsyncGenerator[Messenger]:
    async with taking_mail(lambda: simulators) as mail_url:
        yield a_messenger(http, mail_url, base_url=STAND_INS, sent=SentMail(sessions))


async def texts_to(http: httpx.AsyncClient, address: str) -> list[str]:
    answer = await http.get("/messenger/_outbox", params={"to": address})
    return [one["text"] for one in answer.json()["results"]]


def somebody() -> str:
    return f"{a_name()}@mails.example"


def nowhere() -> str:
    """The mail server answers 451 to it, always."""
    return f"down@{a_name()}.example"


async def test_a_mail_goes_out_once_for_its_key(
    messenger: Messenger, http: httpx.AsyncClient
) -> None:
    to, key = somebody(), uuid.uuid4().hex
    for _ in range(2):
        await messenger.send_mail(to, "Hello", "A text", key=key)
    assert len(await texts_to(http, to)) == 1


async def test_each_is_written_to_once_until_all_are_reached(
    messenger: Messenger, http: httpx.AsyncClient
) -> None:
    first, last, key = somebody(), somebody(), uuid.uuid4().hex
    readers = [Reader(email=one) for one in (first, nowhere(), last)]
    for _ in range(2):
        with pytest.raises(Unavailable):
            await messenger.write_to_each(readers, lambda _: ("Hello", "A text"), key=key)
    assert len(await texts_to(http, first)) == len(await texts_to(http, last)) == 1


async def test_papers_are_drawn_once_for_all_that_a_mail_still_goes_out_to(
    messenger: Messenger, http: httpx.AsyncClient
) -> None:
    first, second, last, key = somebody(), somebody(), somebody(), uuid.uuid4().hex
    drawn: list[Paper] = []

    async def papers() -> list[Paper]:
        drawn.append(Paper(name="receipt", content=b"%PDF-1.4"))
        return drawn[-1:]

    async def written_to(*to: str) -> int:
        readers = [Reader(email=one) for one in to]
        await messenger.write_to_each(
            readers, lambda _: ("Hello", "A text"), key=key, papers=papers
        )
        return len(drawn)

    assert await written_to(first, second) == 1
    assert await written_to(first, second) == 1
    assert await written_to(first, last) == 2
    assert [len(await texts_to(http, one)) for one in (first, second, last)] == [1, 1, 1]


async def test_what_went_out_long_ago_is_forgotten(
    messenger: Messenger, sessions: Sessions
) -> None:
    to, key = somebody(), uuid.uuid4().hex
    await messenger.send_mail(to, "Hello", "A text", key=key)
    async with sessions.begin() as session:
        await session.execute(
            update(SentMailRow)
            .where(SentMailRow.key == key)
            .values(sent_at=func.now() - timedelta(days=91))
        )
    await Housekeeping(sessions, messenger, inquiries_to=somebody()).sweep()
    assert not await SentMail(sessions).holds(key)


async def test_a_copy_that_is_not_taken_does_not_tell_the_desk_again(
    messenger: Messenger, sessions: Sessions, http: httpx.AsyncClient
) -> None:
    desk = somebody()
    async with sessions.begin() as session:
        said = {"message": "It beeps", WANTS_COPY: "yes"}
        await save_inquiry(session, InquiryKind.CONTACT_US, nowhere(), said)
    for _ in range(2):
        await Housekeeping(sessions, messenger, inquiries_to=desk).mail()
    assert sum("It beeps" in text for text in await texts_to(http, desk)) == 1


async def test_a_desk_that_cannot_be_reached_does_not_hold_up_the_others(
    messenger: Messenger, sessions: Sessions, http: httpx.AsyncClient
) -> None:
    desk, behind = somebody(), somebody()
    async with sessions.begin() as session:
        waiting = {"role": "Installer", "message": "Hello"}
        await save_inquiry(session, InquiryKind.CONTACT_US, somebody(), waiting)
    async with sessions.begin() as session:
        await save_inquiry(session, InquiryKind.CONTACT_US, behind, {"message": "Hello"})
    house = Housekeeping(sessions, messenger, inquiries_to=desk, desks={"Installer": nowhere()})
    for _ in range(2):
        await house.mail()
    assert sum(behind in text for text in await texts_to(http, desk)) == 1


async def test_an_owner_who_cannot_be_reached_does_not_hold_up_the_others(
    messenger: Messenger, sessions: Sessions, http: httpx.AsyncClient
) -> None:
    away, there = await a_dealer(sessions), await a_dealer(sessions)
    unreachable, owner = await an_owner(sessions, away), await an_owner(sessions, there)
    async with sessions.begin() as session:
        await session.execute(
            update(PersonRow).where(PersonRow.id == unreachable.id).values(email=nowhere())
        )
    first = await a_subscription(sessions, away, days_left=2)
    await a_subscription(sessions, there, days_left=20)
    reminders = PlanReminders(sessions, messenger, portal_url="http://portal.test")
    for _ in range(2):
        await reminders.remind()
    assert len(await texts_to(http, owner.email)) == 1
    async with sessions() as session:
        reminded = select(SubscriptionRow.reminded_at).where(SubscriptionRow.device_key == first)
        assert await session.scalar(reminded) is None


async def test_a_buyer_is_led_to_the_site_of_the_case(
    messenger: Messenger, sessions: Sessions, http: httpx.AsyncClient
) -> None:
    buyer, case_id, now = await an_owner(sessions), a_name(), datetime.now(UTC)
    shown = Projection(
        id=case_id,
        kind="case",
        version=1,
        workflow_id=f"case-{case_id}",
        run_id="1",
        rev=1,
        seq=0,
        state="working",
        allowed=(),
        view={},
        site="us",
        dealer_id=None,
        owner_id=buyer.id,
        partner=None,
        outcome=None,
        at=now,
        ended=True,
    )
    async with sessions.begin() as session:
        await save_projection(session, shown)
    case = CaseView(
        id=case_id,
        state="working",
        cause=CaseCause.ORDER_CANCELLED,
        belongs_to=BelongsTo(
            kind="order", id="4711", name="Order 4711", flow=PayingFlow.PLACEMENT, flow_id="x"
        ),
        detail="",
        amount=None,
        opened_at=now,
        due_at=now,
        updated_at=now,
    )
    cases = CaseActivities(
        cast(ErpOrders, None), messenger, sessions, portal_url="http://localhost:8000"
    )
    await cases.mail(CaseMail(kind=MailKind.OPENED, person_id=buyer.id, case=case, rev=1))
    (text,) = await texts_to(http, buyer.email)
    assert text.strip().endswith("http://us.localhost:8000/order/4711")


@dataclass(frozen=True)
class Looking:
    """A messenger that looks whether a row can be locked while it sends."""

    sessions: Sessions
    table: LiteralString
    free: list[bool]

    async def send_mail(self, to: str, subject: str, text: str, *, key: str) -> None:
        async with self.sessions.begin() as session:
            rows = sa.text(
                f"select id from {self.table} where taken_until > now() for update nowait"
            )
            self.free.append(bool((await session.execute(rows)).all()))

    async def write(self, to: Reads, written: Written, *, key: str) -> None:
        await self.send_mail(to.email, *written(Language.EN), key=key)


@pytest.mark.parametrize("table", ["inquiry", "subscription"])
async def test_no_row_is_locked_while_a_mail_is_on_its_way(
    sessions: Sessions, table: LiteralString
) -> None:
    looking = Looking(sessions, table, [])
    messenger = cast(Messenger, looking)
    if table == "inquiry":
        async with sessions.begin() as session:
            await save_inquiry(session, InquiryKind.CONTACT_US, somebody(), {"message": "Hello"})
        await Housekeeping(sessions, messenger, inquiries_to=somebody()).mail()
    else:
        dealer = await a_dealer(sessions)
        await an_owner(sessions, dealer)
        await a_subscription(sessions, dealer, days_left=2)
        await PlanReminders(sessions, messenger, portal_url="http://portal.test").remind()
    assert looking.free
    assert all(looking.free)


def test_a_mail_that_takes_long_is_over_before_whoever_waits_for_it_is() -> None:
    assert Settings().request_seconds - 0.5 >= max(MAIL_SECONDS, TEXT_SECONDS_OF_A_CALL)
    assert MESSAGE_SECONDS < IDLE_SECONDS
    assert calls.NOTIFY["start_to_close_timeout"].total_seconds() > MESSAGE_SECONDS


async def test_a_call_waits_for_a_mail_no_longer_than_it_may_and_an_errand_does(
    messenger: Messenger,
) -> None:
    HASTE.set(0.3)
    to, seen = f"slow@{a_name()}.example", list[float | None]()

    async def errand() -> None:
        seen.append(HASTE.get())

    with pytest.raises(Unavailable):
        await messenger.send_mail(to, "Hello", "A text", key=uuid.uuid4().hex)
    errands = Errands()
    errands.begin("look", errand())
    await errands.drain()
    assert seen == [None]
