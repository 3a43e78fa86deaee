"""The cart: its lines, who may fill one, what its figures are (shop spec 3 and 4; rulings "People and rights", "Screens").

A person has one cart for each business that they buy for. Nothing of a price is remembered in it: figures are worked out
on each read, by the price rule, for whoever asks.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import StrEnum

from domain.base import Frozen, Utc
from domain.billing.taxes import Tax, taxes_on
from domain.catalogue.products import Sellable
from domain.checkout.draft import Draft
from domain.errors import Conflict, Forbidden, NotFound, PortalError
from domain.identity.people import Actor, purchasing_rights
from domain.money import Money
from domain.orders.shipping import ShippingMethod, freight
from domain.partners.partners import Address, is_linked, must_choose

MOST_PIECES = 9_999
"""Of one article in a cart. Our choice."""
MOST_LINES = 1_000
"""In a cart. Our choice: a quick order of the largest size fits in an empty one."""


class LineFault(StrEnum):
    """Why a line cannot be bought as it is."""

    UNKNOWN = "unknown"
    NOT_FOR_PURCHASE = "not_for_purchase"
    NO_PRICE = "no_price"
    TOO_MANY = "too_many"
    CART_FULL = "cart_full"


class VariantRequest(Frozen):
    """An article and how many pieces of it."""

    variant_id: str
    quantity: int


class Refused(Frozen):
    variant_id: str
    fault: LineFault


class StoredCart(Frozen):
    """A cart as it is kept. `rev` counts its changes; `is_latest` is False once a newer one took its place; `draft` is what
    its checkout was filled in with."""

    token: str
    person_id: str
    partner_code: str
    rev: int
    is_latest: bool
    shipping_method_id: str | None
    shipping_address_id: str | None
    draft: Draft = Draft()
    updated_at: Utc


class EarlierCart(Frozen):
    """A cart that was put away and still holds so many pieces."""

    token: str
    quantity: int
    updated_at: Utc


class LineVehicle(Frozen):
    """What an article is bought for."""

    id: int
    year: int
    make_id: int
    model_id: int
    name: str


class Line(Frozen):
    """An article in a cart at the figures of this moment."""

    sellable: Sellable
    quantity: int
    vehicle: LineVehicle | None = None

    @property
    def id(self) -> str:
        """An article stands in a cart once, so that its line is named by it."""
        return self.sellable.variant_id

    @property
    def now(self) -> int:
        """Pieces that can be sent at once."""
        return min(self.quantity, max(self.sellable.stock.on_hand, 0))

    @property
    def later(self) -> int:
        """Pieces that follow when there are more."""
        return self.quantity - self.now

    @property
    def fault(self) -> LineFault | None:
        return fault_of(self.sellable)

    @property
    def total(self) -> Decimal:
        """Nothing for a line that cannot be bought: it is in nobody's total."""
        amount = self.sellable.figure.amount
        return Decimal(0) if self.fault or amount is None else amount * self.quantity


class Sums(Frozen):
    """`subtotal` is that of the lines that can be bought, `net` less the coupon and with freight, `gross` with taxes too."""

    subtotal: Money
    coupon: Money = Decimal(0)
    freight: Money
    net: Money
    taxes: tuple[Tax, ...]
    tax: Money
    gross: Money


class CartMissing(NotFound):
    """Absent, or somebody else's."""

    code = "cart_missing"
    detail = "Not Found"


class LineMissing(Conflict):
    """Taken out elsewhere, or never there."""

    code = "cart_line_missing"
    detail = "This product is not in the cart any more."


class StaleCart(Conflict):
    """Another cart has taken this one's place; `latest` is its token."""

    code = "stale_cart"
    detail = "This cart has been replaced by a newer one. Nothing is lost: choose what to keep."


class BusinessFirst(Conflict):
    """A rep without a business: the screen opens the choice."""

    code = "business_needed"
    detail = "Please select a business first."


class NoLinkedBusiness(Conflict):
    """Shop spec 8."""

    code = "no_linked_business"
    detail = "Unable to add the item(s) to the cart. No linked business account."


class NoPurchasingRights(Forbidden):
    code = "no_purchasing_rights"
    detail = "You do not have purchasing rights. Please ask the owner of your business."


class LinesRefused(Conflict):
    """Nothing was changed. `lines` in the answer names each article that is refused, and why."""

    code = "lines_refused"
    detail = "Some of the items cannot be added to the cart."


