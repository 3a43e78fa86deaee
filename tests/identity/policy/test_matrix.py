"""Every role against every operation, for one's own, another dealer's and the other site's (promise 35)."""

import uuid
from zlib import crc32

import httpx
import pytest

from api.main import create_app
from api.runs.events import READ_BY
from db.base import Sessions
from dev.testing import is_whole
from domain.identity.people import Role
from domain.identity.policy import POLICY, REFUSED_WHILE_ACTING, Owns
from settings import Settings
from tests.identity.policy.recipes import FOLLOWED, RECIPES, Asked, Names, Plain
from tests.identity.policy.world import Somebody, Things, Whose, World, let_try_again


def operations() -> dict[str, tuple[str, str]]:
    """Operation id → (method, path)."""
    document = create_app(Settings(environment="test")).openapi()
    return {
        operation["operationId"]: (method.upper(), path)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


OPERATIONS = operations()
FOREIGN = (Whose.OTHER_DEALER, Whose.OTHER_SITE)


def foreign_of(name: str) -> tuple[Whose, ...]:
    """Whose things an operation is tried with: one other's each, in turn, and both with WHOLE=1."""
    return FOREIGN if is_whole() else (FOREIGN[len(name) % len(FOREIGN)],)


def is_tried_here(role: Role, name: str) -> bool:
    """Whether whom the table turns away is tried with something foreign and asked for the words: a fourth of them, in turn, and
    all with WHOLE=1. That each is refused `tests/identity/test_policy.py` asks, but for accountants, who are all tried here."""
    is_their_turn = crc32(f"{role} {name}".encode()) % 4 == 0
    return is_whole() or role is Role.DEALER_ACCOUNTANT or is_their_turn


REPS = (Role.INSIDE_REP, Role.OUTSIDE_REP)
COUNTED = (Role.GUEST, Role.ANONYMOUS)
"""Those whose wrong tries at a device use up one another's."""


def recipe_of(name: str) -> Names | Plain:
    return RECIPES.get(name) or Plain()


def test_every_operation_has_a_rule_and_every_rule_an_operation() -> None:
    assert set(POLICY) == set(OPERATIONS)


def test_every_operation_that_could_name_an_object_has_a_recipe() -> None:
    may_name = {
        name
        for name, (_, path) in OPERATIONS.items()
        if "{" in path or POLICY[name].owns not in (Owns.NOTHING, Owns.SELF)
    }
    asked_plainly = {"invite_user"}
    assert may_name - asked_plainly <= set(RECIPES)
    assert set(RECIPES) <= set(OPERATIONS)


def test_what_is_refused_while_acting_exists() -> None:
    assert set(OPERATIONS) >= REFUSED_WHILE_ACTING


async def send(browser: httpx.AsyncClient, name: str, asked: Asked) -> httpx.Response:
    method, path = OPERATIONS[name]
    return await browser.request(
        method,
        path.format(**asked.path),
        params=asked.query,
        json=asked.json,
        headers={"Idempotency-Key": uuid.uuid4().hex},
    )


def code_of(answer: httpx.Response) -> str | None:
    """The code of a problem; None for any other answer."""
    if answer.headers.get("content-type") != "application/problem+json":
        return None
    return answer.json()["code"]


def is_turned_away(answer: httpx.Response) -> bool:
    return code_of(answer) in ("unauthenticated", "forbidden", "acting_for_business")


def is_broken(answer: httpx.Response) -> bool:
    """Temporal is down, so some answer that they are not available."""
    return answer.status_code >= 500 and answer.status_code != 503


@pytest.mark.parametrize("name", sorted(OPERATIONS))
async def test_each_role_accesses_what_is_theirs_and_nothing_else(
    world: World, sessions: Sessions, name: str
) -> None:
    failed: list[AssertionError] = []
    for role in Role:
        try:
            await _is_as_the_table_says(world, await world.somebody(role), name)
        except AssertionError as error:
            error.add_note(f"as {role}")
            failed.append(error)
        if role in COUNTED:
            await let_try_again(sessions)
    if failed:
        raise ExceptionGroup(name, failed)


async def _is_as_the_table_says(world: World, somebody: Somebody, name: str) -> None:
    recipe = recipe_of(name)
    is_barred = isinstance(recipe, Names) and somebody.role in recipe.barred
    if is_barred or not somebody.roles & POLICY[name].roles:
        if is_barred or is_tried_here(somebody.role, name):
            await _is_turned_away(world, somebody, name, recipe)
        return None
    acting = name not in REFUSED_WHILE_ACTING
    reads = OPERATIONS[name][0] == "GET"
    open_ = world.reading_browser if reads else world.browser
    async with open_(somebody, acting=acting) as browser:
        if isinstance(recipe, Plain):
            return await _finds_nothing_of_others(world, browser, somebody, name, recipe)
        # What is one's own comes last: it may end the sign-in.
        await _misses_what_is_foreign(world, browser, somebody, name, recipe)
        await _accesses_their_own(browser, somebody, name, recipe)


@pytest.mark.parametrize("name", sorted(REFUSED_WHILE_ACTING))
async def test_a_rep_who_acts_is_turned_away_from_secrets(world: World, name: str) -> None:
    for role in REPS:
        somebody = await world.somebody(role)
        async with world.browser(somebody) as browser:
            for things in (somebody.own, await world.others(Whose.OTHER_DEALER)):
                answer = await send(browser, name, _asked(recipe_of(name), things))
                assert (answer.status_code, code_of(answer)) == (403, "acting_for_business"), role


@pytest.mark.parametrize("kind", FOLLOWED)
async def test_each_role_follows_what_it_reads_and_nothing_else(
    world: World, sessions: Sessions, kind: str
) -> None:
    """A guest alone follows what only their activation shows them: its firmware."""
    reads = RECIPES[READ_BY[kind]]
    for role in Role:
        somebody = await world.somebody(role)
        async with world.reading_browser(somebody, acting=True) as browser:
            for things in (somebody.own, await world.others(foreign_of(kind)[0])):
                read = await send(browser, READ_BY[kind], _asked(reads, things))
                follow = f"{kind}:{FOLLOWED[kind](things)}"
                followed = await send(browser, "follow_events", Asked(query={"follow": follow}))
                outcomes = [
                    "turned away" if is_turned_away(answer) else answer.status_code
                    for answer in (read, followed)
                ]
                assert outcomes[0] == outcomes[1], (role, things is somebody.own, outcomes)
        if role in COUNTED:
            await let_try_again(sessions)


async def _is_turned_away(
    world: World, somebody: Somebody, name: str, recipe: Names | Plain
) -> None:
    is_buying = POLICY[name].is_buying and Role.RETIRED in somebody.roles
    words = "no_purchasing_rights" if is_buying else "forbidden"
    expected = (403, words) if somebody.user else (401, "unauthenticated")
    async with world.reading_browser(somebody, acting=False) as browser:
        foreign = [await world.others(whose) for whose in foreign_of(name)]
        for things in (somebody.own, *foreign) if is_whole() else foreign:
            answer = await send(browser, name, _asked(recipe, things))
            assert (answer.status_code, code_of(answer)) == expected, answer.text


async def _finds_nothing_of_others(
    world: World, browser: httpx.AsyncClient, somebody: Somebody, name: str, recipe: Plain
) -> None:
    foreign = [await world.others(whose) for whose in FOREIGN]
    answer = await send(browser, name, recipe.asked)
    assert not is_turned_away(answer), answer.text
    assert not is_broken(answer), answer.text
    if POLICY[name].owns is Owns.ALL or somebody.role is Role.ADMIN:
        return
    for things in foreign:
        assert not [mark for mark in things.marks if mark in answer.text]


async def _accesses_their_own(
    browser: httpx.AsyncClient, somebody: Somebody, name: str, recipe: Names
) -> None:
    is_personal = POLICY[name].owns is Owns.SELF
    own = somebody.itself if is_personal and somebody.itself else somebody.own
    answer = await send(browser, name, recipe.ask(own))
    if somebody.role in recipe.authorized:
        assert not is_turned_away(answer), answer.text
        assert answer.status_code != recipe.absent, answer.text
        assert not is_broken(answer), answer.text
    else:
        assert answer.status_code == recipe.absent, answer.text


async def _misses_what_is_foreign(
    world: World, browser: httpx.AsyncClient, somebody: Somebody, name: str, recipe: Names
) -> None:
    for whose in foreign_of(name):
        answer = await send(browser, name, recipe.ask(await world.others(whose)))
        if somebody.role in recipe.everything:
            assert answer.status_code != recipe.absent, (whose, answer.text)
        else:
            assert answer.status_code == recipe.absent, (whose, answer.text)


def _asked(recipe: Names | Plain, things: Things) -> Asked:
    return recipe.asked if isinstance(recipe, Plain) else recipe.ask(things)
