"""Quick order by its calls: verdicts, files, adding in part, a thousand rows."""

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select, text

from api.checkout.sheets.workbooks import MOST_ELEMENTS, MOST_PART
from db.base import Sessions
from db.operations.audit import AuditRow
from tests.catalogue.factories import a_product
from tests.checkout.cart.buyers import CHECKOUT, a_buyer, begin, buying, quantities, refusal
from tests.checkout.cart.sheets import SHEET, XLSX, a_sheet, an_xlsx, with_part, with_strings
from tests.drivers.database.statements import statements_of
from tests.drivers.factories import a_consumer, a_name, an_inside_rep, an_installer
from tests.drivers.portal import a_key

CHECK = "/v1/quick-orders/check"
ADD = "/v1/quick-orders/add"
FILE = "/v1/quick-orders/file"


async def upload(
    browser: httpx.AsyncClient, content: bytes, kind: str = "text/csv"
) -> httpx.Response:
    return await browser.post(FILE, content=content, headers={"Content-Type": kind})


def verdicts(answer: httpx.Response) -> list[tuple[str, str]]:
    assert answer.status_code == 200, answer.text
    return [(row["sku"], row["verdict"]) for row in answer.json()["rows"]]


async def test_rows_are_judged_and_nothing_is_added(portal: FastAPI, sessions: Sessions) -> None:
    old = f"OLD{a_name()}".upper()
    made = await a_product(sessions, msrp="12.50", case_quantity=10, on_hand=4, old_sku=old)
    async with buying(portal, await a_buyer(sessions)) as browser:
        answer = await browser.post(CHECK, json={"text": f"{made.sku.lower()} 6\n{old};2\nNONE,1"})
        assert [verdict for _, verdict in verdicts(answer)] == ["ready", "merged", "unknown"]
        first, second, _ = answer.json()["rows"]
        assert (first["pieces"], first["later"], first["case_quantity"]) == (8, 4, 10)
        assert first["total"] == 100
        assert first["is_alias"] is False
        assert (second["is_alias"], second["found_sku"], second["merged_into"]) == (
            True,
            made.sku,
            1,
        )
        told = {name: answer.json()[name] for name in ("ready", "merged", "refused", "pieces")}
        assert told == {"ready": 1, "merged": 1, "refused": 1, "pieces": 8}
        assert (await browser.get(f"{CHECKOUT}/last-b2b-token")).json()["token"] is None


async def test_what_can_be_added_is_and_the_rest_keeps_its_reason(
    portal: FastAPI, sessions: Sessions
) -> None:
    fine = await a_product(sessions)
    shut = await a_product(sessions, is_for_purchase=False)
    buyer = await a_buyer(sessions)
    async with buying(portal, buyer) as browser:
        rows = {"text": f"{fine.sku},3\n{shut.sku},1\n{fine.sku},x"}
        answer = await browser.post(ADD, json=rows)
        assert [verdict for _, verdict in verdicts(answer)] == [
            "ready",
            "not_for_purchase",
            "bad_quantity",
        ]
        assert answer.json()["quantity"] == 3
        cart = await browser.get(f"{CHECKOUT}/{answer.json()['token']}")
        assert quantities(cart.json()) == {fine.variant_id: 3}
    async with sessions() as session:
        more = await session.scalar(
            select(AuditRow.more).where(
                AuditRow.actor == f"user:{buyer.id}", AuditRow.action == "quick order added"
            )
        )
    assert more == {"rows": 3, "lines": 1, "pieces": 3}


async def test_the_same_key_adds_the_rows_once(portal: FastAPI, sessions: Sessions) -> None:
    made = await a_product(sessions)
    async with buying(portal, await a_buyer(sessions)) as browser:
        rows, key = {"text": f"{made.sku} 3"}, a_key()
        first = await browser.post(ADD, json=rows, headers=key)
        again = await browser.post(ADD, json=rows, headers=key)
        assert again.json() == first.json()
        assert again.json()["quantity"] == 3


FILES: dict[str, tuple[bytes, str]] = {
    "a CSV with a mark and semicolons": ("\ufeffSKU;Quantité\r\n{sku};2\r\n".encode(), "text/csv"),
    "a CSV of western Windows": ("Quantité;SKU\r\n2;{sku}\r\n".encode("cp1252"), "text/csv"),
    "a text of Excel in UTF-16": ("SKU\tQty\r\n{sku}\t2\r\n".encode("utf-16"), "text/csv"),
    "a CSV with its charset": (b'"SKU","Qty"\n"{sku}","2"\n', "text/csv; charset=utf-8"),
}


