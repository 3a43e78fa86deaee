"""Whom our papers are for."""

from domain.base import Frozen


class Buyer(Frozen):
    """A business, or a person who has none."""

    name: str
    tax_number: str | None = None

    @property
    def numbers(self) -> tuple[str, ...]:
        """The line of the tax number, if there is one."""
        return (f"Tax no. {self.tax_number}",) if self.tax_number else ()
