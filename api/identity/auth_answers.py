"""What signing in answers: the person and the tokens."""

from typing import Literal

from pydantic import BaseModel

from domain.base import Utc
from domain.identity.people import (
    MfaType,
    Role,
    Site,
    User,
    UserType,
    profile_label,
    purchasing_rights,
    roles_of,
)


class Person(BaseModel):
    """The signed-in user (shell spec 3) with the flags that follow; `sub` equals `id`."""

    id: str
    sub: str
    first_name: str
    last_name: str
    email: str
    image: str | None
    phone_number: str | None
    user_type: list[UserType]
    subscriber_id: str | None
    is_retired: bool
    access_type: str | None
    dealer_id: str | None
    partner_code: str | None
    mfa_type: MfaType
    roles: list[Role]
    label: Literal["Sales Rep", "Dealer", "Installer"]
    is_owner: bool
    is_b2c: bool
    is_sales_rep: bool
    is_outside_rep: bool
    is_dealer_primary: bool
    is_dealer_accountant: bool
    purchasing_rights: bool


class AuthAnswer(BaseModel):
    """A session: the access token is for memory only. With `remember_me` the refresh token is in a cookie that scripts
    cannot read; without, it is `refresh_token` here, and is lost with the page."""

    access_token: str
    expires_at: Utc
    refresh_token: str | None = None
    user: Person
    site: Site


_COPIED = {
    "id",
    "first_name",
    "last_name",
    "email",
    "image",
    "phone_number",
    "subscriber_id",
    "is_retired",
    "access_type",
    "dealer_id",
    "partner_code",
    "mfa_type",
    "is_owner",
    "is_b2c",
    "is_sales_rep",
    "is_outside_rep",
    "is_dealer_primary",
    "is_dealer_accountant",
}


def person_of(user: User) -> Person:
    return Person(
        **{name: getattr(user, name) for name in _COPIED},
        user_type=list(user.user_type),
        sub=user.id,
        roles=sorted(roles_of(user)),
        label=profile_label(user),
        purchasing_rights=purchasing_rights(user),
    )
