"""The transitions of a placement, version 3: as version 2, and an order that the ERP had sent before it could be cancelled stands,
and is paid: what has left cannot be taken back. `workflows/checkout/placement.py` takes them.
"""

# pyright: reportConstantRedefinition=false
# What is named here takes the place of what the version before has.

from collections.abc import Mapping

from domain.checkout.placements.placement_v2 import *
from domain.checkout.placements.placement_v2 import PLACEMENT as PLACEMENT_V2

ALREADY_SENT = "ALREADY_SENT"

PLACEMENT: Mapping[str, Mapping[str, str]] = {
    **PLACEMENT_V2,
    "compensating": {**PLACEMENT_V2["compensating"], ALREADY_SENT: "capturing"},
}
