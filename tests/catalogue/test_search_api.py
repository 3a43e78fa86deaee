"""Finding products: words, filters, order, pages (shop spec 2, 7 and 8)."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from db.base import Sessions
from db.catalogue.tables import ProductRow
from domain.catalogue.closeness import closeness
from tests.catalogue.factories import a_brand, a_list, a_product, a_word, priced
from tests.catalogue.people import a_buyer, amounts, ids, search, signed_in
from tests.drivers.factories import a_consumer

LONG_AGO = "2020-01-01T00:00:00Z"


async def test_all_words_must_be_found_and_the_beginning_of_a_word_is_enough(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    word = a_word()
    camry = await a_product(sessions, name=f"{word} Harness for Toyota Camry")
    await a_product(sessions, name=f"{word} Harness for Ford Escape")
    found = await search(browser, searchTerm=f"{word[:8].upper()} camr")
    assert (ids(found), found["totalCount"]) == ([camry.id], 1)


async def test_accents_and_marks_do_not_matter(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    word = a_word()
    made = await a_product(sessions, name=f"{word} Hood-Pin")
    accented = word[0] + "\u0301" + word[1:]
    assert ids(await search(browser, searchTerm=f"{accented}, (hood)")) == [made.id]


async def test_a_misspelt_word_finds_what_was_meant_and_says_so(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    word = a_word()
    made = await a_product(sessions, name=f"{word} Siren")
    swapped = word[:4] + word[5] + word[4] + word[6:]
    if swapped == word:
        swapped = word[:4] + "z" + word[5:]
    found = await search(browser, searchTerm=swapped)
    assert (ids(found), found["searchedFor"]) == ([made.id], word)


async def test_nothing_is_found_for_a_word_like_no_other(browser: httpx.AsyncClient) -> None:
    found = await search(browser, searchTerm="zzzzxyzzyzzz")
    assert (found["results"], found["totalCount"], found["searchedFor"]) == ([], 0, None)


@pytest.mark.parametrize("typed", ["{sku}", "{sku}-ST", "{low}std", "OLD-{sku}"])
async def test_the_beginning_of_a_sku_or_of_an_old_one_leads_to_the_product(
    browser: httpx.AsyncClient, sessions: Sessions, typed: str
) -> None:
    sku = a_word().upper() + "-1"
    made = await a_product(sessions, sku=f"{sku}-STD", old_sku=f"OLD-{sku}-X")
    term = typed.format(sku=sku, low=sku.lower().replace("-", ""))
    assert (await search(browser, searchTerm=term))["match"] == made.id


async def test_a_sku_of_digits_alone_is_found_also_when_it_could_be_a_card_number(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    for sku in ("4539578763621486", "735000111222"):
        made = await a_product(sessions, sku=sku)
        assert (await search(browser, searchTerm=sku))["match"] == made.id


async def test_a_beginning_that_two_skus_share_leads_to_neither(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    sku = a_word().upper() + "-7"
    await a_product(sessions, sku=f"{sku}-A")
    await a_product(sessions, sku=f"{sku}-B")
    found = await search(browser, searchTerm=sku)
    assert (found["match"], found["totalCount"]) == (None, 2)


async def test_a_year_finds_what_fits_by_the_range_in_its_title(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    word = a_word()
    fits = await a_product(sessions, name=f"{word} Harness for Honda Civic 2016-2021")
    await a_product(sessions, name=f"{word} Harness for Honda Civic 2020-2024")
    assert ids(await search(browser, searchTerm=f"{word} honda civic 2019")) == [fits.id]
    assert (await search(browser, searchTerm=f"{word} civic 2021"))["totalCount"] == 2


async def test_best_match_has_skus_then_whole_words_then_what_sells(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    word, brand = a_word(), await a_brand(sessions)
    begun = await a_product(sessions, brand=brand, name=f"{word}en", msrp="900", popularity=90)
    whole = await a_product(sessions, brand=brand, name=f"{word} B", msrp="1")
    sold = await a_product(sessions, brand=brand, name=f"{word} Z", msrp="2", popularity=9)
    coded = await a_product(sessions, brand=brand, sku=f"{word.upper()}-1-STD", msrp="3")
    asked = {"searchTerm": f"{word}", "sort": "best-match", "limit": 2}
    nearest = [sold.id, whole.id, coded.id, begun.id]
    first = await search(browser, **asked)
    second = await search(browser, **asked, endCursor=first["endCursor"])
    assert ids(first) + ids(second) == nearest
    assert ids(await search(browser, **asked, page=2)) == nearest[2:]
    async with sessions() as session:
        rows = (await session.scalars(select(ProductRow).where(ProductRow.id.in_(nearest)))).all()
    near = {
        row.id: closeness((word,), word, words=row.search_text.split(), popularity=row.popularity)
        for row in rows
    }
    assert [near[id_] for id_ in nearest] == sorted(near.values(), reverse=True)
    by_sku = await search(browser, searchTerm=f"{word}-1", sort="best-match")
    assert ids(by_sku)[0] == coded.id
    assert ids(await search(browser, searchTerm=word))[0] == begun.id  # the default: by price


@pytest.mark.parametrize("misspelt", [False, True])
async def test_facets_count_what_each_choice_would_find(
    browser: httpx.AsyncClient, sessions: Sessions, misspelt: bool
) -> None:
    word = a_word()
    here, there = await a_brand(sessions), await a_brand(sessions)
    for brand, category in ((here, "RF Kit"), (here, "Security"), (there, "RF Kit")):
        await a_product(sessions, name=f"{word} Thing", brand=brand, category=category)
    typed = word[:-1] + ("z" if word[-1] != "z" else "y") if misspelt else word
    body = {"searchTerm": typed, "filters": {"brands": [here]}}
    found = (await browser.post("/api/search-products-facets", json=body)).json()
    brands = {one["slug"]: one["count"] for one in found["brands"]}
    assert brands == {here: 2, there: 1}
    assert [(one["slug"], one["count"]) for one in found["categories"]] == [
        ("rf-kit", 1),
        ("security", 1),
    ]


async def test_what_is_in_stock_is_counted_and_found_alone(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    word, brand = a_word(), await a_brand(sessions)
    held = await a_product(sessions, name=word, brand=brand, category="RF Kit")
    await a_product(sessions, name=word, brand=brand, category="Security", on_hand=0)
    await a_product(sessions, name=word, brand=brand, is_for_purchase=False)
    await a_product(sessions, name=word)

    async def facets(**filters: object) -> dict[str, Any]:
        body = {"searchTerm": word, "filters": filters}
        return (await browser.post("/api/search-products-facets", json=body)).json()

    assert (await facets())["inStock"] == 2
    narrowed = await facets(brands=[brand], inStock=True)
    assert narrowed["inStock"] == 1
    assert [one["slug"] for one in narrowed["categories"]] == ["rf-kit"]
    found = await search(browser, searchTerm=word, filters={"brands": [brand], "inStock": True})
    assert (ids(found), found["totalCount"]) == ([held.id], 1)


async def test_facets_of_approved_brands_are_those_of_ones_business(
    portal: FastAPI, sessions: Sessions
) -> None:
    brand, word = await a_brand(sessions), a_word()
    await a_product(sessions, name=word, brand=brand, category="RF Kit")
    await a_product(sessions, name=word, category="Security")
    body = {"searchTerm": word, "filters": {"brands": ["approved"]}}
    async with signed_in(portal, await a_buyer(sessions, brand)) as browser:
        found = (await browser.post("/api/search-products-facets", json=body)).json()
    assert [one["slug"] for one in found["categories"]] == ["rf-kit"]
    assert len(found["brands"]) == 2


async def test_pieces_on_hand_are_told_to_whoever_works_for_a_business(
    portal: FastAPI, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    made = await a_product(sessions, name=a_word(), on_hand=42)
    async with signed_in(portal, await a_buyer(sessions)) as buyer:
        theirs = await search(buyer, searchTerm=made.sku)
        page = await buyer.get(f"/api/product-by-id/{made.id}")
    async with signed_in(portal, await a_consumer(sessions)) as consumer:
        consumers = await search(consumer, searchTerm=made.sku)
    guests = await search(browser, searchTerm=made.sku)
    told = [found["results"][0]["onHand"] for found in (theirs, consumers, guests)]
    assert told == [42, None, None]
    assert [one["onHand"] for one in page.json()["variants"]] == [42]
    visitors = await browser.get(f"/api/product-by-id/{made.id}")
    assert [one["onHand"] for one in visitors.json()["variants"]] == [None]


async def test_filters_by_brand_and_category_narrow_together(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    brand, other = await a_brand(sessions), await a_brand(sessions)
    wanted = await a_product(sessions, brand=brand, category="RF Kit")
    await a_product(sessions, brand=brand, category="Security")
    await a_product(sessions, brand=other, category="RF Kit")
    filters = {"brands": [brand], "categories": ["rf-kit"]}
    assert ids(await search(browser, filters=filters)) == [wanted.id]
    both = await search(browser, filters={"brands": [brand, other]})
    assert both["totalCount"] == 3


async def test_approved_stands_for_the_brands_of_ones_business(
    portal: FastAPI, sessions: Sessions
) -> None:
    brand, other = await a_brand(sessions), await a_brand(sessions)
    mine = await a_product(sessions, brand=brand)
    await a_product(sessions, brand=other)
    async with signed_in(portal, await a_buyer(sessions, brand)) as browser:
        found = await search(browser, filters={"brands": ["approved"]})
    assert ids(found) == [mine.id]
    assert found["accountInformation"]["approvedBrands"] == [brand]


async def test_without_approved_brands_none_is_found(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    await a_product(sessions)
    assert (await search(browser, filters={"brands": ["approved"]}))["totalCount"] == 0


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("price-desc", ["Dear", "Able", "Baker", "None A", "None B"]),
        ("price-asc", ["Able", "Baker", "Dear", "None A", "None B"]),
        ("name-asc", ["Able", "Baker", "Dear", "None A", "None B"]),
        ("name-desc", ["None B", "None A", "Dear", "Baker", "Able"]),
    ],
)
@pytest.mark.parametrize("limit", [1, 2, 8])
async def test_pages_by_cursor_and_by_number_hold_the_same_order(
    browser: httpx.AsyncClient, sessions: Sessions, sort: str, expected: list[str], limit: int
) -> None:
    """Products without a price are last in both directions; ties go by name."""
    brand = await a_brand(sessions)
    for name, price in [("Baker", "10"), ("Dear", "30"), ("Able", "10"), ("None B", None)]:
        await a_product(sessions, brand=brand, name=name, msrp=price)
    await a_product(sessions, brand=brand, name="None A", msrp=None)
    asked = {"filters": {"brands": [brand]}, "sort": sort, "limit": limit}
    by_cursor, by_number, cursor = list[str](), list[str](), None
    for page in range(1, -(-len(expected) // limit) + 1):
        found = await search(browser, **asked, endCursor=cursor)
        numbered = await search(browser, **asked, page=page)
        by_cursor += [one["name"] for one in found["results"]]
        by_number += [one["name"] for one in numbered["results"]]
        assert found["totalCount"] == len(expected)
        cursor = found["endCursor"]
    assert (by_cursor, by_number, cursor) == (expected, expected, None)


async def test_the_order_is_that_of_the_prices_that_the_caller_sees(
    portal: FastAPI, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    channel, brand, word = a_word(), await a_brand(sessions), a_word()
    tier = await a_list(sessions, channel)
    dear = await a_product(sessions, brand=brand, name=f"{word} A", msrp="100")
    cheap = await a_product(sessions, brand=brand, name=f"{word} B", msrp="90")
    foreign = await a_product(sessions, name=f"{word} C", msrp="70")
    for made, amount in ((dear, "50"), (cheap, "80"), (foreign, "1")):
        await priced(sessions, tier, made, amount)
    async with signed_in(portal, await a_buyer(sessions, brand, channel=channel)) as buyer:
        theirs = await search(buyer, searchTerm=word)
    assert ids(theirs) == [cheap.id, foreign.id, dear.id]
    assert amounts(theirs) == [80, 70, 50]
    assert ids(await search(browser, searchTerm=word)) == [dear.id, cheap.id, foreign.id]


async def test_a_cursor_skips_and_repeats_nothing_while_products_come_and_change(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    brand = await a_brand(sessions)
    made = [await a_product(sessions, brand=brand, msrp=str(price)) for price in (50, 40, 30, 20)]
    asked = {"filters": {"brands": [brand]}, "limit": 2}
    first = await search(browser, **asked)
    await a_product(sessions, brand=brand, msrp="60")
    between = await a_product(sessions, brand=brand, msrp="35")
    second = await search(browser, **asked, endCursor=first["endCursor"])
    third = await search(browser, **asked, endCursor=second["endCursor"])
    assert ids(first) == [made[0].id, made[1].id]
    assert ids(second) + ids(third) == [between.id, made[2].id, made[3].id]


async def test_a_cursor_call_leads_to_the_same_place_without_products(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    brand = await a_brand(sessions)
    for price in range(5):
        await a_product(sessions, brand=brand, msrp=str(price))
    asked = {"filters": {"brands": [brand]}, "limit": 2}
    answer = (await browser.post("/api/search-products-cursor", json=asked)).json()
    assert answer == {
        "endCursor": (await search(browser, **asked))["endCursor"],
        "hasNextPage": True,
        "totalCount": 5,
    }
    last = {**asked, "limit": 100}
    ended = (await browser.post("/api/search-products-cursor", json=last)).json()
    assert ended == {"endCursor": None, "hasNextPage": False, "totalCount": 5}


@pytest.mark.parametrize(
    "body",
    [
        {"sort": "price"},
        {"endCursor": "nonsense"},
        {"endCursor": "e30"},
        {"filters": {"brands": ["'; drop table product"]}},
        {"searchTerm": "x" * 121},
        {"searchTerm": 5},
        {"sapBpCode": "N 1"},
    ],
)
async def test_bad_input_is_refused(browser: httpx.AsyncClient, body: dict[str, object]) -> None:
    answer = await browser.post("/api/search-products", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert answer.json()["validation_errors"]


async def test_fields_that_are_not_known_are_dropped(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    brand = await a_brand(sessions)
    await a_product(sessions, brand=brand)
    body = {"filters": {"brands": [brand], "colour": ["red"]}, "page": 1, "shade": "dark"}
    answer = await browser.post("/api/search-products", json=body)
    assert answer.status_code == 200, answer.text
    assert len(answer.json()["results"]) == 1


@pytest.mark.parametrize(
    ("limit", "shown"), [(None, 8), ("", 8), (0, 8), ("many", 8), ("2", 2), (101, 9)]
)
async def test_a_limit_that_is_none_falls_back_and_one_above_the_most_is_cut(
    browser: httpx.AsyncClient, sessions: Sessions, limit: object, shown: int
) -> None:
    brand = await a_brand(sessions)
    for _ in range(9):
        await a_product(sessions, brand=brand)
    asked = {"filters": {"brands": [brand]}, "limit": limit, "page": None}
    answer = await browser.post("/api/search-products", json=asked)
    assert len(answer.json()["results"]) == shown


async def test_a_cursor_of_another_order_is_refused(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    brand = await a_brand(sessions)
    for _ in range(2):
        await a_product(sessions, brand=brand)
    asked = {"filters": {"brands": [brand]}, "limit": 1}
    cursor = (await search(browser, **asked))["endCursor"]
    again = {**asked, "endCursor": cursor, "sort": "name-asc"}
    assert (await browser.post("/api/search-products", json=again)).status_code == 422
    both = {**asked, "endCursor": cursor, "page": 2}
    assert (await browser.post("/api/search-products", json=both)).status_code == 422


@pytest.mark.parametrize("term", ["%", "_", "\\", "'", "& | !", "a:*", "  ", "🚗", "1e5"])
async def test_marks_in_a_term_are_never_a_query(browser: httpx.AsyncClient, term: str) -> None:
    answer = await browser.post("/api/search-products", json={"searchTerm": term})
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("term", ["+++", "🚗", "Москва"])
async def test_a_term_without_a_word_finds_nothing(
    browser: httpx.AsyncClient, sessions: Sessions, term: str
) -> None:
    brand = await a_brand(sessions)
    await a_product(sessions, brand=brand)
    asked = {"searchTerm": term, "filters": {"brands": [brand]}}
    found = await search(browser, **asked)
    assert (found["results"], found["totalCount"]) == ([], 0)
    end = (await browser.post("/api/search-products-cursor", json=asked)).json()
    facets = (await browser.post("/api/search-products-facets", json=asked)).json()
    assert (end["totalCount"], facets["brands"], facets["inStock"]) == (0, [], 0)


async def test_brands_and_categories_come_by_name_with_their_counts(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    brand = await a_brand(sessions)
    await a_product(sessions, brand=brand, category="Dash Cameras")
    brands = (await browser.get("/api/product-brands")).json()
    assert {"name": brand, "slug": brand, "count": 1} in brands
    assert brands == sorted(brands, key=lambda one: one["name"].lower())
    categories = (await browser.get("/api/product-categories")).json()
    assert "dash-cameras" in [one["slug"] for one in categories]
