"""How long the portal keeps what somebody may want kept for longer or shorter."""

from datetime import timedelta

from pydantic import Field

from domain.base import Frozen


class Retention(Frozen):
    device_logs: timedelta = Field(default=timedelta(days=365), ge=timedelta(days=60))
    """Where devices were, and what else they told. No run looks further back than its longest life."""
