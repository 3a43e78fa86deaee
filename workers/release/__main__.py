"""`python -m workers.release` shows the releases that Temporal knows; `... current [SECONDS]` has this one (`RELEASE`) take
their place, and looks so long again at what has an effect under way (120).

To go back, run the second with the release before: it is the same way. Ends with 1 while runs wait for workers that are gone,
and where this release has no workers yet.
"""

import asyncio
import sys
from collections.abc import Sequence
from datetime import timedelta

from temporalio.service import RPCError

from assembly import payload_codec_of
from settings import Settings
from workers.connect import connect_when_there
from workers.release.deployment import Deployment, NotKnownYet, Release
from workers.release.schedules import SCHEDULES, end_rounds
from workers.release.taking_over import TakenOver, TakingOver
from workers.shutdown import leave
from workers.worker import WORKFLOWS

FIRST_WORKER = timedelta(minutes=1)
LOOKS_AGAIN = timedelta(minutes=2)
NO_RELEASES = "No worker has ever named its release (RELEASE): there is one at a time."
NOT_NAMED = "Set RELEASE to the name of this release, as its workers and APIs have it."
START_FIRST = (
    "Start its workers and see that they run, then run this again: nothing has changed hands."
)
AGAIN = "See that it is well and run this again: what was done stays done."
CURRENT = "current"


async def take_its_place(
    deployment: Deployment, release: str, within: timedelta = LOOKS_AGAIN
) -> TakenOver:
    """Schedules begin with it, what goes round begins anew, and every run that it can carry on is its own. Idempotent."""
    await deployment.make_current(release, within=FIRST_WORKER)
    for recurring in SCHEDULES:
        if recurring.goes_round:
            await end_rounds(deployment.client, recurring)
    return await TakingOver(deployment, release, WORKFLOWS).carry_out(within=within)


def written(releases: Sequence[Release], own: str = "", *, of_none: int = 0) -> str:
    """A line for each release, and what may be done with its workers; `of_none` is the number of runs of no release."""
    if not releases:
        return f"{NO_RELEASES}\n{of_none} runs are under way."
    lines = [f"  {'release':<24} {'':<8} {'workers':>7} {'runs':>7}"]
    for one in releases:
        mark = CURRENT if one.is_current else "own" if one.name == own else ""
        lines.append(f"  {one.name:<24} {mark:<8} {one.workers:>7} {one.runs:>7}  {_next(one)}")
    lines.append(f"  {'of no release':<33} {'':>7} {of_none:>7}")
    return "\n".join(lines)


def summary_of(taken: TakenOver) -> str:
    lines = [f"{taken.taken} runs were taken over."]
    for why, counts in (
        ("cannot be carried on here", taken.unread),
        ("had an effect under way; try again", taken.busy),
    ):
        for (release, kind), count in sorted(counts.items()):
            lines.append(f"{count} of {kind} stay with {release}: they {why}.")
    return "\n".join(lines)


def _next(release: Release) -> str:
    if release.is_deserted:
        return "START ITS WORKERS: its runs wait for them"
    if release.is_current or release.runs:
        return ""
    return "may be stopped" if release.workers else "over"


async def run(words: Sequence[str]) -> int:
    settings = Settings()
    match list(words):
        case []:
            within = None
        case ["current"] if settings.release:
            within = LOOKS_AGAIN
        case ["current", seconds] if settings.release and seconds.isdigit():
            within = timedelta(seconds=int(seconds))
        case _:
            sys.stderr.write(f"{__doc__}\n{'' if settings.release else NOT_NAMED}\n")
            return 2
    client = await connect_when_there(
        settings.temporal_address, settings.temporal_namespace, codec=payload_codec_of(settings)
    )
    deployment = Deployment(client, settings.task_queue)
    try:
        return await _carried_out(deployment, settings.release, within)
    except NotKnownYet as error:
        sys.stderr.write(f"{error} {START_FIRST}\n")
    except RPCError as error:
        sys.stderr.write(f"Temporal says: {error.message.rstrip('.')}. {AGAIN}\n")
    return 1


async def _carried_out(deployment: Deployment, release: str, within: timedelta | None) -> int:
    """The exit code, once all is told. Raises NotKnownYet, RPCError."""
    if within is not None:
        sys.stdout.write(summary_of(await take_its_place(deployment, release, within)) + "\n")
    releases = await deployment.releases()
    of_none = await deployment.runs_of_none()
    sys.stdout.write(written(releases, release, of_none=of_none) + "\n")
    return 1 if any(one.is_deserted for one in releases) else 0


if __name__ == "__main__":
    code = asyncio.run(run(sys.argv[1:]))
    if code:
        sys.stdout.flush()
        sys.exit(code)
    leave()
