"""`python -m workers.operations.doctor`: ends with 1 when anything is missing, and changes nothing anywhere."""

import asyncio
import logging
import sys
from collections.abc import Sequence

import httpx
import structlog

from assembly import systems_of
from settings import Settings
from workers.operations.doctor.ours import questions_to_ours
from workers.operations.doctor.questions import Finding, find_out, listen
from workers.operations.doctor.third_parties import questions_to_third_parties


async def examine(settings: Settings, outside: httpx.AsyncClient) -> list[Finding]:
    """Asks everything that there is to ask."""
    listen(outside)
    ours = questions_to_ours(
        settings.database_url,
        settings.temporal_address,
        settings.temporal_namespace,
        task_queue=settings.task_queue,
        release=settings.release,
    )
    third_parties = questions_to_third_parties(
        systems_of(settings, outside), lambda name: str(getattr(settings, name.lower()))
    )
    return await find_out([*ours, *third_parties])


def written(findings: Sequence[Finding]) -> str:
    """A line for each: what answers, how fast, in which version; and where to look when it does not."""
    lines: list[str] = []
    for one in findings:
        word = "ok" if one.is_well else "MISSING"
        version = f" · {one.version}" if one.version else ""
        lines.append(f"  {word:<8} {one.name:<20} {one.milliseconds:>5} ms  {one.said}{version}")
        if not one.is_well:
            lines.append(f"{'':>42}look at {one.look_at}")
    ill = sum(not one.is_well for one in findings)
    end = f"{ill} of {len(findings)} are missing." if ill else "Everything answers."
    return "\n".join([*lines, "", f"  {end}"])


async def run() -> int:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    async with httpx.AsyncClient(trust_env=False) as outside:
        findings = await examine(Settings(), outside)
    sys.stdout.write(written(findings) + "\n")
    return 0 if all(one.is_well for one in findings) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(run()))
