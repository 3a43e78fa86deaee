"""Writes what the ERP says into our mirror: changes since the last ones, and whatever a comparison finds (decision 57).

All are idempotent: what is equal is not written. One record that cannot be read or written is set aside, and the others go
on.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta

import structlog
from pydantic import BaseModel
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity

from db.base import Sessions, reading
from db.billing.invoices.erp_places import held
from db.catalogue import erp_items as items
from db.operations import erp_mirror
from db.operations.audit import record
from db.partners import erp_businesses as businesses
from domain.base import Frozen
from domain.catalogue.erp_items import ErpItem, ItemPart
from domain.catalogue.erp_items import differing_parts as parts_of_item
from domain.errors import Conflict, Unavailable
from domain.operations.erp_mirror import (
    Difference,
    MirrorDifferenceKind,
    Records,
    TakenOver,
    Unreadable,
)
from domain.partners.erp_businesses import BusinessPart, ErpBusiness
from domain.partners.erp_businesses import differing_parts as parts_of_business
from providers.erp.master_data import CODES_AT_ONCE, ErpMasterData, ErpPage

log = structlog.stdlib.get_logger()

ASKED_AGAIN = 60
"""Records that one round asks for by their codes, of each kind."""
WAITS = timedelta(seconds=20)
"""How long a comparison waits for who reads just then."""
COMPARER = "system:erp-comparison"
"""Who repairs, in the audit."""


class PageOfComparison(Frozen):
    """The records behind `after`, by code, of one comparison."""

    id: str
    records: Records
    after: str = ""


class PageCompared(Frozen):
    """`last` is the code where the next page begins, None at the end."""

    last: str | None
    found: int


class _Found(BaseModel):
    """A record that differs, in which parts, and how that is told."""

    record: ErpItem | ErpBusiness
    parts: frozenset[ItemPart | BusinessPart]
    differences: tuple[Difference, ...]


class ErpMirrorActivities:
    def __init__(self, master_data: ErpMasterData, sessions: Sessions) -> None:
        self._master_data = master_data
        self._sessions = sessions

    @activity.defn
    async def take_changes(self, records: Records) -> TakenOver:
        """One page of changes since the last one. Nothing while somebody else reads the same kind. At the end the cursor
        goes back to the begin of the last second."""
        async with held(self._sessions, records.value) as place:
            if place is None:
                return TakenOver()
            page = await self._master_data.changed_since(records, erp_mirror.cursor_at(place))
            async with self._sessions.begin() as session:
                if not await place.is_still_held(session):
                    return TakenOver()
                taken = await _take_over(session, records, page)
                cursor = page.cursor if page.has_more else page.cursor.from_whole_second
                await erp_mirror.move_on(session, place, cursor)
        if taken.changed or taken.aside:
            log.info(
                "the erp's changes were mirrored",
                records=records,
                changed=taken.changed,
                aside=taken.aside,
            )
        return taken.model_copy(update={"has_more": page.has_more})

    @activity.defn
    async def ask_again(self, records: Records) -> TakenOver:
        """What was set aside, and articles of which pieces left for our orders, as the ERP has them now."""
        async with held(self._sessions, records.value) as place:
            if place is None:
                return TakenOver()
            async with reading(self._sessions) as session:
                aside = await erp_mirror.codes_aside(session, records, limit=ASKED_AGAIN)
                left = (
                    await items.skus_that_left(session, limit=ASKED_AGAIN)
                    if records is Records.ITEMS
                    else {}
                )
            parts = [*_parts(sorted({*aside, *left}))]
            pages = [await self._master_data.named(records, codes) for codes in parts]
            all_taken = TakenOver()
            async with self._sessions.begin() as session:
                if not await place.is_still_held(session):
                    return TakenOver()
                await items.lock_stock(
                    session, [*left, *(one.sku for page in pages for one in page.items)]
                )
                for codes, page in zip(parts, pages, strict=True):
                    all_taken = all_taken.plus(await _take_over(session, records, page))
                    gone = [code for code in codes if code not in page.codes]
                    await erp_mirror.take_back(session, records, gone)
                await items.forget_left(session, left)
        return all_taken

    @activity.defn
    async def begin_comparison(self, id: str) -> None:
        async with self._sessions.begin() as session:
            await erp_mirror.begin_comparison(session, id)

    @activity.defn
    async def compare_page(self, asked: PageOfComparison) -> PageCompared:
        """Compares one page, writes down what differs, and puts right what is safe. Raises Unavailable, to be tried again, while
        somebody else reads the same kind."""
        records = asked.records
        async with held(self._sessions, records.value, wait=WAITS) as place:
            if place is None:
                raise Unavailable
            page = await self._master_data.after(records, asked.after)
            last = page.last if page.has_more else None
            differences = [*_unreadable(page.unreadable), *await self._unknown(asked, page, last)]
            async with self._sessions.begin() as session:
                if not await place.is_still_held(session):
                    raise Unavailable
                differing = await _differing(session, page, is_comparison=True)
                await _lock(session, differing)
                for one in differing:
                    refused = await _write(session, one)
                    is_repaired = refused is None
                    differences += [
                        each.model_copy(update={"is_repaired": is_repaired})
                        for each in one.differences
                    ]
                for repaired in [each for each in differences if each.is_repaired]:
                    await record(
                        session,
                        "mirror repaired",
                        actor=COMPARER,
                        on=(repaired.kind.value, repaired.code),
                        more={"theirs": repaired.theirs, "ours": repaired.ours},
                    )
                await erp_mirror.save_differences(
                    session, asked.id, differences, compared=len(page.codes)
                )
        return PageCompared(last=last, found=len(differences))

    @activity.defn
    async def end_comparison(self, id: str) -> None:
        async with self._sessions.begin() as session:
            await erp_mirror.end_comparison(session, id)

    async def _unknown(
        self, asked: PageOfComparison, page: ErpPage, last: str | None
    ) -> list[Difference]:
        """Ours of which the ERP says nothing, asked for by name before they are told: it may sort otherwise."""
        is_items = asked.records is Records.ITEMS
        between = items.skus_between if is_items else businesses.codes_between
        kind = (
            MirrorDifferenceKind.UNKNOWN_ITEM if is_items else MirrorDifferenceKind.UNKNOWN_BUSINESS
        )
        async with reading(self._sessions) as session:
            ours = await between(session, asked.after, last)
        missing = [code for code in ours if code not in page.codes]
        found: list[Difference] = []
        for codes in _parts(missing):
            there = (await self._master_data.named(asked.records, codes)).codes
            found += [_difference(kind, code, "", "known") for code in codes if code not in there]
        return found


async def _take_over(session: AsyncSession, records: Records, page: ErpPage) -> TakenOver:
    """Writes what differs of a page, sets aside what cannot be read or written, and takes back what can again."""
    differing = await _differing(session, page, is_comparison=False)
    aside = list(page.unreadable)
    await _lock(session, differing)
    for one in differing:
        refused = await _write(session, one)
        if refused is not None:
            aside.append(refused)
    bad = {one.code for one in aside}
    await erp_mirror.take_back(session, records, [code for code in page.codes if code not in bad])
    await erp_mirror.set_aside(session, records, aside)
    changed = len(differing) + len(page.unreadable) - len(aside)
    return TakenOver(read=len(page.codes), changed=changed, aside=len(aside))


async def _lock(session: AsyncSession, differing: Iterable[_Found]) -> None:
    """The ERP tells of articles in an order of its own."""
    stock = [_code_of(one.record) for one in differing if ItemPart.STOCK in one.parts]
    await items.lock_stock(session, stock)


async def _write(session: AsyncSession, found: _Found) -> Unreadable | None:
    """None when it is written, or else why not."""
    code = _code_of(found.record)
    try:
        async with session.begin_nested():
            if isinstance(found.record, ErpItem):
                parts = [part for part in found.parts if isinstance(part, ItemPart)]
                await items.write_item(session, found.record, parts)
            else:
                parts = [part for part in found.parts if isinstance(part, BusinessPart)]
                await businesses.write_business(session, found.record, parts)
    except Conflict as error:
        return Unreadable(code=code, reason=str(error)[:300])
    except DBAPIError as error:
        if error.connection_invalidated:
            raise
        log.warning("a record of the erp was not written", code=code, kind=type(error).__name__)
        return Unreadable(code=code, reason=f"it cannot be kept: {type(error.orig).__name__}")
    return None


async def _differing(
    session: AsyncSession, page: ErpPage, *, is_comparison: bool
) -> Sequence[_Found]:
    """Records of which we have something else, in the ERP's order."""
    if page.items:
        skus = [one.sku for one in page.items]
        ours = await items.items_of(session, skus)
        moving = await items.moving(session, skus) if is_comparison else frozenset[str]()
        return [*_differing_items(page.items, ours, moving)]
    codes = [one.code for one in page.businesses]
    return [*_differing_businesses(page.businesses, await businesses.businesses_of(session, codes))]


