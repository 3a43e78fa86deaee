"""Every figure: `make bench`, or `python -m bench.run --areas …` for some of them.

One area after the other, each row told when it is there and written to one file of JSON lines, after what is known of the
machine: bench/results/latest.jsonl, or some.jsonl where not all was measured in full. The exit code is 1 where a goal was
missed or an area could not be measured to its end. The machine should do nothing else; the load that it had is in the file.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from bench import operations, portal, scale, team
from bench.figures import Results, facts
from bench.peer import run as peer
from bench.sizes import Sizes, add_options, chosen
from dev.servers import own_folder
from dev.stack import stack

RESULTS = Path(__file__).parent / "results"
Measure = Callable[[Sizes, Results], None]
ALONE: Mapping[str, Measure] = {
    "operations": operations.measure,
    "team": team.measure,
    "scale": scale.measure,
    "peer": peer.measure,
}
"""Each has a portal of its own."""
AREAS = (*portal.AREAS, *ALONE)


def measure(areas: Sequence[str], sizes: Sizes, results: Results) -> None:
    """What breaks in one is told, and the next is measured."""
    together = [area for area in portal.AREAS if area in areas]

    def on_one_portal(sizes: Sizes, results: Results) -> None:
        with own_folder() as folder, stack(folder, environment=portal.QUICK_DEVICES) as running:
            asyncio.run(portal.measure(running, together, sizes, results))

    parts: dict[str, Measure] = {"portal": on_one_portal} if together else {}
    parts |= {area: alone for area, alone in ALONE.items() if area in areas}
    for name, part in parts.items():
        with results.measuring(name):
            part(sizes, results)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.run", description=__doc__)
    parser.add_argument("--areas", nargs="+", choices=AREAS, default=AREAS)
    parser.add_argument("--results", type=Path, help="by default in bench/results")
    add_options(parser)
    options = parser.parse_args()
    sizes = chosen(options)
    is_all = set(options.areas) == set(AREAS) and sizes == Sizes()
    path = options.results or RESULTS / ("latest.jsonl" if is_all else "some.jsonl")
    results = Results(path, facts(options.areas, asdict(sizes)))
    measure(options.areas, sizes, results)
    print(results.summary())
    sys.exit(bool(results.missed))


if __name__ == "__main__":
    main()
