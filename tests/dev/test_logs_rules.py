"""One record is one line, whoever wrote it and whatever is in it."""

import json
import subprocess
import sys

SIGNS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
WRITING = f"""
import logging
import structlog
from logs import set_up_logs

set_up_logs()
forged = {SIGNS!r}.join(["first", '{{"event": "signed in", "level": "info"}}'])
structlog.stdlib.get_logger().info(forged, name=forged, **{{forged: 1}})
try:
    raise ValueError(forged)
except ValueError:
    structlog.stdlib.get_logger().exception("failed")
    logging.getLogger("library").exception("failed: %s", forged)
logging.getLogger("library").warning(forged)
"""


def test_line_breaks_begin_no_line() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITING], capture_output=True, check=True, encoding="utf-8"
    )
    *lines, rest = done.stdout.split("\n")
    assert (len(lines), rest) == (4, "")
    assert [line.splitlines() for line in lines] == [[line] for line in lines]
    assert [json.loads(line)["level"] for line in lines[:2]] == ["info", "error"]
    assert "signed in" in lines[2]
    assert "Traceback" in lines[2]
