"""How the simulators say no."""


class Refusal(Exception):
    """An answer without effect, in the device network's words."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail
