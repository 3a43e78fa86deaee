"""The invented catalogue has the size and the proportions that it is meant to have, on every machine."""

import hashlib
from collections import Counter

from pydantic import TypeAdapter
from sqlalchemy import text

from db.base import Sessions
from db.demo.catalogue.products import DEMO_PRODUCTS, KINDS, products
from db.seed import seed
from domain.content.pages import Block

DEMO = list(products(1, DEMO_PRODUCTS))
INVENTED = "select count(*) from product where id ~ '^p[0-9]+$'"
_BLOCKS = TypeAdapter(list[Block])


def test_the_demo_set_is_made_in_the_proportions_of_the_trade() -> None:
    assert Counter(one.kind.name for one in DEMO) == {kind.name: kind.share for kind in KINDS}
    assert sum(kind.share for kind in KINDS) == DEMO_PRODUCTS
    assert len({one.brand for one in DEMO}) == 13
    assert 540 <= sum(len(one.variants) for one in DEMO) <= 590
    assert len({variant.sku for one in DEMO for variant in one.variants}) == sum(
        len(one.variants) for one in DEMO
    )
    listed = sorted(float(one.variants[0].msrp) for one in DEMO)
    assert listed[0] >= 4
    assert listed[-1] <= 900
    assert 60 <= listed[len(listed) // 2] <= 100
    assert 0.03 <= sum(not one.is_for_purchase for one in DEMO) / DEMO_PRODUCTS <= 0.09
    assert 0.05 <= sum(one.variants[0].on_hand == 0 for one in DEMO) / DEMO_PRODUCTS <= 0.11
    assert 800 <= sum(len(one.related) for one in DEMO) <= 1000


def test_a_product_is_the_same_in_every_size() -> None:
    assert list(products(100, 105)) == DEMO[99:105]
    assert len(list(products(99_998, 100_000))) == 3
    told = "\n".join(f"{one.name} {one.sku} {one.variants[0].msrp}" for one in DEMO)
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == "012267459df0498e"


def test_every_description_is_of_blocks_that_we_show() -> None:
    for one in DEMO:
        assert len(_BLOCKS.validate_python(one.description)) == len(one.description)
        assert "<script" not in str(one.description)


async def test_the_demo_set_loads_with_prices_deals_and_old_skus(demo_sessions: Sessions) -> None:
    counts = {
        "select count(*) from product where id in (select 'p' || n from generate_series(1, 480) n)": 480,
        "select count(*) from sku_alias where alias like '%-OLD'": 20,
        "select count(*) from approved_product": 35,
        "select count(distinct scope) from price_list where kind = 'agreed' and id like 'agreed-%'": 6,
        "select count(*) from accessory where slug in ('dronemobile', 'rf-kit')": 12,
    }
    async with demo_sessions() as session:
        for query, expected in counts.items():
            assert await session.scalar(text(query)) == expected, query
        deals = await session.scalar(
            text(
                "select count(distinct p.variant_id) from price p join variant v on v.id = p.variant_id"
                " where p.list_id = 'dealer-1-winter'"
                " and v.product_id in (select 'p' || n from generate_series(1, 480) n)"
            )
        )
        assert deals is not None
        assert 40 <= deals <= 100


async def test_seeding_again_adds_only_further_products(demo_sessions: Sessions) -> None:
    assert not await seed(demo_sessions)
    async with demo_sessions() as session:
        before = await session.scalar(text(INVENTED)) or 0
    assert await seed(demo_sessions, products=before + 3)
    async with demo_sessions() as session:
        after = await session.scalar(text(INVENTED))
    assert after == before + 3
