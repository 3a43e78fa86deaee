"""The mock run of a checkout: everything worked out, nothing done (shop spec 4; decision "A quote is the order")."""

from fastapi import APIRouter

from api.checkout.cart_changes import recording_refusals
from api.checkout.schemas import CartToken
from api.partners.credit import refresh_credit
from api.platform.deps import PortalDep, SignedIn
from db.base import reading
from db.checkout.quote import quoted
from domain.base import Body
from domain.billing.payment_methods import MethodId
from domain.billing.payments import PaymentType
from domain.checkout.draft import PaymentChoice
from domain.checkout.quote import Quote

router = APIRouter(tags=["checkout"])


class PaymentSelected(Body):
    """`method_id` names a saved card or bank account; COD and TERMS have none."""

    type: PaymentType
    method_id: MethodId | None = None


class Mocking(Body):
    """`payment` comes before the one of the draft."""

    payment: PaymentSelected | None = None


@router.post("/v1/placements/{token}/mock")
async def mock_placement(
    portal: PortalDep, actor: SignedIn, token: CartToken, mocking: Mocking | None = None
) -> Quote:
    """What an order of this cart would be at this moment, to the cent, and everything that speaks against it. Nothing is
    written, reserved or charged. Completion freezes the same figures; with `quote_hash` it freezes these or none."""
    chosen = mocking.payment if mocking else None
    selected = PaymentChoice.model_validate(chosen.model_dump()) if chosen else None
    await refresh_credit(portal, actor.business_code)
    async with (
        recording_refusals(portal, actor, "mock_placement"),
        reading(portal.sessions) as session,
    ):
        cards = portal.features.card_payments
        return await quoted(session, actor, token, selected, cards=cards)
