"""Effects that were asked for, and whose runs went on or ended without their outcome."""

from domain.base import Frozen, Utc
from domain.errors import Conflict


class OpenEffect(Frozen):
    """Nobody knows whether it happened. `key` names it."""

    key: str
    run: str
    effect: str
    asked_at: Utc


class EffectNotOver(Conflict):
    code = "effect_not_over"
    detail = "The run of this effect may still ask what became of it. Look again in a quarter of an hour."


class EffectClosed(Conflict):
    code = "effect_closed"
    detail = "What became of this effect is known already."