REFUSALS: Mapping[LineFault, tuple[str, str]] = {
    LineFault.UNKNOWN: ("article_unknown", "This product does not exist."),
    LineFault.NOT_FOR_PURCHASE: ("not_for_purchase", "This product is not available for purchase."),
    LineFault.NO_PRICE: ("no_price", "This product has no price. Please ask your sales rep."),
    LineFault.TOO_MANY: (
        "too_many_pieces",
        f"At most {MOST_PIECES} pieces of a product fit in a cart.",
    ),
    LineFault.CART_FULL: ("cart_full", f"At most {MOST_LINES} products fit in a cart."),
}
"""Code and text where all refused articles share one fault."""


def check_business_chosen(actor: Actor) -> None:
    """Raises BusinessFirst for a rep who has chosen none (shop spec 4.2)."""
    if must_choose(actor.person) and not actor.is_acting:
        raise BusinessFirst


def check_may_buy(actor: Actor) -> None:
    """Raises NoPurchasingRights, BusinessFirst or NoLinkedBusiness. The retired have no rights whatever else they are; who
    has no business is told so before anything else (shop spec 4.2; rulings)."""
    user = actor.person
    if user.is_retired:
        raise NoPurchasingRights
    check_business_chosen(actor)
    if not is_linked(actor.business_code):
        raise NoLinkedBusiness
    if not purchasing_rights(user):
        raise NoPurchasingRights


def may_buy(actor: Actor) -> bool:
    """Whether `check_may_buy` raises nothing; never for a guest."""
    if actor.user is None:
        return False
    try:
        check_may_buy(actor)
    except PortalError:
        return False
    return True


def fault_of(sellable: Sellable) -> LineFault | None:
    """Whether an article can be bought at all."""
    if not sellable.is_for_purchase:
        return LineFault.NOT_FOR_PURCHASE
    return LineFault.NO_PRICE if sellable.figure.amount is None else None


def summed(wanted: Sequence[VariantRequest]) -> dict[str, int]:
    """Pieces by article, in the order in which they were first named."""
    found: dict[str, int] = {}
    for one in wanted:
        found[one.variant_id] = found.get(one.variant_id, 0) + one.quantity
    return found


def refused(
    adding: Mapping[str, int], held: Mapping[str, int], sellables: Mapping[str, Sellable]
) -> tuple[Refused, ...]:
    """Which of the articles cannot be added to what the cart holds (both are pieces by article), and why."""
    room = MOST_LINES - len(held)
    found: list[Refused] = []
    for variant_id, quantity in adding.items():
        fault = _fault_of_adding(
            sellables.get(variant_id),
            quantity + held.get(variant_id, 0),
            has_room=variant_id in held or room > 0,
        )
        if fault:
            found.append(Refused(variant_id=variant_id, fault=fault))
        elif variant_id not in held:
            room -= 1
    return tuple(found)


def refusal_of(lines: Sequence[Refused]) -> LinesRefused:
    """The error for refused lines: in the words of their fault where they share one."""
    faults = {line.fault for line in lines}
    code, detail = REFUSALS[faults.pop()] if len(faults) == 1 else (None, None)
    named = [{"variantId": line.variant_id, "fault": line.fault.value} for line in lines]
    return LinesRefused(detail, code=code, extra={"lines": named})


def merged(latest: Mapping[str, int], older: Mapping[str, int]) -> dict[str, int]:
    """What to add to the latest cart so that nothing of the older one is lost: pieces by article. The sum of both, up to
    the most that a line holds."""
    adding = {
        variant_id: min(quantity, MOST_PIECES - latest.get(variant_id, 0))
        for variant_id, quantity in older.items()
    }
    return {variant_id: quantity for variant_id, quantity in adding.items() if quantity > 0}


def sums_of(
    lines: Sequence[Line],
    method: ShippingMethod | None,
    address: Address | None,
    coupon: Decimal = Decimal(0),
) -> Sums:
    """The figures of a cart. Without a method there is no freight, without an address no tax yet; a pick-up is
    taxed as if sent. `coupon` is what is taken off the goods; whether they are sent free is judged before that.
    Exact to the cent: prices have two places, and each tax is rounded by itself."""
    subtotal = sum((line.total for line in lines), Decimal(0))
    sending = freight(method, subtotal) if method and subtotal else Decimal(0)
    net = subtotal - coupon + sending
    taxes = taxes_on(net, address.country, address.country_area) if address else ()
    tax = sum((one.amount for one in taxes), Decimal(0))
    return Sums(
        subtotal=subtotal,
        coupon=coupon,
        freight=sending,
        net=net,
        taxes=taxes,
        tax=tax,
        gross=net + tax,
    )


def _fault_of_adding(sellable: Sellable | None, pieces: int, *, has_room: bool) -> LineFault | None:
    if sellable is None:
        return LineFault.UNKNOWN
    if fault := fault_of(sellable):
        return fault
    if pieces > MOST_PIECES:
        return LineFault.TOO_MANY
    return None if has_room else LineFault.CART_FULL
