"""Which open invoices to pay with so much money: those that save most, then most of what is past due, then the oldest.

Exact, in three steps, each with what the one before left over:

1. The most discount, for the least money where that decides what follows: a knapsack. Of invoices alike the older is paid.
2. Of the past due ones without a discount as much as the money covers: a subset sum. Of all sets that clear as much, the one
   that holds the oldest invoice in which they differ.
3. The rest, the oldest first, as far as the money goes.

An invoice that still has a discount counts for that alone.
"""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from math import gcd

from domain.base import Frozen
from domain.billing.invoice_allocation import MOST_INVOICES
from domain.billing.invoices.documents import NOTHING, Invoice, discount_of, payoff_of
from domain.billing.invoices.search import is_past_due
from domain.money import Money

NEAR_EDGE = 24
"""Items of which all sets are tried at first."""
NEAR_END = 16
"""How many of the oldest are given up at most before the highest sum is looked for."""
BLOCK = 16


class InvoiceToPay(Frozen):
    """`payoff` settles it on the day, which saves `discount`."""

    number: str
    payoff: Money
    discount: Money
    is_past_due: bool


class PayAdvice(Frozen):
    """`considered` of the `open` invoices were looked at: one payment settles no more than 200. `past_due` is what is
    cleared of them, `left` the money that stays."""

    invoices: tuple[InvoiceToPay, ...]
    total: Money
    discount: Money
    past_due: Money
    left: Money
    open: int
    considered: int


class _One(Frozen):
    """In cents."""

    cost: int
    saves: int
    known: InvoiceToPay


def paying_well(invoices: Sequence[Invoice], budget: Decimal, on: date) -> PayAdvice:
    """What to pay of these with so much money on this day, in the site's time zone. Settled ones are passed over."""
    opened = [one for one in invoices if one.balance > 0]
    by_age = sorted(opened, key=lambda one: (one.create_date, one.number))
    saving, late, rest = _by_use(by_age, on)
    money = _cents(budget)
    chosen = _chosen(saving, late, rest, money)
    known = tuple(one.known for one in chosen)
    total = sum((one.payoff for one in known), NOTHING)
    return PayAdvice(
        invoices=known,
        total=total,
        discount=sum((one.discount for one in known), NOTHING),
        past_due=sum((one.payoff + one.discount for one in known if one.is_past_due), NOTHING),
        left=budget - total,
        open=len(opened),
        considered=len(saving) + len(late) + len(rest),
    )


def _by_use(by_age: Sequence[Invoice], on: date) -> tuple[list[_One], list[_One], list[_One]]:
    """Those that save something, those past due, the others: together no more than one payment settles."""
    saving: list[_One] = []
    late: list[_One] = []
    rest: list[_One] = []
    for invoice in by_age:
        payoff, discount = payoff_of(invoice, on), discount_of(invoice, on)
        known = InvoiceToPay(
            number=invoice.number,
            payoff=payoff,
            discount=discount,
            is_past_due=is_past_due(invoice, on),
        )
        one = _One(cost=_cents(payoff), saves=_cents(discount), known=known)
        (saving if one.saves else late if known.is_past_due else rest).append(one)
    saving = sorted(saving, key=lambda one: -one.saves)[:MOST_INVOICES]
    late = late[: MOST_INVOICES - len(saving)]
    return saving, late, rest[: MOST_INVOICES - len(saving) - len(late)]


def _chosen(saving: list[_One], late: list[_One], rest: list[_One], money: int) -> list[_One]:
    first, least = _most_saved(saving, money, is_cheapest=False)
    after = _after(late, rest, money - _cost(first))
    if after != _after(late, rest, money - least):
        first, _ = _most_saved(saving, money, is_cheapest=True)
        after = _after(late, rest, money - _cost(first))
    return [*first, *after]


def _after(late: list[_One], rest: list[_One], money: int) -> list[_One]:
    chosen = _most_cleared(late, money)
    left = money - _cost(chosen)
    for one in rest:
        if one.cost <= left:
            chosen.append(one)
            left -= one.cost
    return chosen


