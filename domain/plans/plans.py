"""Connected-service plans: what there is, for how long, for which device, at what price (shop spec 2 and 3; decision 32).

A plan is prepaid for a term and ends with it; nothing renews by itself. A device has one live subscription at most.
"""

import calendar
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum

from domain.base import Frozen, Utc
from domain.checkout.cart import NoPurchasingRights, check_business_chosen
from domain.devices.devices import FAMILY, Family, Product
from domain.errors import Conflict, Forbidden, NotFound
from domain.identity.people import Actor, User, purchasing_rights
from domain.money import Money, to_cents


class Term(StrEnum):
    """Shop spec 9, "Plan durations"."""

    MONTH_TO_MONTH = "month_to_month"
    ONE_YEAR = "1_year"
    TWO_YEARS = "2_year"
    THREE_YEARS = "3_year"
    FOUR_YEARS = "4_year"
    FIVE_YEARS = "5_year"
    SIX_YEARS = "6_year"

    @property
    def months(self) -> int:
        return 1 if self is Term.MONTH_TO_MONTH else 12 * int(self.value[0])


class PlanType(Frozen):
    """What a plan can do, whatever its term. `rank` grows with what it holds; a retired one is sold no more."""

    slug: str
    name: str
    display_name: str
    description: str
    image: str
    image_description: str
    popular: bool = False
    rank: int
    is_retired: bool = False


def _picture(slug: str) -> str:
    return f"/pictures/plans/{slug}.svg"


FOUR = (
    PlanType(
        slug="basic_prepaid",
        name="Basic Prepaid",
        display_name="Basic",
        description="Vehicle Control + Security",
        image=_picture("basic_prepaid"),
        image_description="A phone that locks and starts a car",
        rank=1,
    ),
    PlanType(
        slug="premium_prepaid",
        name="Premium Prepaid",
        display_name="Premium",
        description="Basic Plan + GPS Tracking",
        image=_picture("premium_prepaid"),
        image_description="A car with a pin on a map",
        popular=True,
        rank=2,
    ),
    PlanType(
        slug="premium_plus_prepaid",
        name="Premium Plus Prepaid",
        display_name="Premium Plus",
        description="Premium Plan + Advanced GPS Tracking",
        image=_picture("premium_plus_prepaid"),
        image_description="A car on a map with its last way",
        rank=3,
    ),
    PlanType(
        slug="ultimate_prepaid",
        name="Ultimate Prepaid",
        display_name="Ultimate",
        description="Premium Plus Plan + More Advanced GPS Tracking",
        image=_picture("ultimate_prepaid"),
        image_description="Several cars on a map, each with its way",
        rank=4,
    ),
)
"""The fixed list (shop spec 2)."""

SUITABLE: Mapping[Family, int] = {
    Family.X1: 4,
    Family.X2: 4,
    Family.DR64: 4,
    Family.DR: 3,
    Family.XC: 2,
}
"""The highest rank that devices of a family can make use of. Not in the spec, our choice (decision 32)."""

ENDING_WITHIN = timedelta(days=30)
"""From here on a subscription is said to end soon, and its dealer is reminded by mail."""
SHORTEST_CUT = timedelta(days=30)
"""No plan is cut shorter, so that many end on one day. Our choice."""
LONGEST_AHEAD = timedelta(days=366 * 7)
"""No plan is sold beyond this: a term of six years, and a year that still runs."""


class Plan(PlanType):
    """A plan for a term at what the caller pays. Amounts are for the whole term, before tax."""

    id: str
    term: Term
    months: int
    list_amount: Money
    amount: Money


class Subscription(Frozen):
    """The plan of a device for a time. `worth` is what that time is worth, before tax: what the rest of it counts for when
    the plan is changed. It is suspended while what a bank took back of its price is not paid again (decision 51)."""

    id: str
    device_key: str
    product_name: str
    plan_id: str
    plan_slug: str
    plan_name: str
    rank: int
    term: Term
    starts_at: Utc
    ends_at: Utc
    worth: Money
    partner_code: str | None
    dealer_id: str | None
    owner_id: str | None
    purchase_id: str | None
    suspended_at: Utc | None = None


class SubscriptionState(StrEnum):
    ACTIVE = "active"
    ENDING = "ending"
    """It ends within thirty days: time to renew."""
    SUSPENDED = "suspended"
    """Its time runs, and the device does without it until it is paid."""
    ENDED = "ended"


class Change(StrEnum):
    """What buying a plan means for a device."""

    NEW = "new"
    RENEWAL = "renewal"
    """The same plan: its time follows the present one's."""
    UPGRADE = "upgrade"
    """A higher plan: it begins at once, and the rest of the present one is credited."""


