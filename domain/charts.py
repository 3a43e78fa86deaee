"""Write the charts that the browser runs: one TypeScript file for each flow and version.

    python -m domain.charts            writes them
    python -m domain.charts --check    fails when a committed file differs

The charts come from the very tables that the workflows hold to, so they cannot say anything else. Targets that depend on
the plan keep their plan words; `chartFor` in `web/src/shared/flow` narrows them. Each state has tags (busy, waiting,
attention, ended) and meta: its step, its name, and whose turn it is.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from domain.activation import reducer as activation
from domain.billing import invoice_payment_v1, invoice_payment_v2
from domain.checkout.placements import placement_v1, placement_v2, placement_v3, placement_v4
from domain.devices.devices import CONFIGURATION_COMMANDS, TESTING_COMMANDS
from domain.firmware import firmware_v1, firmware_v2
from domain.identity import invitation_v1
from domain.kinds import BY_NAME
from domain.operations import case_v1
from domain.plans import purchase_v1, purchase_v2, purchase_v3
from domain.runs.engine import Event
from domain.runs.kind import LOST, WaitsFor

Edges = Mapping[str, Mapping[Event, str]] | Mapping[str, Mapping[str, str]]

CHARTS = Path(__file__).resolve().parents[1] / "web" / "src" / "shared" / "flow" / "charts"
FILES = {
    name: CHARTS / f"{name}.chart.ts"
    for name in (
        "activation_v1",
        "activation_v2",
        "activation_v3",
        "case_v1",
        "firmware_v1",
        "firmware_v2",
        "invitation_v1",
        "invoice_payment_v1",
        "invoice_payment_v2",
        "placement_v1",
        "placement_v2",
        "placement_v3",
        "placement_v4",
        "purchase_v1",
        "purchase_v2",
        "purchase_v3",
    )
}


GOALS: Mapping[str, str] = {
    "activation": "completed",
    "firmware": "done",
    "placement": "confirmed",
    "purchase": "confirmed",
    "invoice_payment": "confirmed",
    "invitation": "accepted",
    "case": "solved",
}
"""Where a run of each kind is to arrive."""

OUTSIDE_THE_STEPS = {
    "checking": "Checking the device",
    "changing-device": "Changing the device",
    "completed": "Completed",
    "abandoned": "Abandoned",
    "refused": "Refused",
    "choose-type": "Back to the choice of the type",
}
"""What an activation's states before, between and after its steps are called."""

ALIASES: Mapping[str, tuple[Event, ...]] = {
    "SET_PIN": (Event.ACT,),
    "REMOVE_PIN": (Event.ACT,),
    "SET_FEATURE": (Event.ACT,),
    "BUY_PLAN": (Event.ACT,),
    "LOG": (Event.DONE, Event.FAIL),
    "FIRMWARE": (Event.DONE, Event.FAIL),
    "PURCHASE": (Event.DONE, Event.FAIL),
    "OK": (Event.OK, Event.FAIL),
    "WAIT": (Event.WAIT, Event.OK, Event.FAIL),
    "FAIL": (Event.FAIL, Event.OK, Event.AGAIN, Event.WAIT),
    "OPENED": (),
    "HAND_OVER": (),
    "STOPPED": (),
}
"""What an activation's record calls an event → the events of the chart that it may be, as a log that came first decides
what a result amounts to. None: it is no edge of the chart."""


def activation_chart(version: int) -> dict[str, object]:
    """The whole chart of one version: every step it carries, with plan words."""
    steps = activation.table(version)
    labels = {step.name: step.label for step in steps}
    return {
        "id": f"activation_v{version}",
        "initial": "checking",
        "goal": GOALS["activation"],
        "steps": [step.name for step in steps],
        "labels": labels,
        "commands": TESTING_COMMANDS if version == 1 else TESTING_COMMANDS | CONFIGURATION_COMMANDS,
        "aliases": {**ALIASES, LOST: ()},
        "states": _states("activation", activation.edges(version), labels | OUTSIDE_THE_STEPS),
    }


def firmware_chart(version: int) -> dict[str, object]:
    table = {1: firmware_v1, 2: firmware_v2}[version]
    return _machine("firmware", version, table.FIRMWARE, table.LABELS)


def invitation_chart() -> dict[str, object]:
    return _machine("invitation", 1, invitation_v1.INVITATION, invitation_v1.LABELS)


def invoice_payment_chart(version: int) -> dict[str, object]:
    table = {1: invoice_payment_v1, 2: invoice_payment_v2}[version]
    return _machine("invoice_payment", version, table.INVOICE_PAYMENT, table.LABELS)


