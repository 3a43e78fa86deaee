"""What the browser has held down, beside what moves a car."""

import re
from pathlib import Path

from domain.devices.devices import ACTING_COMMANDS, TESTING_COMMANDS, CommandKind, kind_of

HELD = (
    Path(__file__).parents[2] / "web" / "src" / "features" / "activation" / "commands" / "acting.ts"
)
STOPPING = {"panic_off", "remote_stop"}
"""Whoever stops a car must not wait."""


def test_every_test_that_moves_a_car_is_held_down_and_what_stops_one_is_not() -> None:
    source = HELD.read_text()
    named = re.search(r"HELD[^=]*= new Set\(\[(.*?)\]\)", source, re.DOTALL)
    erase = re.search(r'ERASE = "(\w+)"', source)
    assert named
    assert erase
    held = {*re.findall(r'"(\w+)"', named[1]), erase[1]}
    assert held == ACTING_COMMANDS - STOPPING
    assert held | STOPPING == {c for c in TESTING_COMMANDS if kind_of(c) is CommandKind.ACTING}