class LineProblem(StrEnum):
    """Why a plan cannot be had for a device."""

    UNKNOWN_DEVICE = "unknown_device"
    SERVICE_MODE_REQUIRED = "service_mode_required"
    DEVICE_BLOCKED = "device_blocked"
    REGION_REFUSED = "region_refused"
    PLAN_UNKNOWN = "plan_unknown"
    PLAN_RETIRED = "plan_retired"
    PLAN_UNSUITABLE = "plan_unsuitable"
    PLAN_LOWER = "plan_lower"
    PLAN_TOO_LONG = "plan_too_long"
    IN_OTHER_PURCHASE = "in_other_purchase"
    PLAN_REFUSED = "plan_refused"
    UNCERTAIN = "uncertain"
    END_UNSUITABLE = "end_unsuitable"
    """The day that was chosen for its end lies outside the term."""


PROBLEM_WORDS: Mapping[LineProblem, str] = {
    LineProblem.UNKNOWN_DEVICE: "We could not find this device. Please check the serial number.",
    LineProblem.SERVICE_MODE_REQUIRED: "The device is not currently in Service Mode",
    LineProblem.DEVICE_BLOCKED: "This device is blocked.",
    LineProblem.REGION_REFUSED: "This device cannot be used in Canada.",
    LineProblem.PLAN_UNKNOWN: "This plan does not exist.",
    LineProblem.PLAN_RETIRED: "This plan is not sold any more.",
    LineProblem.PLAN_UNSUITABLE: "This plan is not available for this device.",
    LineProblem.PLAN_LOWER: "The device has a higher plan. A lower one can be bought when it has ended.",
    LineProblem.PLAN_TOO_LONG: "The plan of this device is paid for long enough already.",
    LineProblem.IN_OTHER_PURCHASE: "A plan for this device is being bought at this moment.",
    LineProblem.PLAN_REFUSED: "The device network refused the plan.",
    LineProblem.UNCERTAIN: "The device network did not answer. Please try again.",
    LineProblem.END_UNSUITABLE: "This plan cannot end on that day.",
}


MOST_LINES = 100
"""Devices in one purchase. Our choice: a list holds no more (promise 25)."""


class PlanMissing(NotFound):
    code = "plan_missing"
    detail = "This plan does not exist."


class MayNotBuyPlans(Forbidden):
    """Outside reps order products alone (rulings "People and rights")."""

    code = "may_not_buy_plans"
    detail = "You do not have permission to buy plans."


class NoBusinessForPlans(Conflict):
    code = "no_business_for_plans"
    detail = "Unable to buy the plan(s). No linked business account."


def check_may_buy_plans(actor: Actor) -> str:
    """The code of the business that pays. Raises NoPurchasingRights, BusinessFirst, MayNotBuyPlans or NoBusinessForPlans.

    As for products, but that consumers may, and outside reps may not: they have no saved methods to pay with.
    """
    user = actor.person
    if user.is_retired:
        raise NoPurchasingRights
    if user.is_outside_rep:
        raise MayNotBuyPlans
    check_business_chosen(actor)
    if actor.business_code is None:
        raise NoBusinessForPlans
    if not (purchasing_rights(user) or user.is_b2c):
        raise NoPurchasingRights
    return actor.business_code


def may_still_buy_plans(user: User | None, *, is_linked: bool) -> bool:
    """The same of somebody who had begun to buy: people, rights and businesses change while a purchase waits."""
    if user is None or user.is_retired or user.is_outside_rep or not is_linked:
        return False
    return purchasing_rights(user) or user.is_b2c


def plan_id(slug: str, term: Term) -> str:
    """`premium_prepaid-1_year`."""
    return f"{slug}-{term.value}"


def suits(rank: int, product: Product) -> bool:
    """Whether a device can make use of a plan of this rank."""
    return rank <= SUITABLE[FAMILY[product]]


def is_highest(subscription: Subscription) -> bool:
    """Whether the device has the highest plan that it can make use of: nothing is above it."""
    product = next((one for one in Product if one.value == subscription.product_name), None)
    return product is not None and subscription.rank >= SUITABLE[FAMILY[product]]


def state_of(ends_at: datetime, now: datetime, *, is_suspended: bool = False) -> SubscriptionState:
    if ends_at <= now:
        return SubscriptionState.ENDED
    if is_suspended:
        return SubscriptionState.SUSPENDED
    soon = ends_at - now <= ENDING_WITHIN
    return SubscriptionState.ENDING if soon else SubscriptionState.ACTIVE


def change_of(rank: int, present: Subscription | None, now: datetime) -> Change:
    """What a plan of this rank is to a device; lower ones are refused before."""
    if present is None or present.ends_at <= now:
        return Change.NEW
    return Change.UPGRADE if rank > present.rank else Change.RENEWAL


