"""Parts of `make test`: how each is run, counted and told."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from dev import testing
from dev.console import CannotStart, step
from dev.places import ROOT
from dev.processes import others
from dev.reports import Failure, Report, logged, read
from dev.testing import Part, run
from tests.drivers.until import until_now


def timed_asserts(source: str) -> list[int]:
    """Lines of a test file that `make test` runs, which ask that a clock has not gone too far."""
    tree = ast.parse(source)
    if any(is_whole_mark(one) for one in tree.body if isinstance(one, ast.Assign)):
        return []
    return [
        one.lineno
        for test in tree.body
        if isinstance(test, ast.FunctionDef | ast.AsyncFunctionDef)
        and not any(is_whole_mark(mark) for mark in test.decorator_list)
        for one in ast.walk(test)
        if isinstance(one, ast.Assert)
        and isinstance(one.test, ast.Compare)
        and isinstance(one.test.ops[0], ast.Lt | ast.LtE)
        and re.search(r"(time|monotonic|perf_counter)\(\) - ", ast.unparse(one.test.left))
        and not ast.unparse(one.test.left).startswith("abs(")
    ]


def is_whole_mark(node: ast.AST) -> bool:
    return "mark.whole" in ast.unparse(node)


def test_no_test_that_must_pass_measures_time() -> None:
    """A busy machine is no fault; what measures is marked `whole`, or a figure of `bench/`."""
    assert timed_asserts("def test_a():\n    assert time.monotonic() - begun < 3") == [2]
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    timed = {str(path.relative_to(ROOT)): timed_asserts(path.read_text()) for path in files}
    assert {name: lines for name, lines in timed.items() if lines} == {}


def test_a_junit_report_is_counted_by_outcome(tmp_path: Path) -> None:
    report = tmp_path / "report"
    report.write_text(
        "<testsuites><testsuite><testcase/><testcase><failure/></testcase>"
        "<testcase><error/></testcase><testcase><skipped/></testcase></testsuite></testsuites>"
    )
    found = read("junit", report)
    assert (found.passed, found.failed, found.skipped) == (1, 2, 1)


def test_what_fails_for_many_tests_of_a_module_in_one_way_is_one_cause(tmp_path: Path) -> None:
    report = tmp_path / "report"
    broken = '<testcase classname="tests.a" name="{}"><error message="failed on setup&#10;more"/></testcase>'
    lost = '<testcase classname="tests.{}" name="t"><failure message="assert 1 == 2"/></testcase>'
    cases = [broken.format(name) for name in "bcde"] + [lost.format(module) for module in "faa"]
    report.write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")
    found = read("junit", report)
    assert (found.failed, found.causes) == (7, 3)
    assert found.failures[0].name == "tests.a b"
    assert found.failures[0].reason == "failed on setup"


@pytest.mark.parametrize(
    "said", ["AssertionError", "ExceptionGroup: unhandled errors (2 sub-exceptions)"]
)
def test_where_the_message_says_nothing_the_line_of_code_does(tmp_path: Path, said: str) -> None:
    report = tmp_path / "report"
    trace = (
        'Traceback (most recent call last):\n  File "/a/test_b.py", line 3, in test_b\n    await drive()\n'
        '  |   File "/a/drive.py", line 154, in drive\n  |     assert answer.is_success\nAssertionError'
    )
    report.write_text(
        f'<s><testcase classname="tests.b" name="b"><failure message="{said}">{escape(trace)}</failure></testcase></s>'
    )
    (found,) = read("junit", report).failures
    assert found.reason == f"{said} · drive.py:154 assert answer.is_success"


def test_a_missing_report_counts_nothing(tmp_path: Path) -> None:
    assert read("junit", tmp_path / "absent") == Report()


def test_failed_journeys_are_named_from_every_depth(tmp_path: Path) -> None:
    report = tmp_path / "report"
    error = {"message": "\x1b[31mTest timeout\x1b[0m\n  at somewhere"}
    kept = [{"name": name, "path": f"/results/{name}"} for name in ("screenshot", "trace")]
    result = {"errors": [error], "attachments": kept}
    tried = {"projectName": "phone", "status": "unexpected", "results": [result]}
    lost = {"file": "a.spec.ts", "title": "is lost", "ok": False, "tests": [tried]}
    found = {"file": "a.spec.ts", "title": "is found", "ok": True}
    there = {"projectName": "desktop", "status": "expected", "results": []}
    half = {"file": "a.spec.ts", "title": "is half lost", "ok": True, "tests": [there, tried]}
    suites = [{"specs": [found, half], "suites": [{"specs": [lost, found]}]}]
    stats = {"expected": 3, "flaky": 0, "unexpected": 2, "skipped": 0}
    report.write_text(json.dumps({"suites": suites, "stats": stats}))
    assert [(one.name, one.reason, one.log) for one in read("playwright", report).failures] == [
        ("a.spec.ts is half lost [phone]", "Test timeout", "/results/trace"),
        ("a.spec.ts is lost [phone]", "Test timeout", "/results/trace"),
    ]


def test_each_failure_says_where_more_is_told_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = (
        '<s><testcase classname="tests.a" name="b"><failure message="assert 1 == 2">the whole trace'
        "</failure><system-out>what it printed</system-out></testcase></s>"
    )
    part = a_part(tmp_path, report, SAVED)
    told = said_by(monkeypatch, capsys, tmp_path, part)
    (log,) = re.findall(r"✗ part: tests\.a b\n +assert 1 == 2\n +log: (\S+)\n", told)
    assert Path(log).read_text() == "tests.a b\nthe whole trace\nwhat it printed"


def test_what_a_journey_left_is_kept_when_the_next_run_empties_its_folder(tmp_path: Path) -> None:
    trace = tmp_path / "results" / "trace.zip"
    trace.parent.mkdir()
    trace.write_bytes(b"each step")
    kept = tmp_path / "kept"
    lost = [Failure("a.spec.ts is lost", said="Test timeout", log=str(trace))]
    (told,) = logged(lost, kept, None)
    shutil.rmtree(trace.parent)
    assert Path(told.log).parent == kept
    assert (Path(told.log).suffix, Path(told.log).read_bytes()) == (".zip", b"each step")
    (told,) = logged(lost, kept, None)  # what has gone already is named by what was said
    assert Path(told.log).read_text() == "a.spec.ts is lost\nTest timeout"


def test_a_part_that_counts_nothing_says_where_its_output_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    part = Part("types", ["sh", "-c", "echo a.py:3 is wrong; false"], is_quick=True)
    told = said_by(monkeypatch, capsys, tmp_path, part)
    (log,) = re.findall(r"✗ types: types\n.*ended with exit code 1\n +log: (\S+)\n", told)
    assert "a.py:3 is wrong" in Path(log).read_text()


def said_by(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    part: Part,
) -> str:
    """What a run of this part alone says, with its state in this folder."""
    monkeypatch.setenv("STATE_DIR", str(folder / "state"))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(testing, "interrupt_on_sigterm", lambda: None)
    monkeypatch.setattr(testing, "end_with_our_parent", lambda: None)
    monkeypatch.setattr(testing, "quick_parts", lambda: [part])
    monkeypatch.setattr(testing, "slow_parts", list[Part])
    assert testing.main([]) == 1
    return capsys.readouterr().out


def test_a_run_says_which_other_servers_slow_it_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looks_like_one = ["bash", "-c", "exec -a uvicorn-of-another-stack sleep 60"]
    with subprocess.Popen(looks_like_one, start_new_session=True) as other:
        try:
            until_now(lambda: [line for line in others() if line.startswith(f"{other.pid} ")])
            told = said_by(monkeypatch, capsys, tmp_path, Part("part", ["false"], is_quick=True))
        finally:
            other.kill()
    assert f"Note: this runs here too and slows the tests down: {other.pid} " in told


def test_the_journeys_run_again_with_all_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time finds what the first has left behind."""

    def named() -> list[str]:
        return [part.name for part in testing.slow_parts() if "dev.journeys" in part.command]

    monkeypatch.setenv("WHOLE", "")
    assert named() == ["journeys"]
    monkeypatch.setenv("WHOLE", "1")
    assert named() == ["journeys", "journeys again", "journeys in French", "screens"]


