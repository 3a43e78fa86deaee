"""What the buyer of plans is told when devices have failed first."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.plans.purchase_mails import SOME_FAILED, how_far_it_is, mail_text
from domain.plans.purchases import LineStatus, PurchasePolicy, PurchaseView, Trying
from tests.plans.purchases.factories import a_line_view, a_view

PORTAL = "http://portal.test"
NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
POLICY = PurchasePolicy()
SET_UP, FAILED, UNSURE, GIVEN_BACK, OWED = (f"FT-X1-0000004{n}" for n in range(5))


def a_waiting(*statuses: tuple[str, LineStatus], **given: object) -> PurchaseView:
    lines = [
        a_line_view(key, status, detail="It was busy." if status is LineStatus.FAILED else None)
        for key, status in statuses
    ]
    trying = Trying(since=NOON)
    values = {"trying": trying, "deadline": trying.next_try(POLICY, NOON), "version": 3}
    return a_view("uuid-1", "N1", lines=lines, final_charge="50.00", **(values | given))


def parts_of(view: PurchaseView) -> list[list[str]]:
    """Of the text: its parts, by lines."""
    subject, text = how_far_it_is(view, POLICY, PORTAL)
    assert subject == SOME_FAILED
    return [part.split("\n") for part in text.split("\n\n")]


def test_it_says_what_has_its_plan_what_has_not_what_is_next_and_what_can_be_done() -> None:
    view = a_waiting(
        (SET_UP, LineStatus.PROVISIONED),
        (FAILED, LineStatus.FAILED),
        (UNSURE, LineStatus.UNCERTAIN),
        (GIVEN_BACK, LineStatus.REFUNDED),
        (OWED, LineStatus.OWED),
        refunded="10.00",
    )
    set_up, failed, then, can_do, back, owed, sums = parts_of(view)
    assert set_up == ["These plans are set up:", f"{SET_UP}  Premium Prepaid  10.00 USD"]
    assert failed == [
        "These plans are paid and could not be set up yet:",
        f"{FAILED}  Premium Prepaid  10.00 USD: It was busy.",
        f"{UNSURE}  Premium Prepaid  10.00 USD",
    ]
    assert "next on 2026-11-27 at 12:05 UTC" in then[0]
    assert "for the last time on 2026-11-28 at 12:00 UTC" in then[0]
    assert "Nothing is paid back for them before you say so." in then[1]
    assert can_do[1] == f"{PORTAL}/cart/checkout/subscriptions?uuid=uuid-1"
    assert back[1:] == [f"{GIVEN_BACK}  Premium Prepaid  10.00 USD"]
    assert owed[1:] == [f"{OWED}  Premium Prepaid  10.00 USD"]
    assert sums[:3] == [
        "Charged: 50.00 USD, taxes included",
        "Paid back: 10.00 USD",
        "Being paid back: 10.00 USD",
    ]


def test_it_says_nothing_of_what_there_is_none_of() -> None:
    failed, _, can_do, sums = parts_of(a_waiting((FAILED, LineStatus.FAILED)))
    assert failed[0] == "These plans are paid and could not be set up yet:"
    assert can_do[0].startswith("You can try these devices again now")
    assert not [line for line in sums if line.startswith("Paid back")]


@pytest.mark.parametrize("given", [{"deadline": None}, {"trying": None}])
def test_no_next_try_is_told_of_where_there_is_none(given: dict[str, None]) -> None:
    _, text = how_far_it_is(a_waiting((FAILED, LineStatus.FAILED), **given), POLICY, PORTAL)
    assert "by ourselves" not in text


def test_the_last_mail_names_what_is_set_up_alone() -> None:
    view = a_waiting((SET_UP, LineStatus.PROVISIONED), (GIVEN_BACK, LineStatus.REFUNDED))
    text = mail_text(view, PORTAL)
    assert SET_UP in text
    assert GIVEN_BACK not in text


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (LineStatus.OWED, "Being paid back: 10.00 USD"),
        (LineStatus.UNPAID, "Your bank took the payment back."),
    ],
)
def test_the_last_mail_says_what_becomes_of_what_was_charged(status: LineStatus, said: str) -> None:
    lines = ((SET_UP, LineStatus.PROVISIONED), (OWED, status))
    told = mail_text(a_waiting(*lines), PORTAL).splitlines()
    assert told[told.index("Charged: 50.00 USD, taxes included") + 1] == said


def test_the_times_are_those_of_the_policy() -> None:
    short = POLICY.model_copy(update={"retry": timedelta(hours=2)})
    _, text = how_far_it_is(a_waiting((FAILED, LineStatus.FAILED)), short, PORTAL)
    assert "for the last time on 2026-11-27 at 14:00 UTC" in text
