"""What an operator's word names, and the runs about it; read from rows alone."""

import uuid
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from db.base import Sessions
from db.billing.invoices.documents import mirror
from db.operations.cases.lists import find_case
from db.operations.cases.opening import open_case
from db.operations.cases.starts import mark_begun
from db.operations.search import find_things
from db.plans.receipts import ReceiptRow
from domain.billing.payments import PayingFlow
from domain.operations.cases import BelongsTo, CaseCause, CaseStart, on_order
from tests.billing.invoices.factories import an_invoice
from tests.drivers.database.plans import plans_of
from tests.drivers.database.statements import statements_of
from tests.drivers.factories import a_name, an_installer
from tests.drivers.portal import a_key
from tests.operations.runs.test_api import a_flow, as_admin, runs
from tests.orders.factories import an_order, code_of

RUNS = "/v1/operations/runs"


async def named(browser: httpx.AsyncClient, word: str) -> list[tuple[str, str]]:
    answer = await browser.get(RUNS, params={"subject": word})
    assert answer.status_code == 200, answer.text
    return [(thing["kind"], thing["name"]) for thing in answer.json()["things"]]


async def found(browser: httpx.AsyncClient, word: str) -> list[str]:
    return [run["id"] for run in await runs(browser, subject=word)]


async def statements(portal: FastAPI, browser: httpx.AsyncClient, **filters: Any) -> list[str]:
    with statements_of(portal) as seen:
        await runs(browser, **filters)
    return seen


async def set_on(sessions: Sessions, flow_id: str, **values: Any) -> None:
    columns = ", ".join(f"{name} = :{name}" for name in values)
    async with sessions.begin() as session:
        await session.execute(
            text(f"update flow set {columns} where id = :id"), {"id": flow_id, **values}
        )


