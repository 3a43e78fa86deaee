"""What strikes whom, and what the judge makes of a ledger's sums."""

from collections import Counter

from simulators.cards.known import CARDS
from tests.faults.judges.money import kept_of
from tests.faults.people import buyers
from tests.faults.troubles.killer import AWAY, HANG_SECONDS, HUNG, RUNS, VICTIMS, amounts, strikes


def test_each_victim_is_struck_as_often_as_it_should_be_and_a_seed_repeats_it() -> None:
    planned = strikes(7, 25, 1_000)
    assert Counter(strike.victim for strike in planned) == Counter(amounts(25))
    assert planned == strikes(7, 25, 1_000)
    assert planned != strikes(8, 25, 1_000)
    assert {strike.seconds for strike in planned if strike.victim == HUNG} == {HANG_SECONDS}
    assert max(strike.after_steps for strike in planned) <= 900


def test_the_smallest_run_has_one_of_each() -> None:
    assert set(amounts(1)) == {*VICTIMS, *RUNS, HUNG, *AWAY}
    assert min(amounts(1).values()) == 1


def test_buyers_meet_what_goes_wrong_with_money_after_it_was_taken() -> None:
    """An ERP that cancels what is paid, debits that come back, refunds that are refused: all are among what they choose from."""
    assert "ERP-REVOKES" in buyers.PO_NUMBERS
    assert "ERP-REVOKES" in buyers.TAKEN_BACK
    assert {"insufficient", "late"} <= set(buyers.WAYS)
    refuses = {card.name: card.refuses_refunds for card in CARDS}
    assert all(refuses[card] for card in buyers.REFUND_REFUSED)
    assert 0 < buyers.HARD_SHARE < 1


def test_what_is_kept_is_neither_given_back_nor_returned() -> None:
    assert kept_of({"captured": 500, "refunded": 100, "returned": 400, "authorised": 900}) == 0
    assert kept_of({}) == 0