def _most_saved(items: Sequence[_One], money: int, *, is_cheapest: bool) -> tuple[list[_One], int]:
    """The set that saves most, and the least that a set can cost that saves as much. With `is_cheapest` it is the cheapest
    of those sets.

    The set of the best rates that fits is changed item by item, those next to its edge first. A changed set is kept while
    the edge's rates could still make it better than the best one known, and no kept one costs less and saves more.
    """
    ranked = sorted(items, key=lambda one: -one.saves / one.cost if one.cost else float("-inf"))
    edge, cost, saved = 0, 0, 0
    while edge < len(ranked) and cost + ranked[edge].cost <= money:
        cost, saved = cost + ranked[edge].cost, saved + ranked[edge].saves
        edge += 1
    best, flips = _near_edge(ranked, edge, (cost, saved, 0), money)
    states = [(cost, saved, 0)]
    left, right = edge - 1, edge
    while states and (left >= 0 or right < len(ranked)):
        place, sign = (left, -1) if left >= 0 and (right + left) % 2 else (right, 1)
        if place >= len(ranked):
            place, sign = left, -1
        elif place < 0:
            place, sign = right, 1
        left, right = (left - 1, right) if sign < 0 else (left, right + 1)
        states = _undominated(states, sign * ranked[place].cost, sign * ranked[place].saves, place)
        for spent, gained, flipped in states:
            if spent <= money and (gained, -spent) > best:
                best, flips = (gained, -spent), flipped
        inner = ranked[left] if left >= 0 else None
        outer = ranked[right] if right < len(ranked) else None
        states = [
            state for state in states if _may_win(state, money, best, inner, outer, is_cheapest)
        ]
    chosen = [one for place, one in enumerate(ranked) if (place < edge) != bool(flips >> place & 1)]
    least = -best[1] if is_cheapest else _least_cost(ranked, best[0])
    return chosen, least


_State = tuple[int, int, int]
"""What a set costs and saves, and which items were changed, as bits."""


def _near_edge(
    ranked: Sequence[_One], edge: int, start: _State, money: int
) -> tuple[tuple[int, int], int]:
    """The best that comes of changing the items next to the edge, half of them joined with the other half."""
    near = sorted(range(len(ranked)), key=lambda place: abs(2 * (place - edge) + 1))[:NEAR_EDGE]
    one, other = (
        _all_changes(ranked, edge, near[first::2], state)
        for first, state in ((0, start), (1, (0, 0, 0)))
    )
    costs = [cost for cost, _, _ in other]
    best, flips = (start[1], -start[0]), 0
    for cost, saved, flipped in one:
        place = bisect_right(costs, money - cost) - 1
        if place >= 0:
            more, gained, changed = other[place]
            if (saved + gained, -cost - more) > best:
                best, flips = (saved + gained, -cost - more), flipped | changed
    return best, flips


def _all_changes(
    ranked: Sequence[_One], edge: int, places: Sequence[int], start: _State
) -> list[_State]:
    states = [start]
    for place in places:
        sign = -1 if place < edge else 1
        states = _undominated(states, sign * ranked[place].cost, sign * ranked[place].saves, place)
    return states


def _undominated(states: list[_State], cost: int, saved: int, place: int) -> list[_State]:
    """These and the same with one change more, without those that cost no less and save no more than another."""
    bit = 1 << place
    both = sorted(
        [*states, *((c + cost, s + saved, flips | bit) for c, s, flips in states)],
        key=lambda state: (state[0], -state[1]),
    )
    kept: list[_State] = []
    most = -(1 << 62)
    for state in both:
        if state[1] > most:
            kept.append(state)
            most = state[1]
    return kept


