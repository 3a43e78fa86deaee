"""What `python -m dev.journeys` makes of the reports of its two parts."""

import json
from pathlib import Path
from typing import Any

from dev.journeys import merged
from dev.reports import read


def a_report(*titles: str, failed: int = 0) -> dict[str, Any]:
    specs = [
        {"file": "a.spec.ts", "title": title, "ok": place >= failed}
        for place, title in enumerate(titles)
    ]
    return {
        "config": {},
        "suites": [{"title": "a.spec.ts", "specs": specs}],
        "errors": [],
        "stats": {
            "startTime": "2026-11-21T15:00:00.000Z",
            "duration": 1000.5,
            "expected": len(titles) - failed,
            "unexpected": failed,
            "flaky": 0,
            "skipped": 0,
        },
    }


def test_a_failure_of_either_part_is_told_by_one_report(tmp_path: Path) -> None:
    report = tmp_path / "report"
    both = [a_report("first", "second", failed=1), a_report("third", failed=1)]
    report.write_text(json.dumps(merged(both)))
    found = read("playwright", report)
    assert (found.passed, found.skipped) == (1, 0)
    assert [one.name for one in found.failures] == ["a.spec.ts first", "a.spec.ts third"]


def test_the_time_of_both_parts_is_summed() -> None:
    stats = merged([a_report("first"), a_report()])["stats"]
    assert stats["duration"] == 2001.0
    assert stats["startTime"] == "2026-11-21T15:00:00.000Z"
