"""What the ERP's feed brings into our mirror, and what comparisons find of it."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, time, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import Select, delete, func, select, update

from activities.operations.erp_mirror import ErpMirrorActivities
from db.billing.invoices.erp_places import ErpFeedRow
from db.catalogue.erp_items import items_of
from db.catalogue.tables import EffectivePriceRow, PriceListRow, PriceRow, StockRow, VariantRow
from db.operations import erp_mirror
from db.partner_tables import DealerRow, PartnerAddressRow, PartnerRow
from db.partners.erp_businesses import businesses_of
from db.partners.reps import RepPartnerRow, reps_of
from domain.catalogue.erp_items import COMPANY_ZONE
from domain.catalogue.pricing import scope_of_partner
from domain.identity.people import REP_GROUPS
from domain.operations.erp_mirror import Cursor, Records, TakenOver
from domain.operations.erp_mirror import MirrorDifferenceKind as Kind
from providers.erp.master_data import ErpMasterData, ErpPage
from providers.errors import Unavailable
from tests.drivers.database.locks import waiting_behind
from tests.drivers.factories import a_name, a_rep
from tests.drivers.outside.erp_records import a_business, an_address_there, an_item
from tests.drivers.until import until
from tests.operations.erp.conftest import PAGE, Mirror


def some_codes(count: int) -> list[str]:
    stem = a_name()[:8].upper()
    return [f"CS-{stem}-{n}" for n in range(count)]


async def test_what_is_new_and_what_changes_comes_a_page_at_a_time_and_once(
    mirror: Mirror,
) -> None:
    skus = some_codes(2 * PAGE + 1)
    await mirror.desk.put("Items", *(an_item(sku, in_stock=3) for sku in skus))
    await mirror.desk.put("BusinessPartners", a_business(skus[0]))
    first = await mirror.round()
    assert (first.changed, first.aside) == (len(skus) + 1, 0)
    assert (await mirror.round()).changed == 0
    await mirror.desk.put("Items", an_item(skus[1], price=50, in_stock=8))
    await mirror.desk.put(
        "BusinessPartners",
        {"CardCode": skus[0], "Frozen": "tYES", "U_PORequired": "tYES", "PriceListNum": 3},
    )
    assert (await mirror.round()).changed == 2
    async with mirror.sessions() as session:
        item = (await items_of(session, skus))[skus[1]]
        business = (await businesses_of(session, skus))[skus[0]].business
    assert (item.msrp, item.on_hand, item.prices) == (50, 8, {"dealer-1": Decimal("40")})
    assert (business.is_blocked, business.po_required, business.channel) == (True, True, "dealer-2")


async def test_what_was_agreed_with_one_business_is_its_price_until_it_is_no_more(
    mirror: Mirror,
) -> None:
    sku, code = some_codes(2)
    scope = scope_of_partner(code)

    async def agreed() -> tuple[Decimal | None, Decimal | None]:
        """In the mirror, and as it is charged."""
        charged = select(EffectivePriceRow.amount).where(EffectivePriceRow.scope == scope)
        async with mirror.sessions() as session:
            item = (await items_of(session, [sku]))[sku]
            return item.prices.get(scope), await session.scalar(charged)

    special = {"ItemCode": sku, "CardCode": code, "Currency": "USD"}
    await mirror.desk.put("BusinessPartners", a_business(code))
    await mirror.desk.put("Items", an_item(sku))
    await mirror.desk.put("SpecialPrices", {**special, "Price": 71.07})
    await mirror.round()
    assert await agreed() == (Decimal("71.07"), Decimal("71.07"))
    await mirror.desk.put("SpecialPrices", {**special, "Price": 60})
    (found,) = await mirror.compare()
    assert (found.kind, found.theirs, found.ours) == (
        Kind.PRICE,
        f"{scope} 60.00",
        f"{scope} 71.07",
    )
    assert await agreed() == (60, 60)
    await mirror.desk.forget("SpecialPrices", f"{sku}|{code}")
    await mirror.desk.put("Items", {"ItemCode": sku})
    await mirror.round()
    assert await agreed() == (None, None)
    assert await mirror.compare() == ()


@pytest.mark.parametrize(
    ("faulty", "reason"),
    [
        ({"Price": "by telephone"}, "special price: Price: "),
        ({"CardCode": "*77", "Price": 50}, "special price: no name for price list 77"),
    ],
)
async def test_an_agreed_price_that_cannot_be_read_stays_as_it_was_and_is_told(
    mirror: Mirror, faulty: dict[str, object], reason: str
) -> None:
    sku, code = some_codes(2)
    scope = scope_of_partner(code)
    special = {"ItemCode": sku, "CardCode": code, "Currency": "USD", "Price": 71.07}
    await mirror.desk.put("BusinessPartners", a_business(code))
    await mirror.desk.put("Items", an_item(sku))
    await mirror.desk.put("SpecialPrices", special)
    await mirror.round()
    await mirror.desk.put("SpecialPrices", special | faulty)
    (found,) = await mirror.compare()
    assert (found.kind, found.code, found.is_repaired) == (Kind.UNREADABLE, sku, False)
    assert found.theirs.startswith(reason)
    other = f"{sku}-2"
    stock = [{"WarehouseCode": "01", "InStock": 31.0, "Committed": 0.0}]
    lists = [{"PriceList": 1, "Price": 110.0}, {"PriceList": 2, "Price": 90.0}]
    await mirror.desk.put(
        "Items",
        {"ItemCode": sku, "ItemWarehouseInfoCollection": stock, "ItemPrices": lists},
        an_item(other),
    )
    await mirror.desk.put("SpecialPrices", special | faulty | {"ItemCode": other})
    await mirror.round()
    async with mirror.sessions() as session:
        found = await items_of(session, [sku, other])
        aside = {one.code for one in await erp_mirror.all_aside(session)}
    assert found[sku].prices == {scope: Decimal("71.07"), "dealer-1": 90}
    assert (found[sku].msrp, found[sku].on_hand) == (110, 31)
    assert aside >= {sku, other}
    assert other not in found, "it would be sold for another price"
    await mirror.desk.put("SpecialPrices", special | faulty | {"Valid": "tNO"})
    await mirror.round()
    async with mirror.sessions() as session:
        prices = (await items_of(session, [sku]))[sku].prices
        assert (scope in prices) is ("CardCode" in faulty), "another one than that of the business"
        assert sku not in {one.code for one in await erp_mirror.all_aside(session)}


async def test_a_code_that_cannot_be_kept_holds_up_no_other(mirror: Mirror) -> None:
    (sku,) = some_codes(1)
    await mirror.desk.put("Items", an_item(f"{sku}\0-A"), an_item(sku))
    assert (await mirror.activities.take_changes(Records.ITEMS)).changed == 1
    async with mirror.sessions() as session:
        assert [*await items_of(session, [sku])] == [sku]
        assert f"{sku}-A" in {one.code for one in await erp_mirror.all_aside(session)}


async def test_prices_for_some_days_are_lists_of_their_own_with_these_days(mirror: Mirror) -> None:
    sku, other = some_codes(2)
    code, today = f"N{sku}", datetime.now(COMPANY_ZONE).date()
    day = timedelta(days=1)
    yesterday, tomorrow = today - day, today + day

    async def charged(scope: str) -> Decimal | None:
        query = select(EffectivePriceRow.amount).where(
            EffectivePriceRow.scope == scope,
            EffectivePriceRow.variant_id == sku.lower(),
            EffectivePriceRow.starts_at <= func.now(),
            EffectivePriceRow.ends_at > func.now(),
        )
        async with mirror.sessions() as session:
            return await session.scalar(query)

    special = {"ItemCode": sku, "Currency": "USD"}
    of_business = {
        **special,
        "CardCode": code,
        "Price": 70,
        "ValidFrom": f"{yesterday}T00:00:00Z",
        "ValidTo": f"{today}T00:00:00Z",
        "SpecialPriceDataAreas": [
            {"DateFrom": str(tomorrow), "Dateto": None, "SpecialPrice": 65},
        ],
    }
    deal = {
        **special,
        "CardCode": "*2",
        "Price": 75,
        "ValidFrom": str(today),
        "ValidTo": str(today),
    }
    await mirror.desk.put("BusinessPartners", a_business(code))
    await mirror.desk.put("Items", an_item(sku), an_item(other))
    await mirror.desk.put("SpecialPrices", of_business, deal)
    await mirror.round()
    assert (await charged(scope_of_partner(code)), await charged("dealer-1")) == (70, 75)
    async with mirror.sessions() as session:
        found = await session.execute(
            select(PriceListRow.kind, PriceListRow.ends_at).where(
                PriceListRow.id.startswith("erp:")
            )
        )
        kinds = {row.kind: row.ends_at for row in found if row.ends_at}
    midnight = datetime.combine(tomorrow, time(), COMPANY_ZONE)
    assert kinds == {"agreed": midnight, "deal": midnight}
    assert await mirror.compare() == ()

    # It ends a day earlier: the comparison finds that, and nothing of it holds any more.
    ended = {"ValidFrom": str(yesterday), "ValidTo": str(yesterday)}
    await mirror.desk.put("SpecialPrices", deal | ended)
    (difference,) = await mirror.compare()
    assert (difference.kind, difference.is_repaired) == (Kind.PRICE, True)
    assert difference.theirs == f"dealer-1@{yesterday}/{yesterday} 75.00"
    assert difference.ours == f"dealer-1@{today}/{today} 75.00"
    assert await charged("dealer-1") == 80
    assert await mirror.compare() == ()


async def test_addresses_come_with_their_defaults_and_go(mirror: Mirror) -> None:
    code = f"N{some_codes(1)[0]}"
    there = [
        an_address_there("Main"),
        an_address_there("Depot", Street="9 Back Lane"),
        an_address_there("Main", "bo_BillTo"),
        an_address_there("Main", Street="Said twice"),
    ]
    main = {"ShipToDefault": "Main", "BilltoDefault": "Main"}
    await mirror.desk.put("BusinessPartners", a_business(code, BPAddresses=there, **main))
    await mirror.round()
    assert await addresses(mirror, code) == {
        ("SHIPPING", "Main", True, "12 Example Street"),
        ("SHIPPING", "Depot", False, "9 Back Lane"),
        ("BILLING", "Main", True, "12 Example Street"),
    }
    assert await mirror.compare() == ()
    other = {"ShipToDefault": "Depot", "BPAddresses": there[1:3]}
    await mirror.desk.put("BusinessPartners", {"CardCode": code, **other})
    (found,) = await mirror.compare()
    assert (found.kind, found.is_repaired) == (Kind.ADDRESSES, True)
    assert await addresses(mirror, code) == {
        ("SHIPPING", "Depot", True, "9 Back Lane"),
        ("BILLING", "Main", True, "12 Example Street"),
    }
    # Where none are told, ours stay; so they do where one cannot be read, as it may be one of them.
    unreadable = [an_address_there("Depot", Street=None), there[2]]
    for told in (None, unreadable):
        await mirror.desk.put("BusinessPartners", {"CardCode": code, "BPAddresses": told})
        assert await mirror.compare() == ()
        assert len(await addresses(mirror, code)) == 2


@pytest.mark.parametrize("group", sorted(REP_GROUPS))
async def test_the_sales_person_of_a_business_is_its_rep_once_they_are_here(
    mirror: Mirror, group: str
) -> None:
    code = f"N{some_codes(1)[0]}"
    rep, successor = [await a_rep(mirror.sessions, group) for _ in range(2)]
    await mirror.desk.put(
        "SalesPersons",
        {"SalesEmployeeCode": 7, "SalesEmployeeName": "Ines", "Email": rep.email.upper()},
        {"SalesEmployeeCode": 8, "SalesEmployeeName": "Nobody", "Email": "nobody@erp.example"},
        {"SalesEmployeeCode": 9, "SalesEmployeeName": "Next", "Email": successor.email},
    )
    await mirror.desk.put("BusinessPartners", a_business(code, SalesPersonCode=8))
    await mirror.round()
    assert await reps(mirror, code) == []
    assert await mirror.compare() == ()
    await mirror.desk.put("BusinessPartners", {"CardCode": code, "SalesPersonCode": 7})
    (found,) = await mirror.compare()
    assert (found.kind, found.theirs, found.ours) == (Kind.REP, rep.email.lower(), "")
    assert await reps(mirror, code) == [rep.email]
    assert await mirror.compare() == ()
    # The next one takes over: the former still sees the business, and is not called any more.
    await mirror.desk.put("BusinessPartners", {"CardCode": code, "SalesPersonCode": 9})
    (found,) = await mirror.compare()
    assert (found.kind, found.ours) == (Kind.REP, rep.email.lower())
    assert await reps(mirror, code) == [successor.email]
    assert await mirror.compare() == ()
    sees = select(RepPartnerRow.person_id).join(PartnerRow).where(PartnerRow.sap_bp_code == code)
    async with mirror.sessions() as session:
        assert set(await session.scalars(sees)) == {rep.id, successor.id}


async def test_a_changed_limit_leaves_what_a_business_owes_as_it_was_asked_for(
    mirror: Mirror,
) -> None:
    """A page that was read before may be older than that."""
    code = f"N{some_codes(1)[0]}"
    told = {"CreditLimit": 5000, "CurrentAccountBalance": 10}
    await mirror.desk.put("BusinessPartners", a_business(code, **told))
    await mirror.round()
    ours = PartnerRow.sap_bp_code == code
    async with mirror.sessions.begin() as session:
        asked = update(PartnerRow).where(ours).values(credit_limit=1, account_balance=70)
        await session.execute(asked)
    (found,) = await mirror.compare()
    assert found.kind is Kind.CREDIT
    kept = select(PartnerRow.credit_limit, PartnerRow.account_balance).where(ours)
    async with mirror.sessions() as session:
        assert tuple((await session.execute(kept)).one()) == (5000, 70)


async def test_a_new_business_can_have_people_and_a_consumer_needs_no_account(
    mirror: Mirror,
) -> None:
    shop, consumer = (f"N{code}" for code in some_codes(2))
    await mirror.desk.put(
        "BusinessPartners", a_business(shop), a_business(consumer, PriceListNum=1)
    )
    await mirror.round()
    query = select(PartnerRow.sap_bp_code).join(DealerRow, DealerRow.partner_id == PartnerRow.id)
    async with mirror.sessions() as session:
        found = await session.scalars(query.where(PartnerRow.sap_bp_code.in_([shop, consumer])))
        assert found.all() == [shop]


async def addresses(mirror: Mirror, code: str) -> set[tuple[str, str | None, bool, str]]:
    query = (
        select(PartnerAddressRow)
        .join(PartnerRow, PartnerRow.id == PartnerAddressRow.partner_id)
        .where(PartnerRow.sap_bp_code == code)
    )
    async with mirror.sessions() as session:
        rows = await session.scalars(query)
        return {(row.kind, row.erp_name, row.is_default, row.street) for row in rows}


async def reps(mirror: Mirror, code: str) -> list[str]:
    async with mirror.sessions() as session:
        id_ = await session.scalar(select(PartnerRow.id).where(PartnerRow.sap_bp_code == code))
        return [one.email for one in await reps_of(session, str(id_))]


async def test_a_page_locks_stock_in_the_order_in_which_orders_do(mirror: Mirror) -> None:
    """The ERP tells of the later article first; an order that holds the earlier one goes on to the later."""
    earlier, later = some_codes(2)
    await mirror.desk.put("Items", an_item(earlier), an_item(later))
    await mirror.round()
    for second, sku in enumerate((later, earlier)):
        at = {"UpdateDate": "2030-01-01", "UpdateTime": f"00:00:{second:02}"}
        await mirror.desk.put("Items", an_item(sku, in_stock=9) | at)

    def lock(sku: str) -> Select[str]:
        variant = select(VariantRow.id).where(VariantRow.sku == sku).scalar_subquery()
        return select(StockRow.variant_id).where(StockRow.variant_id == variant).with_for_update()

    async with mirror.sessions.begin() as order:
        await order.execute(lock(earlier))
        page = asyncio.ensure_future(mirror.activities.take_changes(Records.ITEMS))
        await until(lambda: waiting_behind(order))
        await order.execute(lock(later))
    assert ((await page).changed, (await page).aside) == (2, 0)


async def test_a_round_that_is_cut_off_goes_on_behind_its_last_page(mirror: Mirror) -> None:
    skus = some_codes(2 * PAGE)
    for number, sku in enumerate(skus):
        at = {"UpdateDate": "2030-01-01", "UpdateTime": f"00:00:{number:02}"}
        await mirror.desk.put("Items", an_item(sku) | at)
    await mirror.activities.take_changes(erp_mirror.Records.ITEMS)
    await mirror.desk.turn(failures=2)
    with pytest.raises(Unavailable):
        await mirror.activities.take_changes(erp_mirror.Records.ITEMS)
    await mirror.desk.turn(failures=0)
    rest = await mirror.round()
    async with mirror.sessions() as session:
        assert set(await items_of(session, skus)) == set(skus)
    assert rest.changed == PAGE


class SlowMasterData(ErpMasterData):
    """An ERP of which others are told `meanwhile`, after it has answered and before the answer is here."""

    meanwhile: Callable[[], Awaitable[object]]

    async def changed_since(self, kind: Records, cursor: Cursor) -> ErpPage:
        page = await super().changed_since(kind, cursor)
        await self.meanwhile()
        return page


async def test_an_older_page_never_overwrites_a_newer_one(mirror: Mirror) -> None:
    (sku,) = some_codes(1)
    slow = SlowMasterData(mirror.service_layer, page=PAGE)

    async def meanwhile() -> None:
        assert await mirror.activities.take_changes(Records.ITEMS) == TakenOver(), "it is held"
        await mirror.desk.put("Items", an_item(sku, in_stock=8))
        async with mirror.sessions.begin() as session:
            await session.execute(update(ErpFeedRow).values(held_until=func.now()))
        assert (await mirror.activities.take_changes(Records.ITEMS)).changed == 1

    slow.meanwhile = meanwhile
    await mirror.desk.put("Items", an_item(sku, in_stock=3))
    taken = await ErpMirrorActivities(slow, mirror.sessions).take_changes(Records.ITEMS)
    assert taken == TakenOver()
    async with mirror.sessions() as session:
        assert (await items_of(session, [sku]))[sku].on_hand == 8


async def test_a_bad_record_is_set_aside_and_taken_once_it_is_good(mirror: Mirror) -> None:
    bad, good, variant = some_codes(3)
    await mirror.desk.put(
        "Items",
        an_item(bad, ItemsGroupCode=999),
        an_item(variant, U_Position=1, U_ProductId=f"{variant}-of".lower()),
        an_item(good),
    )
    assert (await mirror.round()).aside == 4, (
        "each once by its page, and once more when it is asked for again"
    )
    async with mirror.sessions() as session:
        aside = {one.code: one.reason for one in await erp_mirror.all_aside(session)}
        assert set(await items_of(session, [bad, good])) == {good}
    assert aside[bad] == "no name for item group 999"
    assert aside[variant] == "The article that stands for this product is not here."
    await mirror.desk.put("Items", {"ItemCode": bad, "ItemsGroupCode": 101})
    await mirror.desk.put("Items", an_item(f"{variant}-OF"))
    await mirror.round()
    async with mirror.sessions() as session:
        assert not await erp_mirror.all_aside(session)
        assert set(await items_of(session, [bad, variant])) == {bad, variant}


async def test_pieces_that_left_are_asked_for_again(mirror: Mirror) -> None:
    (sku,) = some_codes(1)
    await mirror.desk.put("Items", an_item(sku, in_stock=9))
    await mirror.round()
    variant = select(VariantRow.id).where(VariantRow.sku == sku).scalar_subquery()
    async with mirror.sessions.begin() as session:
        left = {"on_hand": 2, "left_at": func.now()}
        await session.execute(update(StockRow).where(StockRow.variant_id == variant).values(**left))
    assert not [one for one in await mirror.compare() if one.code == sku]
    assert (await mirror.round()).changed == 1
    async with mirror.sessions() as session:
        assert (await items_of(session, [sku]))[sku].on_hand == 9
        row = select(StockRow.left_at).where(StockRow.variant_id == variant)
        assert await session.scalar(row) is None


async def test_a_comparison_finds_each_kind_of_difference_and_nothing_else(
    mirror: Mirror,
) -> None:
    items = some_codes(6)
    businesses = [f"N{code}" for code in items[:4]]
    await mirror.desk.put("Items", *(an_item(sku) for sku in items))
    await mirror.desk.put("BusinessPartners", *(a_business(code) for code in businesses))
    await mirror.round()
    assert await mirror.compare() == ()

    await _spoil(mirror, items, businesses)
    found = await mirror.compare()
    assert {(one.kind, one.code) for one in found} == {
        (Kind.PRODUCT, items[0]),
        (Kind.PRICE, items[1]),
        (Kind.STOCK, items[2]),
        (Kind.MISSING_ITEM, items[3]),
        (Kind.UNKNOWN_ITEM, items[4]),
        (Kind.UNREADABLE, items[5]),
        (Kind.BUSINESS, businesses[0]),
        (Kind.CREDIT, businesses[1]),
        (Kind.MISSING_BUSINESS, businesses[2]),
        (Kind.UNKNOWN_BUSINESS, businesses[3]),
    }
    told = {one.kind: (one.theirs, one.ours) for one in found}
    assert told[Kind.STOCK] == ("on hand 5", "on hand 77")
    assert told[Kind.PRICE] == ("dealer-1 80.00", "dealer-1 1.00")
    assert told[Kind.BUSINESS] == ("po_required False", "po_required True")
    left = {Kind.UNKNOWN_ITEM, Kind.UNKNOWN_BUSINESS, Kind.UNREADABLE}
    assert {one.kind for one in found if not one.is_repaired} == left
    assert {one.kind for one in await mirror.compare()} == left


async def _spoil(mirror: Mirror, items: list[str], businesses: list[str]) -> None:
    """One difference of each kind."""

    def of(sku: str):
        return select(VariantRow.id).where(VariantRow.sku == sku).scalar_subquery()

    partner = update(PartnerRow)
    async with mirror.sessions.begin() as session:
        changes = (
            update(VariantRow).where(VariantRow.sku == items[0]).values(name="otherwise"),
            update(PriceRow).where(PriceRow.variant_id == of(items[1])).values(amount=1),
            update(StockRow).where(StockRow.variant_id == of(items[2])).values(on_hand=77),
            delete(VariantRow).where(VariantRow.sku == items[3]),
            partner.where(PartnerRow.sap_bp_code == businesses[0]).values(po_required=True),
            partner.where(PartnerRow.sap_bp_code == businesses[1]).values(credit_limit=1),
            delete(DealerRow).where(DealerRow.name == f"Business {businesses[2]}"),
            delete(PartnerRow).where(PartnerRow.sap_bp_code == businesses[2]),
        )
        for change in changes:
            await session.execute(change)
    await mirror.desk.forget("Items", items[4])
    await mirror.desk.put("Items", {"ItemCode": items[5], "Manufacturer": 99})
    await mirror.desk.forget("BusinessPartners", businesses[3])
