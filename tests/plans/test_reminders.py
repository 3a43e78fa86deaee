"""Businesses are told once of plans that end soon."""

import pytest
from sqlalchemy import update

from db.base import make_engine, make_sessions
from db.plans.plans import SubscriptionRow
from tests.drivers.database.statements import statements_on
from tests.drivers.factories import a_dealer, an_inside_rep, an_installer, an_owner
from tests.drivers.whole_portal import Whole
from tests.partners.factories import let_see
from tests.plans.test_api import a_subscription
from workers.plan_reminders import PlanReminders


async def test_whoever_owns_the_business_is_reminded_once(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    owner = await an_owner(whole.sessions, dealer)
    soon = await a_subscription(whole.sessions, dealer, days_left=20)
    later = await a_subscription(whole.sessions, dealer, days_left=40)
    messenger = whole.stage.systems.messenger
    reminders = PlanReminders(whole.sessions, messenger, portal_url="http://portal.test")
    while await reminders.remind():
        pass
    (mail,) = await whole.stage.mails(owner.email)
    assert soon in mail["text"]
    assert later not in mail["text"]
    assert await reminders.remind() == 0


@pytest.mark.parametrize("who", ["rep", "without_right", "retired"])
async def test_owners_are_reminded_in_the_place_of_a_rep_and_of_who_may_not_renew(
    whole: Whole, who: str
) -> None:
    dealer = await a_dealer(whole.sessions)
    owner = await an_owner(whole.sessions, dealer)
    if who == "rep":
        buyer = await an_inside_rep(whole.sessions)
        await let_see(whole.sessions, buyer, dealer.partner_code)
    else:
        is_retired = who == "retired"
        buyer = await an_installer(
            whole.sessions, dealer, is_purchaser=is_retired, is_retired=is_retired
        )
    soon = await a_subscription(whole.sessions, dealer, days_left=20)
    async with whole.sessions.begin() as session:
        theirs = update(SubscriptionRow).where(SubscriptionRow.device_key == soon)
        await session.execute(theirs.values(owner_id=buyer.id))
    messenger = whole.stage.systems.messenger
    reminders = PlanReminders(whole.sessions, messenger, portal_url="http://portal.test")
    while await reminders.remind():
        pass
    (mail,) = await whole.stage.mails(owner.email)
    assert soon in mail["text"]
    assert await whole.stage.mails(buyer.email) == []


async def test_a_month_is_reminded_of_in_its_last_week(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    owner = await an_owner(whole.sessions, dealer)
    months = [await a_subscription(whole.sessions, dealer, days_left=days) for days in (5, 12)]
    async with whole.sessions.begin() as session:
        await session.execute(
            update(SubscriptionRow)
            .where(SubscriptionRow.device_key.in_(months))
            .values(term="month_to_month")
        )
    messenger = whole.stage.systems.messenger
    reminders = PlanReminders(whole.sessions, messenger, portal_url="http://portal.test")
    while await reminders.remind():
        pass
    (mail,) = await whole.stage.mails(owner.email)
    assert months[0] in mail["text"]
    assert months[1] not in mail["text"]


async def test_whose_plans_are_is_asked_once_however_many_they_are(
    whole: Whole, database_url: str
) -> None:
    engine, messenger = make_engine(database_url), whole.stage.systems.messenger
    reminders = PlanReminders(make_sessions(engine), messenger, portal_url="http://portal.test")
    while await reminders.remind():
        pass
    counted: list[int] = []
    for plans in (1, 5):
        dealer = await a_dealer(whole.sessions)
        owner = await an_owner(whole.sessions, dealer)
        for _ in range(plans):
            await a_subscription(whole.sessions, dealer, days_left=20)
        with statements_on(engine) as asked:
            assert await reminders.remind() == plans
        counted.append(len(asked))
        (mail,) = await whole.stage.mails(owner.email)
        assert mail["text"].count("FT-X1") == plans
    await engine.dispose()
    assert counted[0] == counted[1]


async def test_a_reminder_leads_to_the_site_of_the_business(whole: Whole) -> None:
    messenger = whole.stage.systems.messenger
    reminders = PlanReminders(whole.sessions, messenger, portal_url="http://localhost:8000")
    owners = {}
    for prefix, country in (("N", "CA"), ("U", "US"), ("B2C", "CA"), ("M", "MX")):
        dealer = await a_dealer(whole.sessions, prefix=prefix, country=country)
        owners[prefix] = await an_owner(whole.sessions, dealer)
        await a_subscription(whole.sessions, dealer, days_left=20)
    while await reminders.remind():
        pass
    for prefix, owner in owners.items():
        host = "localhost" if prefix == "N" else "us.localhost"
        (mail,) = await whole.stage.mails(owner.email)
        assert f"Renew them: http://{host}:8000/subscriptions" in mail["text"]
