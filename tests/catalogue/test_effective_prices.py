"""What the database works out is what the rules say, for any lists and any change of them."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random

import pytest
from sqlalchemy import text

from db.base import Sessions
from db.catalogue.prices import PriceList, put_price_list, set_price, work_out_all
from db.catalogue.search import ProductQuery, find_products
from domain.catalogue.pricing import ListedSpan, ListKind, Viewer, listed_at, scope_of_partner
from domain.catalogue.products import Sort, read_term
from tests.catalogue.factories import a_brand, a_list, a_product, a_word, priced
from tests.drivers.factories import a_name
from tests.drivers.sampled import sampled

START = datetime(2026, 1, 1, tzinfo=UTC)

_AT = """
select amount, list_id from effective_price
where scope = :scope and variant_id = :variant and starts_at <= :at and ends_at > :at
"""


def day(number: int | None) -> datetime | None:
    return None if number is None else START + timedelta(days=number)


def a_random_list(chance: Random, scope: str) -> PriceList:
    begins = chance.choice([None, *range(10)])
    ends = chance.choice([None, *range((begins or 0) + 1, 14)])
    return PriceList(
        id=f"{scope}-{a_name()}",
        scope=scope,
        name="List",
        kind=ListKind.TIER,
        starts_at=day(begins),
        ends_at=day(ends),
    )


@pytest.mark.parametrize("seed", sampled(range(12), 3))
async def test_at_any_time_the_list_that_began_last_holds(sessions: Sessions, seed: int) -> None:
    chance, scope = Random(seed), a_word()
    made = await a_product(sessions)
    held = dict[str, tuple[PriceList, Decimal]]()
    for _ in range(8):
        given = chance.choice([one for one, _ in held.values()] or [a_random_list(chance, scope)])
        if chance.random() < 0.7:
            given = a_random_list(chance, scope)
        elif chance.random() < 0.5:
            given = a_random_list(chance, scope).model_copy(update={"id": given.id})
        amount = Decimal(chance.randint(1, 99))
        takes_off = given.id in held and chance.random() < 0.3
        async with sessions.begin() as session:
            await put_price_list(session, given)
            await set_price(session, given.id, made.variant_id, None if takes_off else amount)
        if takes_off:
            del held[given.id]
        else:
            held[given.id] = (given, amount)
    await agrees(sessions, scope, made.variant_id, held)
    async with sessions.begin() as session:
        await work_out_all(session)
    await agrees(sessions, scope, made.variant_id, held)


async def agrees(
    sessions: Sessions, scope: str, variant: str, held: dict[str, tuple[PriceList, Decimal]]
) -> None:
    spans = [
        ListedSpan(list_id=one.id, amount=amount, starts_at=one.starts_at, ends_at=one.ends_at)
        for one, amount in held.values()
    ]
    for hours in range(-24, 24 * 15, 12):
        at = START + timedelta(hours=hours)
        async with sessions() as session:
            values = {"scope": scope, "variant": variant, "at": at}
            rows = (await session.execute(text(_AT), values)).all()
        expected = listed_at(spans, at)
        assert [tuple(row) for row in rows] == (
            [(expected.amount, expected.list_id)] if expected else []
        )


async def test_one_changed_price_touches_no_other_row(sessions: Sessions) -> None:
    channel = a_word()
    tier = await a_list(sessions, channel)
    changed, kept = await a_product(sessions), await a_product(sessions)
    await priced(sessions, tier, changed, "10")
    await priced(sessions, tier, kept, "20")

    async def version(variant: str) -> str:
        async with sessions() as session:
            query = text("select xmin::text from effective_price where variant_id = :v")
            return await session.scalar(query, {"v": variant}) or ""

    before = await version(kept.variant_id), await version(changed.variant_id)
    await priced(sessions, tier, changed, "11")
    after = await version(kept.variant_id), await version(changed.variant_id)
    assert before[0] == after[0]
    assert before[1] != after[1]


@pytest.mark.parametrize("seed", sampled(range(6), 2))
async def test_the_order_by_sql_is_the_order_of_the_figures(sessions: Sessions, seed: int) -> None:
    """The sort key of the statement and the figure of the rule say the same."""
    chance, channel, word = Random(seed), a_word(), a_word()
    code = a_word().upper()
    brands = [await a_brand(sessions) for _ in range(3)]
    tier = await a_list(sessions, channel)
    agreed = await a_list(sessions, scope_of_partner(code), kind=ListKind.AGREED)
    for _ in range(14):
        msrp = chance.choice([None, str(chance.randint(1, 9))])
        made = await a_product(sessions, name=word, brand=chance.choice(brands), msrp=msrp)
        for where in (tier, agreed):
            if chance.random() < 0.5:
                await priced(sessions, where, made, str(chance.randint(1, 9)))
    viewer = Viewer(
        channel=channel,
        partner_code=code,
        approved_brands=frozenset(brands[: seed % 3]),
        is_retired=seed == 5,
    )
    for sort in (Sort.PRICE_ASC, Sort.PRICE_DESC):
        wanted = ProductQuery(term=read_term(word), sort=sort, limit=100)
        async with sessions() as session:
            found = await find_products(session, viewer, wanted)
        shown = [summary.figure.amount for summary in found.products]
        with_price = sorted(amount for amount in shown if amount is not None)
        if sort is Sort.PRICE_DESC:
            with_price.reverse()
        assert shown == [*with_price, *[None] * (len(shown) - len(with_price))]
        assert found.total == 14
