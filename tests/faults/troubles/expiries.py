"""What ends, ends by the database's clock, whatever the time of the API and of its worker (promise 15)."""

from datetime import timedelta

from sqlalchemy import func, update

from db.base import Sessions, make_engine, make_sessions
from db.identity.sign_ins import SignInRow
from dev.stack import Stack
from tests.checkout.coupons.factories import a_channel_shop, a_coupon
from tests.faults.people.driver import Browser, Progress

HOUR = timedelta(hours=1)


async def expiries_hold(running: Stack, progress: Progress) -> None:
    """A coupon of this hour is there, those of the last and the next are not; a sign-in that is over is over at once."""
    engine = make_engine(running.database_url)
    sessions: Sessions = make_sessions(engine)
    shop, channel = await a_channel_shop(sessions)
    browser = Browser(running.portal_url, shop.buyer.email, progress)
    try:
        valid = await a_coupon(sessions, channel, ends_at=func.now() + HOUR)
        ended = await a_coupon(sessions, channel, ends_at=func.now() - HOUR)
        early = await a_coupon(sessions, channel, starts_at=func.now() + HOUR)
        await browser.sign_in()
        told = {one["code"] for one in (await browser.get("/api/get-coupons")).json()}
        if {valid, ended, early} & told != {valid}:
            progress.broken.append(f"{told} are offered: {valid} is valid, {ended} and {early} not")
        async with sessions.begin() as session:
            theirs = update(SignInRow).where(SignInRow.person_id == shop.buyer.id)
            await session.execute(theirs.values(expires_at=func.now()))
        refused = progress.answers["401"]
        await browser.get("/api/get-coupons")
        if progress.answers["401"] == refused:
            progress.broken.append("a sign-in that was over still held")
        progress.answers["expiries looked at"] += 1
    finally:
        await browser.close()
        await engine.dispose()