def problem_with(
    plan: Plan | None,
    product: Product,
    present: Subscription | None,
    now: datetime,
    ends_on: date | None = None,
) -> LineProblem | None:
    """Why the plan cannot be had for a device with this present subscription; None if it can. With `ends_on` it is to end
    on that day."""
    if plan is None:
        return LineProblem.PLAN_UNKNOWN
    if plan.is_retired:
        return LineProblem.PLAN_RETIRED
    if not suits(plan.rank, product):
        return LineProblem.PLAN_UNSUITABLE
    if present is None or present.ends_at <= now:
        return None
    if plan.rank < present.rank:
        return LineProblem.PLAN_LOWER
    ends_at = ends_of(plan, present, now) if ends_on is None else end_on(ends_on)
    if ends_at > now + LONGEST_AHEAD:
        return LineProblem.PLAN_TOO_LONG
    return None


def ends_of(plan: Plan, present: Subscription | None, at: datetime) -> datetime:
    """When the plan ends if it is had from `at` on: a renewal follows the present time, everything else begins at once."""
    return months_after(begin_of(plan, present, at), plan.months)


def begin_of(plan: Plan, present: Subscription | None, at: datetime) -> datetime:
    """A renewal follows the present time, everything else begins at once."""
    renews = present is not None and change_of(plan.rank, present, at) is Change.RENEWAL
    return present.ends_at if renews and present is not None else at


def end_on(day: date) -> datetime:
    """Noon UTC, so that every site of the portal reads the same day."""
    return datetime.combine(day, time(12), UTC)


def cut_to(
    plan: Plan,
    sold: Iterable[Plan],
    present: Subscription | None,
    at: datetime,
    day: date,
) -> Plan | None:
    """The plan until that day; None where the day is less than thirty days after its begin or beyond its term, and for an
    upgrade, where the rest of the present plan may be worth more than the cut one costs (decision 75).

    Of its terms in `sold` the shortest that reaches the day tells the price, by whole days: a day costs the same whichever
    term is cut. No cut costs less than a whole term that ends before it.
    """
    if change_of(plan.rank, present, at) is Change.UPGRADE:
        return None
    begin, ends_at = begin_of(plan, present, at), end_on(day)
    if ends_at < begin + SHORTEST_CUT or not _reaches(plan, begin, ends_at):
        return None
    terms = [one for one in sold if one.slug == plan.slug and one.months < plan.months]
    by = min(
        (one for one in (*terms, plan) if _reaches(one, begin, ends_at)),
        key=lambda one: one.months,
    )
    shorter = [one for one in terms if one.months < by.months]
    whole = (months_after(begin, by.months) - begin).days
    share = Decimal(min((ends_at - begin).days, whole)) / whole
    return plan.model_copy(
        update={
            "amount": max([to_cents(by.amount * share), *(one.amount for one in shorter)]),
            "list_amount": max(
                [to_cents(by.list_amount * share), *(one.list_amount for one in shorter)]
            ),
        }
    )


def _reaches(plan: Plan, begin: datetime, ends_at: datetime) -> bool:
    return ends_at <= months_after(begin, plan.months) + timedelta(days=1)


def credit_for(plan: Plan, present: Subscription | None, at: datetime) -> Decimal:
    """What the rest of the present plan counts for in an upgrade: by whole days, and never more than the price."""
    if present is None or change_of(plan.rank, present, at) is not Change.UPGRADE:
        return Decimal(0)
    return min(worth_left(present, at), plan.amount)


def worth_left(present: Subscription, at: datetime) -> Decimal:
    """The part of `worth` that belongs to the whole days left, rounded to cents."""
    days = (present.ends_at - present.starts_at).days
    left = max((present.ends_at - at).days, 0)
    return to_cents(present.worth * min(left, days) / days) if days else Decimal(0)


def worth_of(plan: Plan, present: Subscription | None, at: datetime) -> Decimal:
    """What the time from `at` to the plan's end is worth, once it is bought."""
    if present is not None and change_of(plan.rank, present, at) is Change.RENEWAL:
        return plan.amount + worth_left(present, at)
    return plan.amount


def months_after(at: datetime, months: int) -> datetime:
    """The same day so many months later; the last of the month where there is no such day."""
    year, month = divmod(at.month - 1 + months, 12)
    year, month = at.year + year, month + 1
    return at.replace(year=year, month=month, day=min(at.day, calendar.monthrange(year, month)[1]))


def upgrades(
    plans: Sequence[Plan], product: Product, present: Subscription | None, now: datetime
) -> tuple[Plan, ...]:
    """The plans that the device may have now, its own for a renewal among them."""
    return tuple(plan for plan in plans if problem_with(plan, product, present, now) is None)
