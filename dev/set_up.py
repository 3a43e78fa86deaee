"""Step 2 of every start, before anything runs: each tool that is no package of a lock file is found, fetched or built.

`python -m dev.set_up` brings what `make dev` needs, `--tests` what `make test` needs besides, `--cluster` what
`make cluster` does. It is the one place that fetches: later on a tool that is not there is an error at once, with its name
and the command that brings it. No test's time limit runs over it, two that begin together wait for each other, and what one
start has finished the next one finds.
"""

import os
import sys

from dev import browser, postgres, stripe_mock, temporal, web
from dev.cluster import building
from dev.console import CannotStart, give_up
from dev.places import cache_dir
from dev.tools import only_one


def set_up(*, tests: bool = False, cluster: bool = False) -> None:
    """Idempotent. Raises CannotStart with one sentence when something cannot be had."""
    # Checkouts share their caches.
    with only_one("set-up", cache_dir()):
        if tests or not os.environ.get("TEMPORAL_ADDRESS"):
            temporal.bring()
        if tests or not os.environ.get("DATABASE_URL"):
            postgres.bring()
        if tests:
            browser.bring()
            stripe_mock.bring()
            web.build()
        if cluster:
            building.bring()


if __name__ == "__main__":
    try:
        set_up(tests="--tests" in sys.argv, cluster="--cluster" in sys.argv)
    except CannotStart as error:
        give_up(error)
