"""Hardwired inputs and outputs of the X1MAX (devices spec 4)."""

from enum import StrEnum


class HardwiredOutput(StrEnum):
    NONE = "None"
    STARTER_KILL = "Starter Kill"
    UNLOCK = "Unlock"
    TRUNK = "Trunk"
    PANIC = "Panic"


class HardwiredInput(StrEnum):
    NONE = "None"
    LOW = "Low"
    HIGH = "High"
    HIGH_LOW = "High/Low"
