"""Reads what outside systems hold into the round's own table, and finds there what belongs to a page of ours."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions, reading
from db.billing.reconciliation import rounds
from db.billing.reconciliation.rounds import ProviderRecord
from domain.billing.reconciliation.facts import (
    Charge,
    InvoicePaymentFacts,
    OwnPayment,
    PaymentFacts,
    Posting,
)
from domain.billing.reconciliation.payouts import PayoutFacts
from domain.dealers.payouts import Payout, Transfer
from providers.cards.connect import Connect
from providers.cards.ledger import CardLedger, NamePage
from providers.erp.lists import ErpLists
from providers.gateway import Gateway

Page = tuple[str | None, int]


class Reader:
    """Each answers where the next page begins, and how much it read."""

    def __init__(
        self,
        cards: CardLedger,
        connect: Connect,
        gateway: Gateway,
        erp: ErpLists,
        sessions: Sessions,
        round_id: str,
        since: datetime,
    ) -> None:
        self._cards = cards
        self._connect = connect
        self._gateway = gateway
        self._erp = erp
        self._sessions = sessions
        self._round_id = round_id
        self._since = since

    async def charges(self, after: str) -> Page:
        page = await self._cards.charges(self._since, after or None)
        await self._save(rounds.CHARGE, map(_charge, page.charges))
        return page.cursor, len(page.charges)

    async def refunds(self, after: str) -> Page:
        page = await self._cards.refunded(self._since, after or None)
        await self._older(page)
        return page.cursor, len(page.ids)

    async def disputes(self, after: str) -> Page:
        page = await self._cards.disputed(self._since, after or None)
        await self._older(page)
        await self._save(rounds.DISPUTE, [ProviderRecord(id=id_) for id_ in page.ids])
        return page.cursor, len(page.ids)

    async def transactions(self, after: str) -> Page:
        found, following = await self._gateway.charges(self._since, after or None)
        await self._save(rounds.CHARGE, map(_charge, found))
        return following, len(found)

    async def transfers(self, after: str) -> Page:
        page = await self._connect.transfers(self._since, after or None)
        records = [
            ProviderRecord(id=one.id, key=one.payout_id, body=one.model_dump(mode="json"))
            for one in page.transfers
        ]
        await self._save(rounds.TRANSFER, records)
        return page.cursor, len(records)

    async def orders(self, after: str) -> Page:
        page = await self._erp.orders(self._since, after or None)
        records = [
            ProviderRecord(id=one.number, key=one.reference, body=one.model_dump(mode="json"))
            for one in page.orders
        ]
        await self._save(rounds.ERP_ORDER, records)
        return page.cursor, len(records)

    async def postings(self, after: str) -> Page:
        page = await self._erp.postings(self._since, after or None)
        records = [
            ProviderRecord(id=one.number, key=one.reference, body=one.model_dump(mode="json"))
            for one in page.postings
            # What others post there, a cheque, is no business of ours.
            if one.reference.endswith(f":{one.invoice_number}")
        ]
        await self._save(rounds.POSTING, records)
        return page.cursor, len(records)

    async def _older(self, page: NamePage) -> None:
        """Charges of before that something happened to since."""
        async with reading(self._sessions) as session:
            rows = await rounds.records_by_id(session, self._round_id, rounds.CHARGE, page.ids)
        known = {row.id for row in rows}
        found = [await self._cards.charge(id_) for id_ in sorted(set(page.ids) - known)]
        await self._save(rounds.CHARGE, [_charge(one[0]) for one in found if one is not None])

    async def _save(self, source: str, records: Iterable[ProviderRecord]) -> None:
        async with self._sessions.begin() as session:
            await rounds.save_records(session, self._round_id, source, records)


async def charges_of(
    session: AsyncSession, round_id: str, payments: Sequence[OwnPayment]
) -> list[PaymentFacts]:
    """Each with every charge that it names, or that names it."""
    named = [one.provider_id for one in payments if one.provider_id]
    rows = [
        *await rounds.records_by_key(
            session, round_id, rounds.CHARGE, [one.id for one in payments]
        ),
        *await rounds.records_by_id(session, round_id, rounds.CHARGE, named),
    ]
    disputed = await rounds.records_by_id(
        session, round_id, rounds.DISPUTE, [row.id for row in rows]
    )
    is_disputed = {row.id for row in disputed}
    found = {
        row.id: Charge.model_validate(row.body | {"is_disputed": row.id in is_disputed})
        for row in rows
    }
    by_payment: defaultdict[str | None, list[Charge]] = defaultdict(list)
    for charge in found.values():
        by_payment[charge.payment_id].append(charge)
    return [
        PaymentFacts(
            payment=payment,
            charges=tuple(
                {
                    one.id: one
                    for one in (
                        *by_payment[payment.id],
                        *filter(None, [found.get(payment.provider_id or "")]),
                    )
                }.values()
            ),
        )
        for payment in payments
    ]


async def transfers_of(
    session: AsyncSession, round_id: str, payouts: Sequence[Payout]
) -> list[PayoutFacts]:
    """Each with every transfer that it names, or that names it."""
    rows = [
        *await rounds.records_by_key(
            session, round_id, rounds.TRANSFER, [one.id for one in payouts]
        ),
        *await rounds.records_by_id(
            session,
            round_id,
            rounds.TRANSFER,
            [one.transfer_id for one in payouts if one.transfer_id],
        ),
    ]
    records = {row.id: Transfer.model_validate(row.body) for row in rows}
    return [
        PayoutFacts(
            payout=one,
            transfers=tuple(
                each
                for each in records.values()
                if one.id == each.payout_id or each.id == one.transfer_id
            ),
        )
        for one in payouts
    ]


async def postings_of(
    session: AsyncSession, round_id: str, payments: Sequence[InvoicePaymentFacts]
) -> list[InvoicePaymentFacts]:
    """Each with the postings of its allocations."""
    keys = [f"{one.id}:{part.invoice_number}" for one in payments for part in one.allocations]
    rows = await rounds.records_by_key(session, round_id, rounds.POSTING, keys)
    found: defaultdict[str | None, list[Posting]] = defaultdict(list)
    for row in rows:
        found[row.key].append(Posting.model_validate(row.body))
    return [
        one.model_copy(
            update={
                "allocations": tuple(
                    part.model_copy(
                        update={"postings": tuple(found[f"{one.id}:{part.invoice_number}"])}
                    )
                    for part in one.allocations
                )
            }
        )
        for one in payments
    ]


def _charge(one: Charge) -> ProviderRecord:
    return ProviderRecord(id=one.id, key=one.payment_id, body=one.model_dump(mode="json"))
