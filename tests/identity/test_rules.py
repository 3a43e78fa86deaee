"""Who is what, and what follows."""

import pytest

from domain.base import Frozen
from domain.identity.people import (
    ADMIN_ACCESS,
    DEALER_ACCOUNTING_GROUP,
    INSIDE_REP_GROUP,
    OUTSIDE_REP_GROUP,
    Account,
    NotAnInstaller,
    ResetRequired,
    Role,
    Unconfirmed,
    User,
    UserType,
    check_may_sign_in,
    profile_label,
    purchasing_rights,
    roles_of,
)
from tests.drivers.times import NOON

SOMEBODY = User(
    id="x", email="x@people.example", first_name="Robin", last_name="Test", drone_user_id="d"
)
INSTALLER = SOMEBODY.model_copy(update={"user_type": (UserType(),)})
OWNER = SOMEBODY.model_copy(update={"user_type": (UserType(is_owner=True),)})
PURCHASER = SOMEBODY.model_copy(update={"user_type": (UserType(is_purchaser=True),)})
INSIDE_REP = SOMEBODY.model_copy(update={"permission_groups": (INSIDE_REP_GROUP,)})
OUTSIDE_REP = SOMEBODY.model_copy(update={"permission_groups": (OUTSIDE_REP_GROUP,)})
ADMIN = SOMEBODY.model_copy(update={"access_type": ADMIN_ACCESS})
ACCOUNTANT = SOMEBODY.model_copy(update={"permission_groups": (DEALER_ACCOUNTING_GROUP,)})
CONSUMER = INSTALLER.model_copy(update={"partner_code": "B2C77"})


class Case(Frozen):
    user: User
    roles: set[Role]
    may_purchase: bool


CASES = {
    "nobody in particular": Case(user=SOMEBODY, roles=set(), may_purchase=False),
    "installer": Case(user=INSTALLER, roles={Role.INSTALLER}, may_purchase=False),
    "owner": Case(user=OWNER, roles={Role.INSTALLER, Role.OWNER}, may_purchase=True),
    "purchaser": Case(user=PURCHASER, roles={Role.INSTALLER, Role.PURCHASER}, may_purchase=True),
    "inside rep": Case(user=INSIDE_REP, roles={Role.INSIDE_REP}, may_purchase=True),
    "outside rep": Case(user=OUTSIDE_REP, roles={Role.OUTSIDE_REP}, may_purchase=True),
    "admin": Case(user=ADMIN, roles={Role.ADMIN}, may_purchase=False),
    "accountant": Case(user=ACCOUNTANT, roles={Role.DEALER_ACCOUNTANT}, may_purchase=False),
    "consumer": Case(user=CONSUMER, roles={Role.INSTALLER, Role.CONSUMER}, may_purchase=False),
}


@pytest.mark.parametrize("name", CASES)
def test_roles_and_purchasing_rights_follow_from_the_record(name: str) -> None:
    case = CASES[name]
    assert roles_of(case.user) == case.roles
    assert purchasing_rights(case.user) is case.may_purchase


@pytest.mark.parametrize("name", CASES)
def test_retired_beats_everything(name: str) -> None:
    retired = CASES[name].user.model_copy(update={"is_retired": True})
    assert roles_of(retired) == {Role.RETIRED}
    assert not purchasing_rights(retired)


def test_a_rep_with_both_groups_is_an_outside_rep() -> None:
    both = INSIDE_REP.model_copy(
        update={"permission_groups": (INSIDE_REP_GROUP, OUTSIDE_REP_GROUP)}
    )
    assert roles_of(both) == {Role.OUTSIDE_REP}


@pytest.mark.parametrize(
    ("group", "roles"),
    [
        ("Outside Sales Rep", {Role.OUTSIDE_REP}),
        ("Firstech Outside Sales Rep", {Role.OUTSIDE_REP}),
        ("Inside Sales Rep", {Role.INSIDE_REP}),
        ("Firstech Inside Sales Rep", {Role.INSIDE_REP}),
    ],
)
def test_reps_are_told_by_the_names_of_their_groups_as_written(
    group: str, roles: set[Role]
) -> None:
    assert roles_of(SOMEBODY.model_copy(update={"permission_groups": (group,)})) == roles


@pytest.mark.parametrize(
    ("user", "label"),
    [
        (INSTALLER, "Installer"),
        (OWNER, "Dealer"),
        (INSIDE_REP, "Sales Rep"),
        (OUTSIDE_REP, "Sales Rep"),
    ],
)
def test_the_profile_menu_names_the_role(user: User, label: str) -> None:
    assert profile_label(user) == label


def account(user: User, *, confirmed: bool = True, reset: bool = False) -> Account:
    return Account(
        user=user,
        password_hash="kept",
        confirmed_at=NOON if confirmed else None,
        reset_required=reset,
    )


@pytest.mark.parametrize("user", [INSTALLER, OWNER, INSIDE_REP, OUTSIDE_REP, ADMIN, CONSUMER])
def test_installers_reps_and_admins_may_sign_in(user: User) -> None:
    check_may_sign_in(account(user))


@pytest.mark.parametrize("user", [SOMEBODY, ACCOUNTANT])
def test_everybody_else_is_refused_as_no_installer(user: User) -> None:
    with pytest.raises(NotAnInstaller, match="Invalid Installer Account"):
        check_may_sign_in(account(user))


def test_an_account_to_be_reset_says_so_before_anything_else() -> None:
    with pytest.raises(ResetRequired, match=r"Account locked\. Please reset password\."):
        check_may_sign_in(account(SOMEBODY, confirmed=False, reset=True))


def test_an_unconfirmed_account_is_sent_to_its_mail() -> None:
    with pytest.raises(Unconfirmed, match="New account setup not complete"):
        check_may_sign_in(account(INSTALLER, confirmed=False))
