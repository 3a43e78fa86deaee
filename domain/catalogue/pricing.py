"""Which price a person sees for a product, and why (shop spec 1, "Price display rule"; decision "Prices").

The discounted price is for reps with a chosen business, for the retired, and for the brands that the business is approved
for; everybody else sees the list price (MSRP). The discounted price is the business's own where one was agreed, else its
channel's.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from domain.base import Frozen, Utc
from domain.identity.people import Actor
from domain.money import Money
from domain.partners.partners import DEFAULT_CHANNEL, is_linked

CURRENCY = "USD"
"""Shop spec 9."""

LIST_PRICE_NAME = "MSRP"


class Rule(StrEnum):
    """Why somebody sees the price that they see. The first that holds is named."""

    REP_FOR_BUSINESS = "rep_for_business"
    RETIRED = "retired"
    APPROVED_BRAND = "approved_brand"
    MSRP = "msrp"


class ListKind(StrEnum):
    """What a price list is: of a channel, a deal of that channel for a time, or agreed with one business."""

    TIER = "tier"
    DEAL = "deal"
    AGREED = "agreed"


class Viewer(Frozen):
    """Whose eyes see the prices. `approved_brands` are slugs, `partner_code` the business that is bought for."""

    channel: str = DEFAULT_CHANNEL
    partner_code: str | None = None
    approved_brands: frozenset[str] = frozenset()
    is_rep_with_business: bool = False
    is_retired: bool = False

    @property
    def sees_all_discounts(self) -> bool:
        return self.is_rep_with_business or self.is_retired

    @property
    def sees_stock(self) -> bool:
        """Whoever works for a business that products are sold to is told how many pieces there are; everybody else, consumers
        too, in words. Our choice."""
        return is_linked(self.partner_code)

    @property
    def own_scope(self) -> str | None:
        """Where the prices agreed with the business stand."""
        return scope_of_partner(self.partner_code) if self.partner_code else None


class Listed(Frozen):
    """A price as a list has it; the list ends at `ends_at` (None: never)."""

    amount: Money
    list_name: str
    kind: ListKind
    ends_at: Utc | None = None


class Prices(Frozen):
    """What is known of an article: its list price, its channel's and the one agreed with the business."""

    msrp: Money | None
    channel: Listed | None = None
    agreed: Listed | None = None


class DisplayPrice(Frozen):
    """The price that is shown. `amount` is None for an article without any price. `list_name`, `kind` and `ends_at` say
    where it stands; `kind` is None for the list price."""

    amount: Money | None
    msrp: Money | None
    rule: Rule
    list_name: str = LIST_PRICE_NAME
    kind: ListKind | None = None
    ends_at: Utc | None = None


class ListedSpan(Frozen):
    """A row of a price list with the time for which its list holds; None is without begin or end."""

    list_id: str
    amount: Money
    starts_at: Utc | None = None
    ends_at: Utc | None = None


def viewer_of(actor: Actor, channel: str | None, approved_brands: frozenset[str]) -> Viewer:
    """The caller as prices see them; channel and brands are those of the business they work for."""
    user = actor.user
    return Viewer(
        channel=channel or DEFAULT_CHANNEL,
        partner_code=actor.business_code,
        approved_brands=approved_brands,
        is_rep_with_business=bool(
            user and user.is_sales_rep and actor.is_acting and not user.is_retired
        ),
        is_retired=bool(user and user.is_retired),
    )


def rule_for(viewer: Viewer, brand: str) -> Rule:
    """Which rule decides for an article of this brand (a slug)."""
    if viewer.is_rep_with_business:
        return Rule.REP_FOR_BUSINESS
    if viewer.is_retired:
        return Rule.RETIRED
    return Rule.APPROVED_BRAND if brand in viewer.approved_brands else Rule.MSRP


def display_price_for(viewer: Viewer, brand: str, prices: Prices) -> DisplayPrice:
    """The price that this viewer sees. Whoever sees the list price is told of no other one."""
    rule = rule_for(viewer, brand)
    listed = None if rule is Rule.MSRP else prices.agreed or prices.channel
    if listed is None:
        return DisplayPrice(amount=prices.msrp, msrp=prices.msrp, rule=rule)
    return DisplayPrice(
        amount=listed.amount,
        msrp=prices.msrp,
        rule=rule,
        list_name=listed.list_name,
        kind=listed.kind,
        ends_at=listed.ends_at,
    )


def listed_at(rows: Sequence[ListedSpan], at: Utc) -> ListedSpan | None:
    """Which of the rows of one article in one scope holds at a time: of those that do, the one whose list began last; of
    two that began together, the one with the greater list id. A list holds from its begin, and no more at its end."""
    holding = [
        row
        for row in rows
        if (row.starts_at is None or row.starts_at <= at)
        and (row.ends_at is None or at < row.ends_at)
    ]
    return max(holding, key=_begun, default=None)


_PARTNER = "partner:"


def scope_of_partner(code: str) -> str:
    """Price lists of a channel stand under its slug, those of one business under this."""
    return f"{_PARTNER}{code}"


def partner_of_scope(scope: str) -> str | None:
    """The business whose price lists stand there; None for a channel."""
    return scope.removeprefix(_PARTNER) if scope.startswith(_PARTNER) else None


class Days(Frozen):
    """From the begin of the `first` to the end of the `last`; None is without begin or end."""

    first: date | None = None
    last: date | None = None

    @property
    def are_all(self) -> bool:
        return self.first is None and self.last is None

    def span(self, zone: ZoneInfo) -> tuple[datetime | None, datetime | None]:
        """Its moments in UTC: the second one is the first that is behind it."""
        after = self.last + timedelta(days=1) if self.last else None
        begins, ends = (
            datetime.combine(day, time(), zone).astimezone(UTC) if day else None
            for day in (self.first, after)
        )
        return begins, ends


def named_for_days(scope: str, days: Days) -> str:
    """What a price of a scope is called that holds on some days alone."""
    return scope if days.are_all else f"{scope}@{days.first or ''}/{days.last or ''}"


def days_of_name(name: str) -> tuple[str, Days]:
    """The scope and the days of such a name."""
    scope, _, days = name.partition("@")
    first, _, last = days.partition("/")
    return scope, Days(
        first=date.fromisoformat(first) if first else None,
        last=date.fromisoformat(last) if last else None,
    )


def agreed_list_of(code: str) -> str:
    """The id of the list of prices that were agreed with this business without an end."""
    return f"agreed-{code}"


def _begun(row: ListedSpan) -> tuple[bool, float, str]:
    begun = row.starts_at.timestamp() if row.starts_at else 0.0
    return row.starts_at is not None, begun, row.list_id
