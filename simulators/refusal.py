"""How the simulators say no."""


class Refusal(Exception):
    """An answer without effect, in the device network's words."""

    def __init__(
        self, status: int, code: str, detail: str, *, counts_down: str | None = None
    ) -> None:
        """`counts_down` names a counter of the device that this refusal uses up by one."""
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail
        self.counts_down = counts_down
