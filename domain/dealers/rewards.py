"""What installers earn with a device (rulings "Later rulings"; docs/decisions/0043-dealers-and-rewards.md).

A reward is an amount by product family and plan, earned when an activation ends completed, frozen then, and split
equally among the installers who took part.
"""

import re
from datetime import UTC, date, datetime, time, timedelta
from decimal import ROUND_DOWN, Decimal
from enum import StrEnum

from domain.base import Frozen, Utc
from domain.devices.devices import FAMILY, Family, Product
from domain.errors import Invalid
from domain.money import CENT, Money

NO_PLAN = "none"
"""The row of a device without a plan."""

ANY_PLAN = "any"
"""The row of a plan that has none of its own."""

INSTALLER_REQUIRED = "Installer ID is required"

TAKEN_BACK_WITHIN = timedelta(days=30)
"""A device that is swapped, or whose plan is paid back, so soon after it earned something takes the reward back."""

_X = {NO_PLAN: Decimal(5), ANY_PLAN: Decimal(10), "premium_prepaid": Decimal(15)}
_DR = {NO_PLAN: Decimal(2), ANY_PLAN: Decimal(6)}


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_START_OF_DAY, _END_OF_DAY = "T00:00:00", "T23:59:59"


class RewardPolicy(Frozen):
    """Family → plan type → amount in US dollars for one device. What stands in no row earns nothing."""

    amounts: dict[Family, dict[str, Money]] = {
        Family.X1: _X | {"premium_plus_prepaid": Decimal(20)},
        Family.X2: _X | {"premium_plus_prepaid": Decimal(20)},
        Family.XC: {NO_PLAN: Decimal(3), ANY_PLAN: Decimal(8)},
        Family.DR: _DR,
        Family.DR64: _DR,
    }


class RewardAmount(Frozen):
    """What a device of the family earns with a plan: a type's slug, NO_PLAN, or ANY_PLAN for those without a row."""

    family: Family
    plan: str
    amount: Money


class RewardKind(StrEnum):
    EARNED = "earned"
    TAKEN_BACK = "taken_back"


class Completed(Frozen):
    """A completed activation, as far as a reward asks. `installers` are the ids of those who took part, the one who
    ran it first; `plan_slug` is the type of the device's plan, if it has one; `swapped` the device that it replaced."""

    flow_id: str
    dealer_id: str
    device_key: str
    product_name: str | None
    plan_slug: str | None
    installers: tuple[str, ...]
    swapped: str | None = None
    ended_at: Utc


class Reward(Frozen):
    """One installer's share. One that is taken back stands beside it, with the amount below zero and its own time."""

    flow_id: str
    kind: RewardKind = RewardKind.EARNED
    dealer_id: str
    installer_id: str
    device_key: str
    product_name: str
    plan_slug: str | None
    amount: Money
    shared_among: int
    earned_at: Utc


class InstallerRequired(Invalid):
    code = "installer_id_required"
    detail = INSTALLER_REQUIRED


class Days(Frozen):
    """A stretch of time: from the start of a first UTC day to before the start of the day after a last one. An open end
    is None."""

    start: Utc | None = None
    before: Utc | None = None


def rewards_for(run: Completed, policy: RewardPolicy) -> tuple[Reward, ...]:
    """What each who took part has earned; nothing where the amount is nothing."""
    amount = amount_for(run.product_name, run.plan_slug, policy)
    installers = tuple(dict.fromkeys(run.installers))
    if amount <= 0 or not installers or run.product_name is None:
        return ()
    return tuple(
        Reward(
            flow_id=run.flow_id,
            dealer_id=run.dealer_id,
            installer_id=installer_id,
            device_key=run.device_key,
            product_name=run.product_name,
            plan_slug=run.plan_slug,
            amount=share,
            shared_among=len(installers),
            earned_at=run.ended_at,
        )
        for installer_id, share in zip(installers, shares(amount, len(installers)), strict=True)
        if share > 0
    )


def taken_back(earned: Reward, undone_at: datetime) -> Reward | None:
    """What a swap of the device undoes, or its plan's money that went back, in the month after it; None once the reward
    stands for good."""
    if not earned.earned_at <= undone_at <= earned.earned_at + TAKEN_BACK_WITHIN:
        return None
    return earned.model_copy(
        update={
            "kind": RewardKind.TAKEN_BACK,
            "amount": -earned.amount,
            "earned_at": next_month(undone_at),
        }
    )


def next_month(moment: datetime) -> datetime:
    """The first moment of the UTC month after this one."""
    first = moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return (first + timedelta(days=32)).replace(day=1)


def amount_for(product_name: str | None, plan_slug: str | None, policy: RewardPolicy) -> Decimal:
    """By the product's family, and by the type of its plan."""
    known = product_name in set(Product) if product_name else False
    family = FAMILY.get(Product(product_name)) if known else None
    by_plan = policy.amounts.get(family, {}) if family else {}
    if plan_slug is None:
        return by_plan.get(NO_PLAN, Decimal(0))
    return by_plan.get(plan_slug, by_plan.get(ANY_PLAN, Decimal(0)))


def amounts_of(policy: RewardPolicy) -> tuple[RewardAmount, ...]:
    """All that earns something, family by family, the least first; and what earns nothing where any other plan does."""
    return tuple(
        RewardAmount(family=family, plan=plan, amount=amount)
        for family in Family
        for plan, amount in sorted(policy.amounts.get(family, {}).items(), key=lambda row: row[1])
        if amount > 0 or (plan != NO_PLAN and policy.amounts[family].get(ANY_PLAN))
    )


def shares(amount: Decimal, among: int) -> tuple[Decimal, ...]:
    """Equal parts in whole cents; what is odd goes to the first."""
    part = (amount / among).quantize(CENT, ROUND_DOWN)
    return (amount - part * (among - 1), *[part] * (among - 1))


def days(first: date | None, last: date | None) -> Days:
    """From the start of the first day to the end of the last, in UTC (devices spec 5). Raises Invalid for a first day
    after the last."""
    if first is not None and last is not None and first > last:
        raise Invalid(fields=[("from_date", "Must not be after to_date")])
    ends = last + timedelta(days=1) if last is not None and last < date.max else None
    return Days(start=_start(first) if first else None, before=_start(ends) if ends else None)


def first_day(value: object) -> object:
    """A day is written YYYY-MM-DD, or YYYY-MM-DDTHH:mm:ss in UTC when it is where the day starts (devices spec 5, shell
    spec 9). Another hour, or a zone, would make it somebody's own day. Raises ValueError."""
    return _written_day(value, _START_OF_DAY)


def last_day(value: object) -> object:
    """The same, where the day ends. Raises ValueError."""
    return _written_day(value, _END_OF_DAY)


def _written_day(value: object, hour: str) -> str:
    day = value.removesuffix(hour) if isinstance(value, str) else ""
    if not _DAY.fullmatch(day):
        raise ValueError("a day is written YYYY-MM-DD")
    return day


def _start(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
