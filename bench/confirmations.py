"""The mails that confirm: of an order a worker writes and sends one beside the run, a purchase and a payment of invoices send
theirs themselves. Neither a bare workflow nor the peer has any (its e-mail is left out), so all are measured with them and
without."""

import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager

import psycopg

from db.base import Sessions
from db.platform.sent_mail import SentMail
from providers.messenger import key_for

OUT_WITHIN = 30
LOOK_EVERY = 0.05


def await_mailed(owner_url: str) -> None:
    """Until none waits that is not held back: what is measured next has no part in them. Raises TimeoutError."""
    give_up_at = time.monotonic() + OUT_WITHIN
    with psycopg.connect(owner_url, autocommit=True) as database:
        while database.execute(
            "select from order_mail where next_at < 'infinity' limit 1"
        ).fetchone():
            if time.monotonic() > give_up_at:
                raise TimeoutError("confirmations are still to be mailed")
            time.sleep(LOOK_EVERY)


@contextmanager
def held_back(owner_url: str) -> Generator[None]:
    """What an order's run writes down stays, and nobody looks at it; it is forgotten at the end."""
    with psycopg.connect(owner_url, autocommit=True) as database:
        database.execute("alter table order_mail alter next_at set default 'infinity'")
        try:
            yield
        finally:
            database.execute("alter table order_mail alter next_at set default now()")
            database.execute("delete from order_mail where next_at = 'infinity'")


async def count_as_mailed(sessions: Sessions, to: str, keys: Iterable[str]) -> None:
    """What a run mails to this address by one of these keys is out already: it writes nothing then, draws no paper, and sends
    nothing. Its activity stays, as a bare run has one for it."""
    sent = SentMail(sessions)
    for key in keys:
        await sent.add(key_for(key, to))
