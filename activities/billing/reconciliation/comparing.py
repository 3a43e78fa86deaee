"""One page of one part: both sides are read, compared by the rules of the domain, looked at a second time, and what is safe
is repaired."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from temporalio.client import Client

from activities.billing.reconciliation import repairing
from activities.billing.reconciliation.reading import Reader, charges_of, postings_of, transfers_of
from db.base import Sessions, reading
from db.billing.reconciliation import differences, own, rounds
from db.billing.reconciliation.own import Place
from db.dealers import payouts
from db.dealers.dealers import find_dealer
from domain.billing.reconciliation import charges, documents, sales
from domain.billing.reconciliation.bounds import ReconciliationBounds
from domain.billing.reconciliation.differences import Difference, Part
from domain.billing.reconciliation.facts import (
    BalanceFacts,
    Charge,
    DocumentFacts,
    ErpOrder,
    Look,
    PaymentFacts,
    Posting,
)
from domain.billing.reconciliation.payouts import compare_payout, stray_transfer
from domain.dealers.payouts import Payout, PayoutRef, Transfer
from providers.cards.connect import Connect
from providers.cards.ledger import CardLedger
from providers.erp.accounts import Owed
from providers.erp.documents import ErpDocuments
from providers.erp.lists import ErpLists
from providers.errors import Refused, Unavailable
from providers.gateway import Gateway

ACCOUNTS = 20
"""Businesses that the ERP is asked about at once."""

Page = tuple[str | None, int]
"""Where the next page begins, and how much was compared."""


@dataclass(frozen=True, kw_only=True)
class Sources:
    client: Client
    cards: CardLedger
    connect: Connect
    gateway: Gateway
    erp_documents: ErpDocuments
    erp_lists: ErpLists
    sessions: Sessions


class Comparison:
    """A part consists of stages, each of pages; a cursor is `stage|place`."""

    def __init__(
        self, sources: Sources, bounds: ReconciliationBounds, round_id: str, part: Part, look: Look
    ) -> None:
        self._sources = sources
        self._bounds = bounds
        self._round_id = round_id
        self._part = part
        self._look = look
        self._stages = self._stages_of(part)

    def _stages_of(self, part: Part) -> Sequence[Callable[[str], Awaitable[Page]]]:
        reader = Reader(
            self._sources.cards,
            self._sources.connect,
            self._sources.gateway,
            self._sources.erp_lists,
            self._sources.sessions,
            self._round_id,
            self._look.since,
        )
        bank = (reader.transactions,) if self._sources.gateway.is_used else ()
        stages: dict[Part, Sequence[Callable[[str], Awaitable[Page]]]] = {
            Part.CHARGES: (reader.charges, reader.refunds, reader.disputes, *bank),
            Part.BOOKS: (reader.orders, reader.postings),
            Part.PAYMENTS: (self._payments,),
            Part.STRAYS: (self._stray_charges, self._stray_orders, self._stray_postings),
            Part.ORDERS: (self._orders, self._carts),
            Part.PURCHASES: (self._purchases,),
            Part.DOCUMENTS: (self._documents,),
            Part.POSTINGS: (self._postings,),
            Part.MEMOS: (self._memos,),
            Part.BALANCES: (self._balances,),
            Part.PAYOUTS: (reader.transfers, self._payouts, self._stray_transfers),
        }
        return stages[part]

    async def page(self, cursor: str | None) -> Page:
        at, _, inner = (cursor or "0|").partition("|")
        stage = int(at)
        after, compared = await self._stages[stage](inner)
        if after is not None:
            return f"{stage}|{after}", compared
        more = stage + 1 < len(self._stages)
        return (f"{stage + 1}|" if more else None), compared

    async def _payments(self, after: str) -> Page:
        async with reading(self._sources.sessions) as session:
            page, place = await own.payments(session, self._round_id, self._look, _at(after))
            facts = await charges_of(session, self._round_id, page)
        suspects = [one for one in facts if any(charges.compare_payment(one))]
        for one in suspects:
            await self._payment(one)
        return _cursor(place), len(page)

    async def _payment(self, facts: PaymentFacts) -> None:
        """A second look: what both sides say at this moment. What is still there is a difference."""
        before = {one.id for one in charges.compare_payment(facts)}
        live = await repairing.live_charges(self._sources.cards, self._sources.gateway, facts)
        async with reading(self._sources.sessions) as session:
            (payment,) = await own.payments_called(session, [facts.payment.id])
        now = PaymentFacts(payment=payment, charges=tuple(charge for charge, _ in live))
        found = [one for one in charges.compare_payment(now) if one.id in before]
        await self._save(found)
        if any(one.is_safe for one in found):
            await repairing.bring_up_to_date(
                self._sources.client, self._sources.sessions, now, found, live
            )

    async def _stray_charges(self, after: str) -> Page:
        return await self._strays(
            rounds.CHARGE, after, lambda body: charges.stray(Charge.model_validate(body))
        )

    async def _stray_orders(self, after: str) -> Page:
        return await self._strays(
            rounds.ERP_ORDER,
            after,
            lambda body: (sales.unknown_order(ErpOrder.model_validate(body)),),
        )

    async def _stray_postings(self, after: str) -> Page:
        return await self._strays(
            rounds.POSTING,
            after,
            lambda body: (documents.unknown_posting(Posting.model_validate(body)),),
        )

    async def _payouts(self, after: str) -> Page:
        """What is unlike is looked at a second time, as the provider says now."""
        place = PayoutRef.model_validate_json(after) if after else None
        async with reading(self._sources.sessions) as session:
            page = await payouts.asked_payouts(
                session, self._look.since, self._look.until, place, limit=own.PAGE
            )
            facts = await transfers_of(session, self._round_id, page)
        for one in facts:
            before = {each.id for each in compare_payout(one)}
            if before:
                sent = await self._sources.connect.sent(one.payout)
                now = one.model_copy(
                    update={
                        "payout": await self._returned(one.payout, sent),
                        "transfers": sent,
                        "partner_code": await self._partner_of(one.payout.dealer_id),
                    }
                )
                await self._save(each for each in compare_payout(now) if each.id in before)
        last = page[-1] if len(page) == own.PAGE else None
        return (
            PayoutRef(dealer_id=last.dealer_id, month=last.month).model_dump_json()
            if last
            else None
        ), len(page)

    async def _returned(self, payout: Payout, sent: Iterable[Transfer]) -> Payout:
        """The payout as it stands once each transfer that came back is noted: the provider's word of it may have been lost."""
        async with self._sources.sessions.begin() as session:
            for transfer in sent:
                if transfer.is_returned:
                    payout = await payouts.mark_returned(session, transfer) or payout
        return payout

    async def _partner_of(self, dealer_id: str) -> str | None:
        async with reading(self._sources.sessions) as session:
            dealer = await find_dealer(session, dealer_id)
        return dealer.partner_code if dealer else None

    async def _stray_transfers(self, after: str) -> Page:
        return await self._strays(
            rounds.TRANSFER, after, lambda body: stray_transfer(Transfer.model_validate(body))
        )

    async def _strays(
        self, source: str, after: str, rule: Callable[[dict[str, object]], Iterable[Difference]]
    ) -> Page:
        async with reading(self._sources.sessions) as session:
            rows = await rounds.strays(session, self._round_id, source, after=after, limit=own.PAGE)
        await self._save(chain.from_iterable(rule(row.body) for row in rows))
        return (rows[-1].id if len(rows) == own.PAGE else None), len(rows)

    async def _orders(self, after: str) -> Page:
        async with reading(self._sources.sessions) as session:
            page, place = await own.orders(session, self._look, _at(after))
            rows = await rounds.records_by_key(
                session, self._round_id, rounds.ERP_ORDER, [one.number for one in page]
            )
        known = {row.key: ErpOrder.model_validate(row.body) for row in rows}
        for one in page:
            document = known.get(one.number)
            found = list(sales.compare_order(one.model_copy(update={"document": document})))
            await self._save(found)
            for difference in found:
                if difference.is_safe:
                    await repairing.record_cancelled_order(
                        self._sources.erp_lists, self._sources.sessions, difference
                    )
        return _cursor(place), len(page)

    async def _carts(self, after: str) -> Page:
        async with reading(self._sources.sessions) as session:
            page, place = await own.paid_carts(session, self._look, _at(after))
        await self._save(chain.from_iterable(map(sales.compare_cart, page)))
        return _cursor(place), len(page)

    async def _purchases(self, after: str) -> Page:
        async with reading(self._sources.sessions) as session:
            page, place = await own.purchases(session, self._look, _at(after))
        await self._save(chain.from_iterable(map(sales.compare_purchase, page)))
        return _cursor(place), len(page)

    async def _documents(self, after: str) -> Page:
        """The ERP's feed from its start; the last version that a page tells of a document counts."""
        feed = await self._sources.erp_documents.changed_since(after)
        documents_by_number = {
            one.number: one
            for one in sorted((*feed.invoices, *feed.credit_memos), key=lambda each: each.version)
        }
        facts = {
            number: DocumentFacts(
                kind="invoice" if one in feed.invoices else "credit_memo",
                number=number,
                partner_code=one.partner_code,
                version=one.version,
                total=one.total,
            )
            for number, one in documents_by_number.items()
        }
        suspects = await self._unlike(facts)
        if suspects:
            # It may be on its way: by its webhook, or by the feed.
            await asyncio.sleep(self._bounds.late.total_seconds())
            suspects = await self._unlike({number: facts[number] for number in suspects})
        await self._save(suspects.values())
        for number, difference in suspects.items():
            if difference.is_safe:
                await repairing.mirror_document(
                    self._sources.sessions, documents_by_number[number], difference
                )
        return (feed.cursor if feed.has_more else None), len(documents_by_number)

    async def _unlike(self, facts: dict[str, DocumentFacts]) -> dict[str, Difference]:
        """Number → difference, of those that are not mirrored as they are."""
        async with reading(self._sources.sessions) as session:
            known = await own.mirrored(session, list(facts))
        found: dict[str, Difference] = {}
        for number, one in facts.items():
            version, total = known.get(number, (None, None))
            mirrored = one.model_copy(update={"mirrored": version, "mirrored_total": total})
            difference = next(documents.compare_document(mirrored), None)
            if difference is not None:
                found[number] = difference
        return found

    async def _postings(self, after: str) -> Page:
        async with reading(self._sources.sessions) as session:
            page, place = await own.invoice_payments(session, self._look, _at(after))
            facts = await postings_of(session, self._round_id, page)
        await self._save(chain.from_iterable(map(documents.compare_invoice_payment, facts)))
        return _cursor(place), len(page)

    async def _memos(self, after: str) -> Page:
        async with reading(self._sources.sessions) as session:
            page, following = await own.memos(session, after)
        await self._save(chain.from_iterable(map(documents.compare_memo, page)))
        return following, len(page)

    async def _balances(self, after: str) -> Page:
        async with reading(self._sources.sessions) as session:
            codes = await own.partners_with_documents(session, after, limit=ACCOUNTS)
        suspects = await self._unbalanced(codes)
        if suspects:
            await asyncio.sleep(self._bounds.late.total_seconds())
            again = await self._unbalanced([one.subject for one in suspects])
            await self._save(again)
        return (codes[-1] if len(codes) == ACCOUNTS else None), len(codes)

    async def _unbalanced(self, codes: Sequence[str]) -> list[Difference]:
        """Raises Unavailable where the ERP tells of none of them."""
        balances = await asyncio.gather(*map(self._owed_by, codes))
        if codes and all(isinstance(one, Unavailable) for one in balances):
            raise next(one for one in balances if isinstance(one, Unavailable))
        found: list[Difference] = []
        async with reading(self._sources.sessions) as session:
            for code, owed in zip(codes, balances, strict=True):
                if not isinstance(owed, Owed):
                    continue
                open_here, credit = await own.open_documents(session, code)
                found += documents.compare_balance(
                    BalanceFacts(
                        partner_code=code,
                        balance=owed.balance,
                        open_there=owed.open_invoices,
                        open_here=open_here,
                        credit=credit,
                    )
                )
        return found

    async def _owed_by(self, code: str) -> Owed | Unavailable | None:
        """None for a business that the ERP does not know."""
        try:
            return await self._sources.erp_lists.owed_by(code)
        except Unavailable as error:
            return error
        except Refused:
            return None

    async def _save(self, found: Iterable[Difference]) -> None:
        new = list(found)
        if new:
            async with self._sources.sessions.begin() as session:
                await differences.save_differences(session, self._round_id, self._part, new)


def _at(after: str) -> Place | None:
    return Place.model_validate_json(after) if after else None


def _cursor(place: Place | None) -> str | None:
    return place.model_dump_json() if place else None
