"""The commands of an activation: rows that are queued when a person asks, and settled by answers, logs and time.

A command is no state of the chart: only the one that the present step waits for moves it (`awaited`).
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from domain.activation.activation import CommandRow, CommandState, Facts, SendCommand, State
from domain.devices.devices import CONFIGURATION_COMMANDS, TESTING_COMMANDS, DeviceLog

SKEW = timedelta(seconds=5)
"""A device's clock may be this much behind ours when its log is matched to a command."""

KEPT = 30
"""Rows of one step that are remembered."""

_LABELS = TESTING_COMMANDS | CONFIGURATION_COMMANDS

_OPEN = {
    CommandState.QUEUED,
    CommandState.SENT,
    CommandState.UNKNOWN,
    CommandState.TIMED_OUT,
}


def queued(facts: Facts, effect: SendCommand, step: str, now: datetime) -> Facts:
    """With the row of a command that is about to be sent."""
    row = CommandRow(
        id=effect.command_id,
        command=effect.command,
        label=_LABELS[effect.command],
        state=CommandState.QUEUED,
        requested_at=now,
    )
    if step == "verify-connection":
        return facts.model_copy(update={"connection": row})
    if step == "device-configuration":
        return facts.model_copy(update={"configuration": (*facts.configuration, row)[-KEPT:]})
    return facts.model_copy(update={"commands": (*facts.commands, row)[-KEPT:]})


def row_of(facts: Facts, command_id: str) -> CommandRow | None:
    return next((row for row in _rows(facts) if row.id == command_id), None)


def confirmed_by(log: DeviceLog, facts: Facts) -> CommandRow | None:
    """The row that a log settles: newest first, so that a log without an id settles the latest command it fits."""
    newest_first = sorted(_rows(facts), key=lambda row: row.requested_at, reverse=True)
    return next((row for row in newest_first if _confirms(log, row)), None)


def awaited(state: State) -> str | None:
    """The command whose log the present step waits for."""
    facts = state.facts
    if state.step == "verify-connection":
        return facts.connection.id if facts.connection else None
    rows = {"device-testing": facts.commands, "device-configuration": facts.configuration}
    here = rows.get(state.step, ())
    return here[-1].id if here else None


def with_outcome(
    facts: Facts,
    command_id: str,
    to: CommandState,
    at: datetime | None,
    reading: dict[str, Any] | None = None,
) -> Facts:
    def changed(row: CommandRow) -> CommandRow:
        if row.id != command_id:
            return row
        update = {"state": to, "settled_at": at, "reading": reading or row.reading}
        return row.model_copy(update=update)

    return facts.model_copy(
        update={
            "connection": changed(facts.connection) if facts.connection else None,
            "commands": tuple(changed(row) for row in facts.commands),
            "configuration": tuple(changed(row) for row in facts.configuration),
        }
    )


def _rows(facts: Facts) -> Iterator[CommandRow]:
    yield from facts.commands
    yield from facts.configuration
    if facts.connection is not None:
        yield facts.connection


def _confirms(log: DeviceLog, row: CommandRow) -> bool:
    if row.state not in _OPEN:
        return False
    if log.command_id is not None:
        return log.command_id == row.id
    return log.command == row.command and log.timestamp >= row.requested_at - SKEW
