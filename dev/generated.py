"""Files that are written by programs: the API's types for the browser, the charts of the flows, what is told of runs.

`python -m dev.generated` writes them; `--check` fails, and names them, when a committed one is not what would be written.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from dev.console import CannotStart, give_up, say
from dev.places import ROOT
from dev.tools import tool_environment

TYPES = ROOT / "web" / "src" / "shared" / "api" / "schema.gen.ts"
GENERATOR = ROOT / "web" / "tools" / "node_modules" / ".bin" / "openapi-typescript"
PROGRAMS = ("domain.charts", "domain.run_pages")
"""They write files of their own, and know `--check`."""


def main() -> int:
    check = "--check" in sys.argv
    written = [
        _run(["python", "-m", module, *(["--check"] if check else [])], fail=False)
        for module in PROGRAMS
    ]
    failed = any(one.returncode != 0 for one in written)
    fresh = api_types()
    stale = not TYPES.exists() or TYPES.read_text() != fresh
    if not check:
        TYPES.write_text(fresh)
        say("The charts, the words and pages of runs and the API's types are written.")
        return 1 if failed else 0
    if stale:
        say(f"not up to date: {TYPES.relative_to(ROOT)}; run `make api-client`")
    sys.stderr.write("".join(one.stderr for one in written))
    return 1 if stale or failed else 0


def api_types() -> str:
    """The TypeScript types of the API as it is now; no service needs to run."""
    document = _run(["python", "-m", "api.openapi"]).stdout
    with tempfile.TemporaryDirectory() as folder:
        schema, types = Path(folder) / "openapi.json", Path(folder) / "schema.gen.ts"
        schema.write_text(document)
        _run([str(GENERATOR), str(schema), "--output", str(types)])
        return types.read_text()


def _run(command: list[str], *, fail: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command, cwd=ROOT, env=tool_environment(), capture_output=True, text=True, check=False
    )
    if fail and done.returncode != 0:
        raise CannotStart(f"`{' '.join(command)}` failed:\n{done.stdout}{done.stderr}")
    return done


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except CannotStart as error:
        give_up(error)
