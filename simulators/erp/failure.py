"""How the ERP says no."""


class Failure(Exception):
    """`code` and `value` are those of the Service Layer's error."""

    def __init__(self, status: int, code: int, value: str) -> None:
        super().__init__(value)
        self.status, self.code, self.value = status, code, value

    @property
    def body(self) -> dict[str, object]:
        message = {"lang": "en-us", "value": self.value}
        return {"error": {"code": self.code, "message": message}}


def not_found() -> Failure:
    return Failure(404, -2028, "No matching records found (ODBC -2028)")


def already_there() -> Failure:
    value = "This entry already exists in the following tables (ODBC -2035)"
    return Failure(400, -2035, value)


def not_supported() -> Failure:
    return Failure(400, -5006, "The requested action is not supported for this object.")


def stopped(reason: str) -> Failure:
    """By a rule of the company's own."""
    return Failure(400, -1116, f"(1) {reason}")


def is_away() -> Failure:
    return Failure(503, -1, "Service Unavailable")