def a_part(folder: Path, first: str, second: str) -> Part:
    """Writes one report when it is tried first, and the other one with `again`."""
    program = (
        "import pathlib, sys; again = sys.argv[2:] == ['again'];"
        f"text = {second!r} if again else {first!r};"
        "pathlib.Path(sys.argv[1]).write_text(text); sys.exit('failure' in text)"
    )
    command = [sys.executable, "-c", program, "{report}"]
    return Part("part", command, "junit", folder, again=["again"])


LOST = '<s><testcase name="a"/><testcase name="b"><failure message="unlucky"/></testcase></s>'
SAVED = '<s><testcase name="b"/></s>'


def test_in_ci_what_passes_alone_is_named_with_the_reason_of_its_first_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "1")
    outcome = run(a_part(tmp_path, LOST, SAVED))
    assert [(one.name, one.reason) for one in outcome.second_try] == [("b", "unlucky")]


def test_a_second_failure_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "1")
    outcome = run(a_part(tmp_path, LOST, LOST))
    assert (outcome.report.failed, outcome.second_try) == (1, ())


def test_outside_ci_there_is_no_second_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    assert run(a_part(tmp_path, LOST, SAVED)).report.failed == 1


def test_a_second_try_that_tries_nothing_saves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "1")
    assert run(a_part(tmp_path, LOST, "<s></s>")).report.failed == 1


