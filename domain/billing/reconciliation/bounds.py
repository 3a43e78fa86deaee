"""What a round of the reconciliation looks at, and how long it gives others (decision 59)."""

from datetime import timedelta

from domain.base import Frozen


class ReconciliationBounds(Frozen):
    """`back` is how far a round looks back, `grace` how long nothing may have moved for it to be compared, `late` how long a
    document may take from the ERP to us."""

    back: timedelta = timedelta(days=40)
    grace: timedelta = timedelta(minutes=15)
    late: timedelta = timedelta(seconds=60)