def _differing_items(
    theirs: Iterable[ErpItem], ours: dict[str, ErpItem], moving: frozenset[str]
) -> Iterator[_Found]:
    """A new one of which a price cannot be read is kept back: it would be sold for another."""
    for one in theirs:
        mine = ours.get(one.sku)
        if mine is None and not one.prices_are_all:
            continue
        item = one.beside(mine) if mine else one
        if mine is None:
            difference = _difference(MirrorDifferenceKind.MISSING_ITEM, item.sku, "known", "")
            yield _Found(record=item, parts=frozenset(ItemPart), differences=(difference,))
            continue
        parts = parts_of_item(item, mine)
        if item.sku in moving:
            parts.pop(ItemPart.STOCK, None)
        if parts:
            differences = tuple(
                _difference(MirrorDifferenceKind(part.value), item.sku, *words)
                for part, words in parts.items()
            )
            yield _Found(record=item, parts=frozenset(parts), differences=differences)


def _differing_businesses(
    theirs: Iterable[ErpBusiness], ours: dict[str, businesses.Mirrored]
) -> Iterator[_Found]:
    for business in theirs:
        mine = ours.get(business.code)
        if mine is None:
            difference = _difference(
                MirrorDifferenceKind.MISSING_BUSINESS, business.code, "known", ""
            )
            parts = frozenset(BusinessPart) - {BusinessPart.CREDIT}
            yield _Found(record=business, parts=parts, differences=(difference,))
            continue
        parts = parts_of_business(
            business,
            mine.business,
            credit_known=mine.credit_known,
            reps=mine.reps,
            known_reps=mine.known_reps,
        )
        if parts:
            differences = tuple(
                _difference(MirrorDifferenceKind(part.value), business.code, *words)
                for part, words in parts.items()
            )
            yield _Found(record=business, parts=frozenset(parts), differences=differences)


def _unreadable(found: Iterable[Unreadable]) -> list[Difference]:
    return [_difference(MirrorDifferenceKind.UNREADABLE, one.code, one.reason, "") for one in found]


def _difference(kind: MirrorDifferenceKind, code: str, theirs: str, ours: str) -> Difference:
    return Difference(kind=kind, code=code, theirs=theirs, ours=ours, is_repaired=False)


def _code_of(found: ErpItem | ErpBusiness) -> str:
    return found.sku if isinstance(found, ErpItem) else found.code


def _parts(codes: Sequence[str]) -> Iterator[Sequence[str]]:
    """As many as the ERP is asked for by name at once."""
    for first in range(0, len(codes), CODES_AT_ONCE):
        yield codes[first : first + CODES_AT_ONCE]
