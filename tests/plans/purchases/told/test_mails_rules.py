"""What the buyer of plans is told when devices have failed first."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.letters.language import Language
from domain.letters.text import reread
from domain.plans.plans import PROBLEM_WORDS, LineProblem
from domain.plans.purchase_mails import SOME_FAILED, TEXTS, how_far_it_is, mail_text, question
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


def in_french(text: str) -> list[str]:
    return reread(Language.FR, text, TEXTS).replace("\N{NO-BREAK SPACE}", " ").splitlines()


def test_a_buyer_who_reads_french_is_told_all_of_it_in_french() -> None:
    lines = [
        a_line_view(SET_UP, LineStatus.PROVISIONED),
        a_line_view(FAILED, LineStatus.FAILED, detail=PROBLEM_WORDS[LineProblem.PLAN_REFUSED]),
        a_line_view(UNSURE, LineStatus.UNCERTAIN),
        a_line_view(GIVEN_BACK, LineStatus.REFUNDED),
        a_line_view(OWED, LineStatus.OWED),
    ]
    view = a_waiting(refunded="10.00").model_copy(update={"lines": tuple(lines)})
    subject, text = how_far_it_is(view, POLICY, PORTAL)
    assert in_french(subject) == ["Certains appareils n’ont pas encore pu être configurés"]
    told = in_french(text)
    assert "Ces forfaits sont activés :" in told
    assert f"{SET_UP}  Premium Prepaid  10,00 USD" in told
    assert (
        f"{FAILED}  Premium Prepaid  10,00 USD : Le réseau des appareils a refusé le forfait."
        in told
    )
    assert (
        "Nous réessayons ces appareils de nous-mêmes, la prochaine fois le 27 novembre 2026 à 12 h 05 UTC et la dernière fois "
        "le 28 novembre 2026 à 12 h 00 UTC. Rien n’est débité pour cela." in told
    )
    assert "Débité : 50,00 USD, taxes comprises" in told
    for written in (text, mail_text(view, PORTAL), *question(view, 0, PORTAL)):
        english = {line for line in written.splitlines() if line and "://" not in line}
        assert not english & set(in_french(written))
