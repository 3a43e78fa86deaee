"""What a purchase of plans tells its buyer by mail, and asks them (decision 32)."""

import asyncio

from temporalio import activity

from activities.identity.rights import recipients_of
from db.base import Sessions, reading
from db.plans.receipts import buyer_of, receipt_of
from db.runs import flows
from domain.base import Frozen
from domain.letters.text import reread
from domain.paper.mails import bought_for
from domain.paper.receipts import receipt_paper
from domain.paper.seller import Seller
from domain.plans.purchase_mails import TEXTS
from domain.plans.purchases import Buyer
from providers.messages.letter import Paper
from providers.messenger import Messenger


class PurchaseMail(Frozen):
    purchase_id: str
    person_id: str
    subject: str
    text: str


class PurchaseQuestion(Frozen):
    """What is asked of the buyer; `number` tells two mails of one purchase apart."""

    purchase_id: str
    buyer: Buyer
    number: int
    subject: str
    text: str


class PurchaseMailActivities:
    def __init__(self, messenger: Messenger, sessions: Sessions, seller: Seller) -> None:
        self._messenger = messenger
        self._sessions = sessions
        self._seller = seller

    @activity.defn(name="mail_purchase")
    async def mail(self, mail: PurchaseMail) -> None:
        """Tells the buyer, or the owners of the business where the buyer may not see it any more, with the receipt as it is by now.
        Nothing is sent to an address that takes no mail. Idempotent by purchase, subject and address."""
        async with reading(self._sessions) as session:
            run = await flows.find_owner(session, "purchase", mail.purchase_id)
            recipients = await recipients_of(session, mail.person_id, run.partner if run else None)
            receipt = await receipt_of(session, mail.purchase_id)
            buyer = await buyer_of(session, receipt) if receipt else None
        if not recipients:
            return

        async def papers() -> list[Paper]:
            if receipt is None or buyer is None:
                return []
            content = await asyncio.to_thread(receipt_paper, receipt, buyer, self._seller)
            return [Paper(name=f"receipt-{receipt.uuid}", content=content)]

        await self._messenger.write_to_each(
            recipients,
            lambda language: (
                reread(language, mail.subject, TEXTS),
                "\n\n".join(
                    [
                        reread(language, mail.text, TEXTS),
                        *([bought_for(receipt, buyer, language)] if receipt and buyer else []),
                    ]
                ),
            ),
            key=f"{mail.purchase_id}-{mail.subject}",
            papers=papers,
        )

    @activity.defn(name="ask_about_purchase")
    async def ask_what_to_do(self, asked: PurchaseQuestion) -> None:
        """Asks the buyer; the owners of their business where they may not buy any more. Idempotent by purchase, number and
        address."""
        buyer = asked.buyer
        async with reading(self._sessions) as session:
            recipients = await recipients_of(
                session, buyer.person_id, buyer.partner_code, is_to_pay=True
            )
        await self._messenger.write_to_each(
            recipients,
            lambda language: (
                reread(language, asked.subject, TEXTS),
                reread(language, asked.text, TEXTS),
            ),
            key=f"{asked.purchase_id}-asked-{asked.number}",
        )
