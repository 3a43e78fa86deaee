"""When what failed is tried again by itself, and when its buyer is asked what to do."""

from datetime import UTC, datetime, timedelta

from domain.plans.purchases import PurchasePolicy, Trying

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
POLICY = PurchasePolicy()


def test_each_pause_is_twice_as_long_and_after_a_day_there_is_none() -> None:
    now, tried = NOON, Trying(since=NOON)
    pauses: list[timedelta] = []
    while (then := tried.next_try(POLICY, now)) is not None:
        pauses.append(then - now)
        now, tried = then, tried.model_copy(update={"tries": tried.tries + 1})
    assert pauses[:3] == [timedelta(minutes=minutes) for minutes in (5, 10, 20)]
    assert now == NOON + timedelta(days=1)
    assert len(pauses) < 12


def test_its_buyer_is_asked_three_times_and_operators_see_it_from_the_second_on() -> None:
    asked = [Trying(since=NOON, asked=number) for number in range(4)]
    days = [one.next_question(POLICY) for one in asked]
    assert days == [*(NOON + timedelta(days=day) for day in (1, 7, 30)), None]
    assert [one.is_overdue for one in asked] == [False, False, True, True]