def placement_chart(version: int) -> dict[str, object]:
    table = {1: placement_v1, 2: placement_v2, 3: placement_v3, 4: placement_v4}[version]
    return _machine("placement", version, table.PLACEMENT, table.LABELS)


def purchase_chart(version: int) -> dict[str, object]:
    table = {1: purchase_v1, 2: purchase_v2, 3: purchase_v3}[version]
    return _machine("purchase", version, table.PURCHASE, table.LABELS)


def case_chart() -> dict[str, object]:
    return _machine("case", 1, case_v1.CASE, case_v1.LABELS)


def _machine(kind: str, version: int, edges: Edges, labels: Mapping[str, str]) -> dict[str, object]:
    return {
        "id": f"{kind}_v{version}",
        "initial": next(iter(edges)),
        "goal": GOALS[kind],
        "steps": [],
        "labels": labels,
        "aliases": {LOST: ()},
        "states": _states(kind, edges, labels),
    }


def _states(kind: str, edges: Edges, labels: Mapping[str, str]) -> dict[str, object]:
    return {state: _state(kind, state, to, labels) for state, to in edges.items()}


def _state(
    kind: str,
    state: str,
    to: Mapping[Event, str] | Mapping[str, str],
    labels: Mapping[str, str],
) -> dict[str, object]:
    """Its edges, or that it is an end; its tags; its step, its name, and whose turn it is."""
    step = state.partition("/")[0]
    meta = {"step": step, "label": labels[step]}
    if not to:
        return {"type": "final", "tags": ["ended"], "meta": meta}
    turn = BY_NAME[kind].waits_for(state, tuple(str(event) for event in to))
    return {
        "on": {str(event): target for event, target in to.items()},
        "tags": _tags(state, turn),
        "meta": meta | {"turn": turn},
    }


def _tags(state: str, turn: WaitsFor) -> list[str]:
    """`busy` while the portal is at work, `waiting` while a device, the clock or another run is; a person's turn has none."""
    if state == "needs_attention":
        return ["attention"]
    if state.endswith("/waiting") or turn in (WaitsFor.DEVICE, WaitsFor.CLOCK):
        return ["waiting"]
    return ["busy"] if turn is WaitsFor.PORTAL else []


def source(chart: Mapping[str, object]) -> str:
    """The TypeScript of one chart, a line for each state."""
    name = str(chart["id"])
    first, *others, version = name.split("_")
    camel = first + "".join(word.capitalize() for word in others) + version.upper()
    lines = [
        "// Generated by `python -m domain.charts` from the tables in domain. Do not edit.",
        f"export const {camel} = {{",
    ]
    for key, value in chart.items():
        if key != "states":
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)},")
    states = cast(Mapping[str, object], chart["states"])
    lines.append('  "states": {')
    lines += [f"    {json.dumps(state)}: {json.dumps(to)}," for state, to in states.items()]
    lines.append("  },")
    return "\n".join([*lines, "} as const;", ""])


def sources() -> dict[Path, str]:
    return {
        FILES["activation_v1"]: source(activation_chart(1)),
        FILES["activation_v2"]: source(activation_chart(2)),
        FILES["activation_v3"]: source(activation_chart(3)),
        FILES["firmware_v1"]: source(firmware_chart(1)),
        FILES["firmware_v2"]: source(firmware_chart(2)),
        FILES["invitation_v1"]: source(invitation_chart()),
        FILES["invoice_payment_v1"]: source(invoice_payment_chart(1)),
        FILES["invoice_payment_v2"]: source(invoice_payment_chart(2)),
        FILES["placement_v1"]: source(placement_chart(1)),
        FILES["placement_v2"]: source(placement_chart(2)),
        FILES["placement_v3"]: source(placement_chart(3)),
        FILES["placement_v4"]: source(placement_chart(4)),
        FILES["case_v1"]: source(case_chart()),
        FILES["purchase_v1"]: source(purchase_chart(1)),
        FILES["purchase_v2"]: source(purchase_chart(2)),
        FILES["purchase_v3"]: source(purchase_chart(3)),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the charts that the browser runs.")
    parser.add_argument("--check", action="store_true", help="fail when a file is not up to date")
    check = parser.parse_args().check
    stale = [
        path for path, text in sources().items() if not path.exists() or path.read_text() != text
    ]
    if check:
        for path in stale:
            sys.stderr.write(f"not up to date: {path.name}; run make charts\n")
        return 1 if stale else 0
    for path, text in sources().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
