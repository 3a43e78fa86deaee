"""A second release of the portal beside the first: its tree is a copy of ours with what a careless change brings along.

A start has one more field that must be there, an effect too, and the table of a placement has one more edge that its run
takes, with one more command in its history. Neither release can read what the other has begun.
"""

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from dev.places import ROOT
from dev.processes import Command, Process
from dev.stack import Stack, procfile

PARTS = (
    "activities",
    "api",
    "db",
    "domain",
    "observing",
    "providers",
    "workers",
    "workflows",
    "assembly.py",
    "logs.py",
    "settings.py",
)
CHANGES = {
    "domain/activation/activation.py": [
        ("    canadian: bool\n    actor: Person\n", "    canadian: bool\n    opened_in: str\n    actor: Person\n"),
    ],
    "api/activation/start.py": [("    return Start(\n", '    return Start(\n        opened_in="a browser",\n')],
    "domain/firmware/firmware.py": [
        ("    notify: str | None = None\n", "    signed_by: str\n    notify: str | None = None\n"),
    ],
    "workflows/activation.py": [
        ("            run_id=str(workflow.uuid4()),\n", '            run_id=str(workflow.uuid4()),\n            signed_by="us",\n'),
    ],
    "api/firmware/start.py": [("    return FirmwareStart(\n", '    return FirmwareStart(\n        signed_by="us",\n')],
    "domain/plans/purchases.py": [
        ("    id: str\n    version: int = CURRENT_VERSION\n", "    id: str\n    agreed_on: str\n    version: int = CURRENT_VERSION\n"),
    ],
    "api/plans/purchase_start.py": [("    return PurchaseStart(\n", '    return PurchaseStart(\n        agreed_on="paper",\n')],
    "activities/orders/orders.py": [
        ("class HandingOver(Frozen):\n", "class HandingOver(Frozen):\n    weight: int\n"),
    ],
    "domain/checkout/placements/placement_v1.py": [
        ('\n    "recording": {', '\n    "recording": {"WEIGHED": "recording", '),
    ],
    "workflows/checkout/placement.py": [
        (
            "        storing = Storing(\n",
            '        self.enter("WEIGHED")\n        await workflow.sleep(0.2)\n'
            "        storing = Storing(\n",
        ),
        ("HandingOver(\n            token=", "HandingOver(\n            weight=1, token="),
    ],
}  # fmt: skip
"""File → what is written in it now, and what the later release has there."""


def make_tree(folder: Path) -> Path:
    """The later release's code."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    for path, changes in CHANGES.items():
        text = (folder / path).read_text()
        for before, after in changes:
            assert text.count(before) == 1, f"{path} has changed: {before!r}"
            text = text.replace(before, after)
        (folder / path).write_text(text)
    return folder


@contextmanager
def beside(
    running: Stack, tree: Path, name: str, release: str, **environment: str
) -> Generator[Process]:
    """One more process of the stack, `worker` or `api`, with the code of another tree."""
    process = Process(
        Command(
            name=f"{name}-{release}",
            arguments=procfile()[name].split(),
            log=running.state / "logs" / f"{name}-{release}.log",
            environment=environment_of(running, tree, release) | environment,
            folder=tree,
        ),
        running.ledger,
    )
    process.start()
    try:
        yield process
    finally:
        process.stop()


def environment_of(running: Stack, tree: Path, release: str) -> dict[str, str]:
    return {**running.environment, "PYTHONPATH": str(tree), "RELEASE": release}
