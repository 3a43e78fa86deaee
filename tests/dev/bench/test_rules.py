"""How figures are judged, told and kept. Nothing is measured here."""

import json
from argparse import ArgumentParser
from pathlib import Path

import pytest
from temporalio.client import WorkflowHistory

from bench.catalogue import LARGE, LOADED_WITHIN, loading
from bench.figures import Figure, Results, at_most, facts, not_measured, show
from bench.pages import Measured, Page, page_figures
from bench.peer.load import Operation
from bench.peer.run import OURS, PEER, TUNED, UNMAILED, Row, figures, verdicts
from bench.placements import Activities, activities_in
from bench.sizes import SMALL, Sizes, add_options, chosen
from tests.replay.histories import load


def a_row(
    system: str,
    operation: Operation,
    total: float,
    *,
    count: int = 9,
    errors: dict[str, int] | None = None,
) -> Row:
    return Row(
        system=system,
        operation=operation,
        cpu={"api": total},
        total=total,
        p95=1,
        count=count,
        round_trips=1,
        errors=errors or {},
    )


def test_a_figure_is_judged_before_it_is_rounded() -> None:
    assert at_most("ratio", 0.65, 0.65).ok
    just_over = at_most("ratio", 0.6501, 0.65)
    assert (just_over.value, just_over.ok) == (0.65, False)
    assert show(just_over).endswith("goal <= 0.65: MISSED")


def test_what_is_aimed_at_beyond_the_bar_is_told_and_not_asked() -> None:
    figure = at_most("ratio", 0.6, 0.65, better=0.5)
    assert figure.ok
    assert show(figure).endswith("goal <= 0.65, better 0.5: ok")


def test_every_row_is_in_the_file_as_soon_as_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "new" / "results.jsonl"
    results = Results(path, {"cores": 2})
    results.record([Figure("waited", 3.0, "ms")])
    first, row = map(json.loads, path.read_text().splitlines())
    assert first == {"cores": 2}
    assert row == {"name": "waited", "value": 3.0, "unit": "ms", "goal": None, "ok": None}


def test_an_area_that_breaks_is_missed_and_the_next_one_is_measured(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl", {})
    with results.measuring("placement"):
        raise ValueError("the server is gone")
    with results.measuring("pages"):
        results.record([at_most("pages.shift", 0, 1)])
    assert [figure.name for figure in results.missed] == ["placement.measured"]
    assert "1 of 2 goals met" in results.summary()


def test_whoever_interrupts_ends_it(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl", {})
    with pytest.raises(KeyboardInterrupt), results.measuring("placement"):
        raise KeyboardInterrupt
    assert results.missed == []


def test_the_file_says_where_and_when() -> None:
    known = facts(["pages"], {"rounds": 3})
    assert {"at", "commit", "cores", "processor", "memory", "load", "python"} <= known.keys()
    assert known["areas"] == ["pages"]
    assert json.dumps(known)


def test_the_peer_is_compared_by_the_goals() -> None:
    ours: dict[Operation, float] = {"search": 5, "product": 3, "add_to_cart": 3, "order": 65}
    rows = [a_row(OURS, operation, total) for operation, total in ours.items()]
    rows += [a_row(PEER, "search", 999), a_row(TUNED, "search", 10)]
    rows += [a_row(PEER, "product", 10), a_row(PEER, "add_to_cart", 12), a_row(PEER, "order", 100)]
    found = {one.name: (one.value, one.ok) for one in verdicts(rows)}
    assert found == {
        "peer.search_of_vendure_tuned": (0.5, True),
        "peer.product_of_vendure": (0.3, False),
        "peer.add_to_cart_of_vendure": (0.25, True),
        "peer.order_of_vendure": (0.65, True),
    }


def test_an_order_without_its_mail_is_told_beside_the_judged_one() -> None:
    rows = [a_row(OURS, "order", 70), a_row(UNMAILED, "order", 50), a_row(PEER, "order", 100)]
    found = {one.name: (one.value, one.ok) for one in verdicts(rows)}
    assert found["peer.order_of_vendure"] == (0.7, False)
    assert found["peer.order_unmailed_of_vendure"] == (0.5, None)


def test_what_the_peer_did_not_do_is_no_victory() -> None:
    rows = [a_row(OURS, "order", 65), a_row(PEER, "order", 900, count=0)]
    verdict = next(one for one in verdicts(rows) if one.name == "peer.order_of_vendure")
    assert verdict == not_measured("peer.order_of_vendure", "<= 0.65")
    assert verdict.ok is False


def test_our_failures_beside_the_peer_are_missed_and_the_peers_are_told() -> None:
    errors = {"deadlock": 3, "timeout": 1}
    ours, theirs = (figures(a_row(one, "order", 1, errors=errors))[-1] for one in (OURS, PEER))
    assert (ours.value, ours.ok) == (4, False)
    assert (theirs.value, theirs.ok) == (4, None)


def test_pages_are_judged_by_what_a_phone_gets() -> None:
    """Each figure of a page that meets all its goals, and of one that misses them by the least."""

    def missed(performance: int, beside: int, shift: float, click: float, inp: float) -> set[str]:
        scores = {"performance": performance}
        scores |= dict.fromkeys(("accessibility", "best-practices", "seo"), beside)
        page = Page("/login", scores, shift, largest=9, click=click, inp=inp, index=1000)
        found = page_figures(Measured([page], {"/terms": {"seo": beside}}, click / 20))
        return {one.name for one in found if one.ok is False}

    assert missed(90, 100, 0.049, 100, 200) == set()
    assert missed(89, 99, 0.05, 101, 201) == {
        "pages.login.performance",
        "pages.login.accessibility",
        "pages.login.best-practices",
        "pages.login.seo",
        "pages.login.shift",
        "pages.login.click",
        "pages.login.inp",
        "pages.terms.seo",
        "pages.dashboard.heading",
    }


def test_only_the_large_catalogue_has_a_time_to_load_within() -> None:
    assert loading(9_999, LARGE - 1).ok is None
    assert loading(LOADED_WITHIN, LARGE).ok
    assert loading(LOADED_WITHIN + 1, LARGE).ok is False


def test_sizes_are_the_usual_ones_but_for_those_that_are_given() -> None:
    parser = ArgumentParser()
    add_options(parser)
    assert chosen(parser.parse_args([])) == Sizes()
    assert Sizes().products == LARGE
    small = chosen(parser.parse_args(["--small", "--crowd", "7"]))
    assert (small.crowd, small.rounds) == (7, SMALL.rounds)


def test_what_a_run_decides_at_its_beginning_is_no_activity() -> None:
    history = WorkflowHistory.from_json("placement", load("decides-early/placement"))
    assert activities_in(history) == Activities(normal=4, local=6, events=len(history.events))