async def test_a_serial_number_is_found_also_where_it_was_given_up_or_replaced(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    key, old, given_up = (f"FT-X1-{a_name()}".upper() for _ in range(3))
    view = f'{{"facts": {{"replaced": {{"old_device_key": "{old}", "new_device_key": "{key}"}}}}}}'
    flow_id = await a_flow(sessions, device_key=key, view=view)
    async with sessions.begin() as session:
        await session.execute(
            text(
                "insert into device_reservation (device_key, kind, flow_id, workflow_id, released_at)"
                " values (:key, 'activation', :id, 'wf', now())"
            ),
            {"key": given_up, "id": flow_id},
        )
    await as_admin(sessions, browser)
    for word in (key, key.lower(), old, given_up):
        assert await found(browser, word) == [flow_id], word
        assert await named(browser, word) == [("device", word.upper())]
    detail = (await browser.get(f"/v1/operations/runs/activation/{flow_id}")).json()
    assert [(thing["kind"], thing["id"]) for thing in detail["about"]] == [("device", key)]


async def test_an_order_is_found_by_its_number_and_its_po_number(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    user = await an_installer(sessions)
    flow_id, po_number = (
        await a_flow(sessions, "store", kind="placement", device_key=None),
        a_name(),
    )
    order = await an_order(
        sessions, code_of(user), token=flow_id, workflow_id=f"wf-{flow_id}", po_number=po_number
    )
    await as_admin(sessions, browser)
    for word in (order.number, order.number.lower(), order.number.removeprefix("T-"), po_number):
        assert await found(browser, word) == [flow_id], word
        assert await named(browser, word) == [("order", order.number)]
    detail = (await browser.get(f"/v1/operations/runs/placement/{flow_id}")).json()
    assert [thing["name"] for thing in detail["about"]] == [order.number]
    assert (await browser.get(f"/v1/orders/{order.id}")).json()["number"] == order.number
    again = await browser.post(f"/v1/orders/{order.id}/reorder", headers=a_key())
    assert again.status_code == 403


async def test_a_case_is_found_by_what_it_stands_on_and_leads_there(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    user, token = await an_installer(sessions), await a_flow(sessions, "store", kind="placement")
    order = await an_order(sessions, code_of(user), token=token, workflow_id=f"wf-{token}")
    purchase = await a_receipt(sessions, code_of(user))
    cases = [uuid.uuid4().hex for _ in range(3)]
    now = datetime.now(UTC)
    stands_on = (
        on_order(order.id, order.number, token),
        BelongsTo(
            kind="purchase",
            id=purchase,
            name="Purchase of plans",
            flow=PayingFlow.PURCHASE,
            flow_id=purchase,
        ),
        BelongsTo(
            kind="cart",
            id=token,
            name="Your cart",
            flow=PayingFlow.PLACEMENT,
            flow_id=token,
        ),
    )
    async with sessions.begin() as session:
        for id_, belongs_to in zip(cases, stands_on, strict=True):
            start = CaseStart(
                id=id_,
                cause=CaseCause.REFUND_REFUSED,
                belongs_to=belongs_to,
                partner_code=code_of(user),
                person_id=user.id,
                site="ca",
                opened_at=now,
            )
            await open_case(session, start)
            await mark_begun(session, [id_])
    for id_ in cases:
        async with sessions() as session:
            case = await find_case(session, id_)
        assert case is not None
        view = case.model_dump_json()
        await a_flow(sessions, "working", id=id_, kind="case", device_key=None, view=view)
    await as_admin(sessions, browser)
    assert sorted(await found(browser, order.number)) == sorted([token, cases[0], cases[2]])
    assert cases[1] in await found(browser, purchase)
    assert await named(browser, purchase) == [("receipt", purchase)]
    things = [("order", order.id), ("receipt", purchase), ("order", order.id)]
    for id_, thing in zip(cases, things, strict=True):
        detail = (await browser.get(f"/v1/operations/runs/case/{id_}")).json()
        assert [(one["kind"], one["id"]) for one in detail["about"]] == [thing]


async def test_an_invoice_is_found_by_its_number(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    user = await an_installer(sessions)
    invoice = an_invoice(code_of(user))
    async with sessions.begin() as session:
        await mirror(session, invoice)
    await as_admin(sessions, browser)
    assert await named(browser, invoice.number) == [("invoice", invoice.number)]
    (shown,) = (await browser.post("/api/invoice", json={"id": invoice.number})).json()["results"]
    assert shown["number"] == invoice.number
    listed = await browser.post("/api/invoices", json={"sapBpCode": code_of(user)})
    assert listed.status_code == 403


async def test_a_person_and_a_business_are_found_with_their_runs(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    user = await an_installer(sessions)
    company = f"50% _{a_name()}"
    async with sessions.begin() as session:
        await session.execute(
            text("update partner set company_name = :name where sap_bp_code = :code"),
            {"name": company, "code": code_of(user)},
        )
    theirs, bought = await a_flow(sessions), await a_flow(sessions, kind="purchase")
    await set_on(sessions, theirs, owner_id=user.id)
    await set_on(sessions, bought, partner=code_of(user))
    await as_admin(sessions, browser)
    assert await found(browser, user.email.upper()) == [theirs]
    for word in (user.email, user.last_name, f"{user.first_name} {user.last_name}".upper()):
        assert await named(browser, word) == [("person", f"{user.first_name} {user.last_name}")]
    for word in (code_of(user).lower(), company, company[:12].upper()):
        assert await found(browser, word) == [bought], word
        assert await named(browser, word) == [("business", company)]
    detail = (await browser.get(f"/v1/operations/runs/activation/{theirs}")).json()
    assert ("person", user.email) in [(thing["kind"], thing["id"]) for thing in detail["about"]]


async def test_a_word_costs_a_list_one_statement_on_each_page(
    portal: FastAPI, sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    user = await an_installer(sessions)
    for flow_id in [await a_flow(sessions) for _ in range(2)]:
        await set_on(sessions, flow_id, owner_id=user.id)
    await as_admin(sessions, browser)
    first = await browser.get(RUNS, params={"subject": user.email, "limit": 1})
    pages = ({}, {"cursor": first.json()["end_cursor"]})
    for page in pages:
        plain = await statements(portal, browser, limit=1)
        named = await statements(portal, browser, limit=1, subject=user.email, **page)
        assert len(named) == len(plain) + 1


async def test_cases_and_orders_of_a_word_are_found_by_indexes(sessions: Sessions) -> None:
    plans = await plans_of(sessions, lambda session: find_things(session, a_name()))
    for table in ("money_case", "shop_order", "invoice_allocation", "audit"):
        assert f"on {table}" in plans
        assert f"Seq Scan on {table}" not in plans, plans


@pytest.mark.parametrize("word", ["%", "_", "\\", "nothing of that name"])
async def test_a_word_that_names_nothing_finds_nothing(
    sessions: Sessions, browser: httpx.AsyncClient, word: str
) -> None:
    await as_admin(sessions, browser)
    assert (await named(browser, word), await found(browser, word)) == ([], [])


async def test_a_run_that_waits_for_nothing_is_not_tried_again(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    flow_id = await a_flow(sessions, "completed", ended=True)
    await as_admin(sessions, browser)
    answer = await browser.post(f"/v1/operations/runs/activation/{flow_id}/try-again")
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_to_try")
    absent = await browser.post("/v1/operations/runs/activation/absent/try-again")
    assert absent.status_code == 404


async def a_receipt(sessions: Sessions, partner_code: str) -> str:
    uuid, zero = a_name(), Decimal(0)
    async with sessions.begin() as session:
        session.add(
            ReceiptRow(
                uuid=uuid,
                partner_code=partner_code,
                bought_by="Olivia Owner",
                succeeded=True,
                payment_shown="Visa",
                currency="USD",
                base_amount=zero,
                currency_discount=zero,
                base_tax=zero,
                gst_hst=zero,
                final_charge=zero,
                refunded=zero,
                lines=[],
                taxes=[],
                address={},
                created_at=datetime.now(UTC),
            )
        )
    return uuid