def _may_win(
    state: _State,
    money: int,
    best: tuple[int, int],
    inner: _One | None,
    outer: _One | None,
    is_cheapest: bool,
) -> bool:
    """Whether what is left to change could beat the best one: adding at no better rate than `outer`'s, taking away at no
    worse rate than `inner`'s."""
    cost, saved, _ = state
    spare = money - cost
    if spare >= 0:
        bound = saved + (spare * outer.saves // outer.cost if outer and outer.cost else 0)
    elif inner is None:
        return False
    else:
        bound = saved - -(spare * inner.saves // inner.cost) if inner.cost else saved
    if bound != best[0] or not is_cheapest:
        return bound > best[0]
    lacking = best[0] - saved
    if lacking > 0:
        least = cost + (-(-lacking * outer.cost // outer.saves) if outer else 0)
    else:
        least = cost - (-lacking * inner.cost // inner.saves if inner else 0)
    return least < -best[1]


def _least_cost(ranked: Sequence[_One], saved: int) -> int:
    """No set that saves as much costs less."""
    cost = 0
    for one in ranked:
        if one.saves >= saved:
            return cost + -(-saved * one.cost // one.saves) if saved > 0 else cost
        cost, saved = cost + one.cost, saved - one.saves
    return cost


def _most_cleared(by_age: Sequence[_One], money: int) -> list[_One]:
    """Of these, the oldest first, as much as the money covers."""
    if _cost(by_age) <= money:
        return list(by_age)
    unit = gcd(*(one.cost for one in by_age))
    costs = [one.cost // unit for one in by_age]
    most = money // unit
    places = _oldest_of_sum(costs, most, NEAR_END)
    if places is None:
        places = _oldest_of_sum(costs, _highest_sum(costs, most), len(costs))
    assert places is not None
    return [by_age[place] for place in places]


def _oldest_of_sum(costs: Sequence[int], wanted: int, give_up: int) -> list[int] | None:
    """The places of a set that comes to this sum exactly; of several the one that holds the first place in which they differ.
    None where there is none that lacks no more than so many of the first ones.

    The first ones are taken as long as they fit. If the sum cannot be completed behind them, fewer of them are taken: a set
    that holds more of the first ones is always the better one.
    """
    sums = [0]
    for cost in costs:
        sums.append(sums[-1] + cost)
    fitting = max(place for place, total in enumerate(sums) if total <= wanted)
    behind = 2
    while True:
        start = max(fitting - behind, 0)
        found = _completed(costs[start:], wanted - sums[start])
        if found is not None:
            return [*range(start), *(start + place for place in found)]
        if start == 0 or behind >= give_up:
            return None
        behind *= 2


def _completed(costs: Sequence[int], wanted: int) -> list[int] | None:
    """Bit n of a set of sums: n is a sum of some of them. Of all sets of the last so many, each `BLOCK`th is kept."""
    ends = {len(costs): 1}
    sums = 1
    for place in range(len(costs) - 1, -1, -1):
        sums = _with(sums, costs[place], wanted)
        if place % BLOCK == 0:
            ends[place] = sums
    if not sums >> wanted & 1:
        return None
    found: list[int] = []
    for first in range(0, len(costs), BLOCK):
        end = min(first + BLOCK, len(costs))
        after = [ends[end]]
        for place in range(end - 1, first, -1):
            after.append(_with(after[-1], costs[place], wanted))
        for place in range(first, end):
            rest = wanted - costs[place]
            if rest >= 0 and after[end - 1 - place] >> rest & 1:
                found.append(place)
                wanted = rest
    return found


def _with(sums: int, cost: int, most: int) -> int:
    """And one item more, up to the most."""
    return (sums | sums << cost) & ((1 << (most + 1)) - 1) if cost <= most else sums


def _highest_sum(costs: Sequence[int], most: int) -> int:
    sums = 1
    for cost in costs:
        sums = _with(sums, cost, most)
    return sums.bit_length() - 1


def _cost(items: Sequence[_One]) -> int:
    return sum(one.cost for one in items)


def _cents(amount: Decimal) -> int:
    return int(amount * 100)
