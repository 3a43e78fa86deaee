"""What people send to a placement: its buyer, and the owner who must approve it."""

from typing import Annotated

from fastapi import Depends, Request
from pydantic import StringConstraints

from api.checkout.schemas import CartToken
from api.partners.credit import refresh_credit
from api.platform.deps import PortalDep, SignedIn
from api.runs.command import RunCommand
from api.runs.messages import RequiredKey
from db.base import reading
from db.billing.payment_methods import methods_of
from domain.billing.payment_methods import allowed_for
from domain.billing.payments import PaymentType
from domain.checkout.approvals import NotApprover, is_approver
from domain.checkout.cart import check_may_buy
from domain.checkout.draft import PaymentChoice, check_named
from domain.checkout.placement import PlacementMessage
from domain.checkout.quote import PaymentNotAllowed, is_meant
from domain.errors import NotFound

QuoteHash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Note = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class PlacementCommand(RunCommand):
    kind = "placement"
    audited = frozenset({"type", "method_id", "reason", "how", "note"})

    async def paying_by(self, choice: PaymentChoice) -> PlacementMessage:
        """Raises NotFound for a run of another business, and PaymentNotAllowed."""
        check_may_buy(self.actor)
        check_named(choice)
        run = await self.run()
        if run.partner is None or run.partner != self.actor.business_code:
            raise NotFound
        cards = self.portal.features.card_payments
        if not allowed_for(self.actor, cards=cards).allows(choice.type):
            raise PaymentNotAllowed
        shown = await self._written(run.partner, choice)
        if choice.type is PaymentType.TERMS:
            await refresh_credit(self.portal, run.partner)
        return PlacementMessage(**self.sender, payment=choice, shown=shown)

    async def agreement(self, quote_hash: str) -> PlacementMessage:
        """Of whoever ordered alone. Raises NotFound for another one's order."""
        if (await self.run()).owner_id != self.actor.person.id:
            raise NotFound
        check_may_buy(self.actor)
        return PlacementMessage(**self.sender, quote_hash=quote_hash)

    async def _written(self, partner: str, choice: PaymentChoice) -> str:
        if choice.method_id is None:
            return choice.type.value
        async with reading(self.portal.sessions) as session:
            methods = await methods_of(session, partner)
        method = next((one for one in methods if is_meant(one, choice)), None)
        if method is None:
            raise PaymentNotAllowed
        return method.shown


async def placement_command(
    request: Request, portal: PortalDep, actor: SignedIn, token: CartToken, key: RequiredKey
) -> PlacementCommand:
    return PlacementCommand(request, portal, actor, token, key)


OnPlacement = Annotated[PlacementCommand, Depends(placement_command)]


class ApprovalCommand(PlacementCommand):
    async def answer(self, note: str) -> PlacementMessage:
        """Raises NotFound for an order of another dealer, NotApprover for one's own."""
        run, actor = await self.run(), self.actor
        if run.dealer_id is None or run.dealer_id != actor.dealer_id:
            raise NotFound
        if actor.is_acting or not is_approver(
            actor.person, dealer_id=run.dealer_id, requester_id=run.owner_id or ""
        ):
            raise NotApprover
        return PlacementMessage(**self.sender, reason=note)

    async def approval(self, note: str) -> PlacementMessage:
        """The same, with the credit of the business as it is now: the approval holds it."""
        ask = await self.answer(note)
        await refresh_credit(self.portal, (await self.run()).partner)
        return ask


async def approval_command(
    request: Request, portal: PortalDep, actor: SignedIn, token: CartToken, key: RequiredKey
) -> ApprovalCommand:
    return ApprovalCommand(request, portal, actor, token, key)


OnApproval = Annotated[ApprovalCommand, Depends(approval_command)]
