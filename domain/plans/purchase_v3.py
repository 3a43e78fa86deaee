"""The walk of a purchase of plans, version 3: as version 2, and what may still succeed is tried again by itself until it does, or
until its buyer gives it up (decision 32): nothing is paid back without their yes. `workflows/plans/purchase.py` walks it.
"""

# pyright: reportConstantRedefinition=false
# What is named here takes the place of what the version before has.

from collections.abc import Mapping

from domain.plans.purchase_v2 import *
from domain.plans.purchase_v2 import PURCHASE as PURCHASE_V2

AGAIN = "AGAIN"

PURCHASE: Mapping[str, Mapping[str, str]] = {
    **PURCHASE_V2,
    "part_failed": {RETRY: "provisioning", AGAIN: "provisioning", GIVE_UP: "refunding"},
}