@pytest.mark.parametrize("name", FILES)
async def test_a_csv_is_read_as_programs_write_it(
    portal: FastAPI, sessions: Sessions, name: str
) -> None:
    content, kind = FILES[name]
    made = await a_product(sessions)
    wide = name.endswith("UTF-16")
    sku = made.sku.encode("utf-16-le") if wide else made.sku.encode()
    mark = "{sku}".encode("utf-16-le") if wide else b"{sku}"
    async with buying(portal, await a_buyer(sessions)) as browser:
        answer = await upload(browser, content.replace(mark, sku), kind)
    assert verdicts(answer) == [(made.sku, "ready")]
    assert answer.json()["pieces"] == 2


async def test_an_xlsx_is_read_and_its_formulas_are_texts(
    portal: FastAPI, sessions: Sessions
) -> None:
    made = await a_product(sessions)
    content = an_xlsx(
        ("SKU", "Note", "Qty"),
        (made.sku, "x", 2),
        (),
        (made.sku, None, 3.0),
        (made.sku, None, "=1+1"),
        ('=HYPERLINK("http://x.example")', None, 1),
        (made.sku, None, 1.5),
    )
    async with buying(portal, await a_buyer(sessions)) as browser:
        answer = await upload(browser, content, XLSX)
    assert verdicts(answer) == [
        (made.sku, "ready"),
        (made.sku, "merged"),
        (made.sku, "bad_quantity"),
        ('=HYPERLINK("http://x.example")', "unknown"),
        (made.sku, "bad_quantity"),
    ]
    assert [row["row"] for row in answer.json()["rows"]] == [2, 4, 5, 6, 7]


LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">
<c r="A1" t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>"""
BROKEN: dict[str, tuple[bytes, str, int, str]] = {
    "nothing": (b"", XLSX, 422, "unreadable_file"),
    "no archive": (b"SKU,Qty\nA,1", XLSX, 422, "unreadable_file"),
    "half an archive": (an_xlsx(("A", 1))[:-200], XLSX, 422, "unreadable_file"),
    "an archive of something else": (
        with_part(an_xlsx(("A", 1)), "[Content_Types].xml", b"<x/>"),
        XLSX,
        422,
        "unreadable_file",
    ),
    "a sheet that is no XML": (
        with_part(an_xlsx(("A", 1)), SHEET, b"<worksheet><"),
        XLSX,
        422,
        "unreadable_file",
    ),
    "a sheet in an encoding that is none": (
        with_part(
            an_xlsx(("A", 1)), SHEET, b'<?xml version="1.0" encoding="no-such"?><worksheet/>'
        ),
        XLSX,
        422,
        "unreadable_file",
    ),
    "entities that grow": (
        with_part(an_xlsx(("A", 1)), SHEET, LAUGHS),
        XLSX,
        422,
        "unreadable_file",
    ),
    "cells without end": (
        a_sheet(f'<row r="1">{"<c/>" * MOST_ELEMENTS}</row>'),
        XLSX,
        422,
        "unreadable_file",
    ),
    "strings without end": (
        with_strings(an_xlsx(("A", 1)), *[""] * MOST_ELEMENTS),
        XLSX,
        422,
        "unreadable_file",
    ),
    "a part without end": (a_sheet(" " * MOST_PART), XLSX, 422, "unreadable_file"),
    "cells in cells": (a_sheet("<c>" * 200 + "</c>" * 200), XLSX, 422, "unreadable_file"),
    "rows that go back": (a_sheet('<row r="2"/><row r="1"/>'), XLSX, 422, "unreadable_file"),
    "an archive that grows": (
        with_part(an_xlsx(("A", 1)), "xl/media/large.bin", b"\0" * 30_000_000),
        XLSX,
        422,
        "unreadable_file",
    ),
    "a sheet without rows": (an_xlsx(), XLSX, 422, "no_rows"),
    "a CSV without rows": (b"\r\n\r\n", "text/csv", 422, "no_rows"),
    "a CSV with NUL": (b"A\0,1", "text/csv", 422, "unreadable_file"),
    "a cell beyond all sizes": (b'"' + b"A" * 200_000 + b'",1', "text/csv", 422, "unreadable_file"),
    "too many rows": (b"A,1\n" * 1001, "text/csv", 422, "too_many_rows"),
    "too many rows of a sheet": (an_xlsx(*[("A", 1)] * 1001), XLSX, 422, "too_many_rows"),
    "too many bytes": (b"A,1\n" * 300_000, "text/csv", 413, "too_large"),
    "a picture": (b"\x89PNG", "image/png", 415, "unsupported_media_type"),
    "JSON": (b"{}", "application/json", 415, "unsupported_media_type"),
}


@pytest.mark.parametrize("name", BROKEN)
async def test_a_file_that_is_none_is_refused_and_nothing_breaks(
    portal: FastAPI, sessions: Sessions, name: str
) -> None:
    content, kind, status, code = BROKEN[name]
    async with buying(portal, await a_buyer(sessions)) as browser:
        assert refusal(await upload(browser, content, kind)) == (status, code)


async def test_only_those_who_may_buy_are_answered(portal: FastAPI, sessions: Sessions) -> None:
    expected = [
        (await an_installer(sessions), (403, "no_purchasing_rights")),
        (await a_consumer(sessions), (409, "no_linked_business")),
        (await an_inside_rep(sessions), (409, "business_needed")),
    ]
    for user, refused in expected:
        async with buying(portal, user) as browser:
            for url in (CHECK, ADD):
                assert refusal(await browser.post(url, json={"text": "A 1"})) == refused
            assert refusal(await upload(browser, b"A,1")) == refused
            assert refusal(await upload(browser, b"no archive", XLSX)) == refused


async def many_products(sessions: Sessions, count: int) -> list[str]:
    """SKUs of so many products, made by one statement."""
    made = await a_product(sessions)
    stem = made.sku
    async with sessions.begin() as session:
        for statement in (
            """insert into product (id, name, brand_slug, category_slug, default_variant_id, sku, msrp, image,
                 case_quantity, is_for_purchase, search_text)
               select p.id || n, p.name, p.brand_slug, p.category_slug, p.default_variant_id || n, p.sku || '-' || n,
                 p.msrp, p.image, 1, true, p.search_text from product p, generate_series(1, :count) n where p.id = :id""",
            """insert into variant (id, product_id, sku, name, position, msrp)
               select v.id || n, v.product_id || n, v.sku || '-' || n, '', 0, v.msrp
               from variant v, generate_series(1, :count) n where v.product_id = :id""",
        ):
            await session.execute(text(statement), {"count": count, "id": made.id})
    return [f"{stem}-{n}" for n in range(1, count + 1)]


async def test_a_thousand_rows_are_added_by_as_many_statements_as_ten(
    portal: FastAPI, sessions: Sessions
) -> None:
    skus = await many_products(sessions, 1000)
    counts: list[int] = []
    for some in (skus[:10], skus):
        async with buying(portal, await a_buyer(sessions)) as browser:
            rows = {"text": "\n".join(f"{sku},2" for sku in some)}
            with statements_of(portal) as seen:
                answer = await browser.post(ADD, json=rows)
            assert answer.json()["ready"] == len(some), answer.text[:300]
            assert answer.json()["quantity"] == 2 * len(some)
            counts.append(len(seen))
    assert counts[0] == counts[1]


async def test_a_line_of_a_large_cart_is_changed_by_few_statements(
    portal: FastAPI, sessions: Sessions
) -> None:
    skus = await many_products(sessions, 200)
    async with buying(portal, await a_buyer(sessions)) as browser:
        added = await browser.post(ADD, json={"text": "\n".join(f"{sku},1" for sku in skus)})
        token = added.json()["token"]
        cart = (await browser.get(f"{CHECKOUT}/{token}")).json()
        assert len(cart["lines"]) == 200
        body = {"lines": [{"lineId": line["id"], "quantity": 4} for line in cart["lines"][:100]]}
        with statements_of(portal) as seen:
            answer = await browser.post(f"{CHECKOUT}/{token}/update-lines", json=body)
    assert answer.json()["quantity"] == 500
    assert len(seen) <= 16


async def test_a_cart_of_the_quick_order_is_the_one_of_the_screen(
    portal: FastAPI, sessions: Sessions
) -> None:
    one, other = await a_product(sessions), await a_product(sessions)
    async with buying(portal, await a_buyer(sessions)) as browser:
        cart = await begin(browser, (one, 1))
        answer = await browser.post(ADD, json={"text": f"{one.sku} 2\n{other.sku} 1"})
        assert answer.json()["token"] == cart["token"]
        after = (await browser.get(f"{CHECKOUT}/{cart['token']}")).json()
    assert quantities(after) == {one.variant_id: 3, other.variant_id: 1}
