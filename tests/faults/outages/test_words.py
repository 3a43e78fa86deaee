"""What a library says of its failure stays in the log: histories and installers get our own words (promise 25)."""

from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput

from domain.errors import UNEXPECTED, NotFound
from workers.interceptors import PortalErrors

SECRET = "host=db.internal password=canary"


class _Failing(ActivityInboundInterceptor):
    def __init__(self, error: Exception) -> None:
        self._error = error

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        raise self._error


@pytest.mark.parametrize(
    ("error", "code", "again"),
    [
        (OperationalError("select 1", {}, Exception(SECRET)), "unavailable", True),
        (ConnectionResetError(SECRET), "unavailable", True),
        (KeyError(SECRET), "unexpected", True),
        (NotFound(), "not_found", False),
    ],
)
async def test_a_failed_activity_names_its_code_and_repeats_nothing(
    error: Exception, code: str, again: bool
):
    translated = PortalErrors().intercept_activity(_Failing(error))
    task = ExecuteActivityInput(fn=print, args=(), executor=None, headers={})
    with pytest.raises(ApplicationError) as raised:
        await ActivityEnvironment().run(translated.execute_activity, task)
    assert (raised.value.type, raised.value.non_retryable) == (code, not again)
    assert SECRET not in str(raised.value)
    assert raised.value.__cause__ is None
    assert again is False or raised.value.message == UNEXPECTED
