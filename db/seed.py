"""The demo data that the README names. Fills an empty database only; `--force` adds what is missing. In production it
adds nothing, whatever is asked: everybody knows the password of its people.

python -m db.seed            fill
python -m db.seed --show     print the sign-ins
python -m db.seed --force --products 10000     the catalogue in a larger size
"""

import argparse
import asyncio
from datetime import UTC, datetime

from db.base import Sessions, make_engine, make_sessions
from db.demo.activations import add_finished_activations
from db.demo.approvals import add_waiting
from db.demo.cases import add_cases
from db.demo.catalogue.load import add_catalogue, checksums
from db.demo.catalogue.products import DEMO_PRODUCTS
from db.demo.offers import add_shipping_methods
from db.demo.orders_load import add_orders
from db.demo.partners import STORIES, add_partners
from db.demo.payment_methods import METHOD_OF_PRAIRIE, add_payment_methods
from db.demo.payouts import add_payouts
from db.demo.people import HARBOUR, PASSWORD, PEOPLE, add_people, has_people
from db.demo.plans import add_plans, add_subscriptions
from db.demo.vehicles.models import add_vehicles
from db.demo.wiring.load import add_wiring
from settings import Settings


async def seed(
    sessions: Sessions,
    *,
    force: bool = False,
    products: int = DEMO_PRODUCTS,
    portal_url: str = "http://localhost:8000",
) -> bool:
    """Everything in one transaction; `portal_url` is for the mails of what goes on. Answers whether anything was added."""
    async with sessions.begin() as session:
        is_new = force or not await has_people(session)
        if is_new:
            await add_people(session)
            await add_partners(session)
            await add_shipping_methods(session)
            await add_vehicles(session)
        has_plans = await add_plans(session)
        if is_new or has_plans:
            await add_subscriptions(session, HARBOUR.code, datetime.now(UTC))
        has_products = await add_catalogue(session, count=products)
        has_wiring = await add_wiring(session)
        has_orders = await add_orders(session, datetime.now(UTC))
        if has_orders:
            await add_cases(session, HARBOUR.code, datetime.now(UTC))
        has_methods = await add_payment_methods(session)
        has_work = await add_finished_activations(session, datetime.now(UTC))
        has_waiting = await add_waiting(
            session, datetime.now(UTC), portal_url=portal_url, method_id=METHOD_OF_PRAIRIE
        )
        if has_work:
            await add_payouts(session, datetime.now(UTC))
        return (
            bool(has_products or has_orders or has_wiring)
            or has_methods
            or has_plans
            or has_work
            or has_waiting
            or is_new
        )


def sign_ins() -> str:
    """The sign-ins as lines of text, for people."""
    people = (*PEOPLE, *STORIES)
    width = max(len(person.email) for person in people)
    lines = [f"  {person.email:<{width}}  {person.what}" for person in people]
    return "\n".join([f"Sign in as any of these with the password {PASSWORD}", *lines])


async def _main(*, force: bool, products: int) -> None:
    settings = Settings()
    if settings.is_production:
        print("In production there are no demo people and no demo data; nothing was added.")
        return
    engine = make_engine(settings.migrations_database_url, is_limited=False)
    sessions = make_sessions(engine)
    added = await seed(sessions, force=force, products=products, portal_url=settings.portal_url)
    if products > DEMO_PRODUCTS:
        async with sessions() as session:
            print(*await checksums(session), sep="\n")
    await engine.dispose()
    print("Demo data added." if added else "The database has data already; nothing was added.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m db.seed", description="Demo data")
    parser.add_argument("--show", action="store_true", help="only print the sign-ins")
    parser.add_argument("--force", action="store_true", help="add what is missing in any case")
    parser.add_argument(
        "--products", type=int, default=DEMO_PRODUCTS, help="in the catalogue, up to 100000"
    )
    options = parser.parse_args()
    if options.show:
        print(sign_ins())
        return
    asyncio.run(_main(force=options.force, products=options.products))


if __name__ == "__main__":
    main()
