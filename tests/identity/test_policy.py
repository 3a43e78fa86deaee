"""The policy table against the application itself."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx
import pytest
from fastapi import FastAPI

from api.main import create_app
from db.base import Sessions
from domain.identity.people import Role, User
from domain.identity.policy import POLICY
from settings import Settings
from tests.drivers.factories import (
    a_consumer,
    an_admin,
    an_inside_rep,
    an_installer,
    an_outside_rep,
    an_owner,
)
from tests.drivers.portal import a_browser, filled, sign_in
from tests.drivers.whole_portal import problem


def operations() -> dict[str, tuple[str, str]]:
    """Operation id → (method, path as the document has it)."""
    document = create_app(Settings(environment="test")).openapi()
    return {
        operation["operationId"]: (method.upper(), path)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


OPERATIONS = operations()


def test_every_operation_has_a_rule() -> None:
    assert set(OPERATIONS) - set(POLICY) == set()


def test_every_rule_has_an_operation() -> None:
    assert set(POLICY) - set(OPERATIONS) == set()


def test_no_rule_is_open_to_nobody() -> None:
    assert all(rule.roles for rule in POLICY.values())


async def somebody(sessions: Sessions, role: Role) -> User:
    match role:
        case Role.CONSUMER:
            return await a_consumer(sessions)
        case Role.PURCHASER:
            return await an_installer(sessions, is_purchaser=True)
        case Role.OWNER:
            return await an_owner(sessions)
        case Role.INSIDE_REP:
            return await an_inside_rep(sessions)
        case Role.OUTSIDE_REP:
            return await an_outside_rep(sessions)
        case Role.ADMIN:
            return await an_admin(sessions)
        case Role.RETIRED:
            return await an_installer(sessions, is_retired=True)
        case _:
            return await an_installer(sessions)


@asynccontextmanager
async def a_caller(
    portal: FastAPI, sessions: Sessions, role: Role
) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_browser(portal) as browser:
        if role is Role.GUEST:
            browser.headers["X-Access-Token"] = "resume_" + "x" * 43
        elif role is not Role.ANONYMOUS:
            assert (await sign_in(browser, await somebody(sessions, role))).is_success
        yield browser


SIGNED_IN = [role for role in Role if role is not Role.DEALER_ACCOUNTANT]
"""An accountant without an installer record does not get past sign-in."""


@pytest.mark.parametrize("role", SIGNED_IN)
async def test_each_role_is_let_in_where_the_table_says_so(
    portal: FastAPI, sessions: Sessions, role: Role
) -> None:
    shut = {name for name in OPERATIONS if not _admits(POLICY[name].roles, role)}
    async with a_caller(portal, sessions, role) as browser:
        for name in sorted(shut):
            method, path = OPERATIONS[name]
            answer = await browser.request(method, filled(path))
            assert problem(answer) == _refusal_of(name, role), (name, answer.text)


def _refusal_of(name: str, role: Role) -> tuple[int, str]:
    if role in (Role.ANONYMOUS, Role.GUEST):
        return 401, "unauthenticated"
    is_buying = POLICY[name].is_buying and role is Role.RETIRED
    return 403, "no_purchasing_rights" if is_buying else "forbidden"


def _admits(roles: frozenset[Role], role: Role) -> bool:
    """Owners, purchasers and consumers are installers too."""
    also = {Role.INSTALLER} if role in (Role.OWNER, Role.PURCHASER, Role.CONSUMER) else set[Role]()
    return bool(roles & ({role} | also))


async def test_an_operation_without_a_rule_is_closed_to_all(
    portal: FastAPI, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_caller(portal, sessions, Role.ADMIN) as browser:
        assert (await browser.get("/v1/auth/user")).status_code == 200
        monkeypatch.delitem(POLICY, "get_auth_user")
        assert (await browser.get("/v1/auth/user")).status_code == 403