def test_what_fails_for_many_reasons_gets_no_second_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "1")
    cases = [f'<testcase name="t{n}"><failure message="{n}"/></testcase>' for n in range(11)]
    assert run(a_part(tmp_path, f"<s>{''.join(cases)}</s>", SAVED)).report.failed == 11
    saved = "".join(f'<testcase name="t{n}"/>' for n in range(10))
    assert not run(
        a_part(tmp_path, f"<s>{''.join(cases[1:])}</s>", f"<s>{saved}</s>")
    ).report.failed


def test_a_red_quick_part_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What follows takes minutes and would tell no more."""

    def parts(*commands: str) -> list[Part]:
        return [
            Part(f"part-{command}", [command], is_quick=quick)
            for command, quick in zip(commands, (True, False), strict=True)
        ]

    def run_all(*commands: str) -> tuple[int, str]:
        quick, slow = parts(*commands)
        monkeypatch.setattr(testing, "quick_parts", lambda: [quick])
        monkeypatch.setattr(testing, "slow_parts", lambda: [slow])
        return testing.main([]), capsys.readouterr().out

    monkeypatch.setenv("STATE_DIR", str(tmp_path))
    monkeypatch.setattr(testing, "interrupt_on_sigterm", lambda: None)
    monkeypatch.setattr(testing, "end_with_our_parent", lambda: None)
    code, told = run_all("false", "true")
    assert code == 1
    assert "A quick part is red: the others were not begun." in told
    assert told.endswith("\n0 passed, 1 failed\n")
    assert "✗ part-false: part-false\n       `false …` ended with exit code 1" in told
    code, told = run_all("true", "true")
    assert (code, told.splitlines()[-1]) == (0, "2 passed, 0 failed")
    with pytest.raises(CannotStart, match="No part other"):
        testing.main(["other"])


def test_a_part_that_does_not_end_is_ended_and_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(testing, "LONGEST_PART", 0.3)
    monkeypatch.setattr(testing, "LONGEST_WHOLE_PART", 0.3)
    note = tmp_path / "pid"
    outcome = run(Part("slow", ["sh", "-c", f"echo $$ > {note}; exec sleep 600"]))
    (failure,) = outcome.report.failures
    assert failure.reason == "did not end within 0.3 s"
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


def test_noise_keeps_every_core_busy_and_ends_with_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            begun.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    with testing._noise():  # pyright: ignore[reportPrivateUsage]
        assert begun == []
    monkeypatch.setenv("NOISE", "1")
    with testing._noise():  # pyright: ignore[reportPrivateUsage]
        assert len(begun) == os.cpu_count()
        assert {loop.poll() for loop in begun} == {None}
    assert None not in {loop.poll() for loop in begun}


def test_what_a_step_says_is_no_part_of_what_a_command_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with step("Making something"):
        print("made")
    told = capsys.readouterr()
    assert told.out == "made\n"
    assert told.err.startswith("• Making something …\n  done in ")


def test_a_command_that_fails_without_a_word_is_a_failure(tmp_path: Path) -> None:
    assert run(Part("part", ["false"], "junit", tmp_path)).report.failed == 1
    assert run(Part("part", ["true"], "junit", tmp_path)).report.failed == 1
    assert run(Part("part", ["true"], folder=tmp_path)).report.passed == 1
