"""The transitions of a placement, version 4: as version 3, and a payment that an operator has tried again begins at `checking`, as
after every other wait for a person: it may have waited for days. `workflows/checkout/placement.py` takes them.
"""

# pyright: reportConstantRedefinition=false
# What is named here takes the place of what the version before has.

from collections.abc import Mapping

from domain.checkout.placements.placement_v3 import *
from domain.checkout.placements.placement_v3 import PLACEMENT as PLACEMENT_V3

PLACEMENT: Mapping[str, Mapping[str, str]] = {
    **PLACEMENT_V3,
    "needs_attention": {**PLACEMENT_V3["needs_attention"], RETRY_PAYMENT: "checking"},
}
