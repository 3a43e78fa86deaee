"""One change of a run, as it is kept and shown."""

from domain.base import Frozen, Utc


class Transition(Frozen):
    """One change of a run: who, when, from where to where."""

    rev: int
    event: str
    from_state: str
    to_state: str
    at: Utc
    actor_id: str | None = None
    actor: str | None = None
    acting_for: str | None = None
    note: str | None = None
