"""What plans for devices cost: lines, sums and the hash that a buyer agrees to (workflows 1.7; decision 32)."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from domain.base import Frozen, Utc
from domain.billing.taxes import Tax
from domain.catalogue.pricing import CURRENCY
from domain.checkout.draft import PostalAddress
from domain.devices.devices import DeviceKey, Product
from domain.errors import Conflict, Invalid
from domain.money import Money
from domain.plans.plans import (
    MOST_LINES,
    PROBLEM_WORDS,
    Change,
    LineProblem,
    Plan,
    Subscription,
    change_of,
    credit_for,
    cut_to,
    end_on,
    ends_of,
    problem_with,
    worth_of,
)
from domain.plans.taxes import GST_HST, plan_taxes, summed_taxes

ZERO = Decimal("0.00")


class PlanLineRequest(Frozen):
    """`ends_on` cuts the plan to end on that day: many devices are renewed to one end (decision 75)."""

    device_key: DeviceKey
    plan_id: Annotated[str, Field(min_length=1, max_length=80)]
    ends_on: date | None = None

    @property
    def said(self) -> tuple[str, ...]:
        """What the request is known by. The day only where one is wished, so that what was held before days were still fits."""
        return said_of(self.device_key, self.plan_id, self.ends_on)


def said_of(device_key: str, plan_id: str, ends_on: date | None) -> tuple[str, ...]:
    return (device_key, plan_id, *([ends_on.isoformat()] if ends_on else []))


class QuotedLine(Frozen):
    """A plan for a device at what it costs. `base_amount` is the list price; `discount` what the channel takes off, `credit`
    what the rest of the present plan counts for. `plan_name` is the present plan's name. A line with a `problem` is not
    bought, and its amounts are nothing. `ends_on` is the day that was wished for its end."""

    device_key: str
    product_name: str
    plan_id: str
    plan_slug: str = ""
    plan_name: str | None = None
    new_plan_name: str = ""
    rank: int = 0
    change: Change = Change.NEW
    base_amount: Money = ZERO
    discount: Money = ZERO
    credit: Money = ZERO
    taxes: tuple[Tax, ...] = ()
    tax: Money = ZERO
    total: Money = ZERO
    worth: Money = ZERO
    ends_at: Utc | None = None
    ends_on: date | None = None
    problem: str | None = None
    detail: str | None = None

    @property
    def is_good(self) -> bool:
        return self.problem is None

    @property
    def said(self) -> tuple[str, ...]:
        """That of the request."""
        return said_of(self.device_key, self.plan_id, self.ends_on)


class Quote(Frozen):
    """The figures of a purchase. They add up: `final_charge` is base less discount plus tax, and the sum of the lines. An owner
    must approve figures above `approval_above`, and `over_limit` is the code of what speaks against them; both are no part of
    what is agreed to."""

    lines: tuple[QuotedLine, ...]
    base_amount: Money
    currency_discount: Money
    base_tax: Money
    taxes: tuple[Tax, ...]
    final_charge: Money
    currency: str = CURRENCY
    quote_hash: str
    quoted_at: Utc
    approval_above: Money | None = None
    over_limit: str | None = None

    @property
    def good_lines(self) -> tuple[QuotedLine, ...]:
        return tuple(line for line in self.lines if line.is_good)

    @property
    def gst_hst(self) -> Decimal:
        return sum((tax.amount for tax in self.taxes if tax.name in GST_HST), ZERO)


class NoLines(Invalid):
    code = "no_lines"
    detail = "Please choose a plan for at least one device."


class TooManyLines(Invalid):
    code = "too_many_lines"
    detail = f"At most {MOST_LINES} devices fit in one purchase of plans."


class SameDeviceTwice(Invalid):
    code = "same_device_twice"
    detail = "A device can be in a purchase only once."


class LinesFailed(Conflict):
    """`line_items` in the answer names each device and its fault (rulings "Calls")."""

    code = "line_items"
    detail = "The plan could not be bought for some of the devices."

    def __init__(self, lines: Sequence[QuotedLine]) -> None:
        named = [
            {"device_key": line.device_key, "detail": line.detail, "code": line.problem}
            for line in lines
        ]
        super().__init__(extra={"line_items": named})


def check_lines(lines: Sequence[PlanLineRequest]) -> None:
    """Raises NoLines, TooManyLines or SameDeviceTwice."""
    if not lines:
        raise NoLines(fields=[("line_items", "Required field")])
    if len(lines) > MOST_LINES:
        raise TooManyLines
    if len({line.device_key for line in lines}) < len(lines):
        raise SameDeviceTwice


def refused_line(
    request: PlanLineRequest,
    product: Product | None,
    problem: LineProblem,
    detail: str | None = None,
) -> QuotedLine:
    return QuotedLine(
        device_key=request.device_key,
        product_name=product.value if product else "",
        plan_id=request.plan_id,
        ends_on=request.ends_on,
        problem=problem.value,
        detail=detail or PROBLEM_WORDS[problem],
    )


def quoted_line(
    request: PlanLineRequest,
    product: Product,
    plan: Plan | None,
    present: Subscription | None,
    address: PostalAddress,
    at: datetime,
    sold: Iterable[Plan] = (),
) -> QuotedLine:
    """The line at what it costs now, or with what is wrong with it. `sold` are all plans, for one that is cut."""
    problem = problem_with(plan, product, present, at, request.ends_on)
    if problem or plan is None:
        return refused_line(request, product, problem or LineProblem.PLAN_UNKNOWN)
    ends_at = ends_of(plan, present, at)
    if request.ends_on is not None:
        cut = cut_to(plan, sold, present, at, request.ends_on)
        if cut is None:
            return refused_line(request, product, LineProblem.END_UNSUITABLE)
        plan, ends_at = cut, end_on(request.ends_on)
    credit = credit_for(plan, present, at)
    net = plan.amount - credit
    taxes = plan_taxes(net, address)
    tax = sum((one.amount for one in taxes), ZERO)
    return QuotedLine(
        device_key=request.device_key,
        product_name=product.value,
        plan_id=plan.id,
        plan_slug=plan.slug,
        plan_name=present.plan_name if present and present.ends_at > at else None,
        new_plan_name=plan.name,
        rank=plan.rank,
        change=change_of(plan.rank, present, at),
        base_amount=plan.list_amount,
        discount=plan.list_amount - plan.amount,
        credit=credit,
        taxes=taxes,
        tax=tax,
        total=net + tax,
        worth=worth_of(plan, present, at),
        ends_at=ends_at,
        ends_on=request.ends_on,
    )


def quote_of(lines: Sequence[QuotedLine], address: PostalAddress, at: datetime) -> Quote:
    """The sums of the lines that can be bought."""
    good = [line for line in lines if line.is_good]
    return Quote(
        lines=tuple(lines),
        base_amount=sum((line.base_amount for line in good), ZERO),
        currency_discount=sum((line.discount + line.credit for line in good), ZERO),
        base_tax=sum((line.tax for line in good), ZERO),
        taxes=summed_taxes([tax for line in good for tax in line.taxes]),
        final_charge=sum((line.total for line in good), ZERO),
        quote_hash=hash_of(lines, address),
        quoted_at=at,
    )


def hash_of(lines: Sequence[QuotedLine], address: PostalAddress) -> str:
    """What the buyer agrees to: devices, plans, amounts, days that were wished for an end, and the address. When exactly
    another plan ends is no part of it."""
    parts = [address.model_dump_json(), CURRENCY]
    parts += [
        f"{' '.join(line.said)} {line.problem} {line.base_amount} {line.discount} {line.credit} {line.total}"
        for line in lines
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
