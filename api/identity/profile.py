"""The profile load, and changing one's own record (shell spec 4, 5 and 7)."""

from typing import Annotated

from fastapi import APIRouter, Body, Path, Request
from pydantic import BaseModel, ConfigDict, StringConstraints

from api.identity.payout_fields import StripeFields, is_shown, stripe_fields
from api.platform.deps import Portal, PortalDep, SignedIn, address_of, record_now
from api.platform.schemas import Camel
from db.identity.credentials import lock_account
from db.identity.people import find_user
from db.identity.profiles import change_record
from db.identity.sign_ins import renew_stamp
from db.operations.audit import Outcome, record_by
from domain.base import EXACT, ID_PATTERN
from domain.card_numbers import masked
from domain.contact import PersonName
from domain.errors import Invalid, NotFound
from domain.identity.people import Actor, Role, User, UserType
from domain.letters.language import Language
from domain.partners.partners import NoUpdates
from domain.validation import REQUIRED

router = APIRouter(tags=["profile"])

UserId = Annotated[str, Path(max_length=64, pattern=r"^[A-Za-z0-9 -]*$")]

Image = Annotated[
    str, StringConstraints(max_length=200, pattern=r"^/[A-Za-z0-9][A-Za-z0-9/_.-]*$"), EXACT
]
"""A picture of this portal, by its path."""
SubscriberId = Annotated[str, StringConstraints(max_length=80, pattern=ID_PATTERN), EXACT]

ID_REQUIRED = "User id is a required field"
NAMES = ("first_name", "last_name")
NOT_CHANGEABLE = "This field cannot be changed"


class DroneProfile(Camel):
    drone_user_id: str | None


class PermissionGroup(BaseModel):
    name: str


class UserDroneProfile(Camel):
    """Without a `droneUserId` there is no profile: the page signs out."""

    drone_profile: DroneProfile
    permission_groups: list[PermissionGroup]


class UserRecord(StripeFields):
    """The user as the account service knows them. What opens the payout account is told to owners, of themselves."""

    id: str
    first_name: str
    last_name: str
    email: str
    image: str | None
    user_type: list[UserType]
    subscriber_id: str | None
    is_retired: bool
    phone_number: str | None
    access_type: str | None
    dealer_id: str | None
    language: Language | None


class Updates(BaseModel):
    """The changed fields; null takes an image, a subscriber id or a language away. Every other field of the record is refused by name,
    and the attempt is audited; so is a subscriber id, but for an administrator."""

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        json_schema_extra={"additionalProperties": False, "minProperties": 1},
    )

    first_name: PersonName | None = None
    last_name: PersonName | None = None
    image: Image | None = None
    subscriber_id: SubscriberId | None = None
    language: Language | None = None


@router.get("/api/get-user-drone-profile")
async def get_user_drone_profile(actor: SignedIn) -> UserDroneProfile:
    """One's own identity and permission groups, also while acting for a business."""
    user = actor.person
    return UserDroneProfile(
        drone_profile=DroneProfile(drone_user_id=user.drone_user_id),
        permission_groups=[PermissionGroup(name=name) for name in user.permission_groups],
    )


@router.get("/v1/user/{id}")
async def get_user(portal: PortalDep, actor: SignedIn, id: UserId) -> UserRecord:
    """One's own record, that of the person one acts for, or anybody's for an administrator."""
    return await _record(portal, actor, await _authorize(portal, actor, id))


@router.patch("/v1/user/{id}")
async def update_user(
    portal: PortalDep,
    actor: SignedIn,
    id: UserId,
    updates: Annotated[Updates | None, Body()] = None,
) -> UserRecord:
    """Changes one's own name, picture or language. The body is the object of changed fields itself."""
    user = await _authorize(portal, actor, id)
    if updates is None or not updates.model_fields_set:
        raise NoUpdates
    if updates.model_extra:
        await _refuse_fields(portal, actor, user.id, sorted(updates.model_extra))
    if "subscriber_id" in updates.model_fields_set and Role.ADMIN not in actor.roles:
        await _refuse_fields(portal, actor, user.id, ["subscriber_id"])
    changes = updates.model_dump(include=updates.model_fields_set)
    missing = [(name, REQUIRED) for name in NAMES if name in changes and changes[name] is None]
    if missing:
        raise Invalid(fields=missing)
    async with portal.sessions.begin() as session:
        await change_record(session, user.id, changes)
        await record_by(
            session,
            actor,
            "changed a user",
            on=("person", user.id),
            more={"fields": sorted(changes)},
        )
        changed = await find_user(session, user.id)
    assert changed is not None
    return await _record(portal, actor, changed)


@router.post("/v1/user/{id}/lock", status_code=204)
async def lock_user(portal: PortalDep, actor: SignedIn, id: UserId, request: Request) -> None:
    """An administrator locks an account that may be in wrong hands: whatever opened it has ended, and only a reset of the
    password unlocks it. Idempotent. Raises NotFound."""
    async with portal.sessions.begin() as session:
        if not await lock_account(session, id):
            raise NotFound
        await renew_stamp(session, id, "account locked")
        await record_by(
            session, actor, "locked an account", on=("person", id), address=address_of(request)
        )


async def _authorize(portal: Portal, actor: Actor, id_: str) -> User:
    """The person, if the caller may. Somebody else's record is NotFound, like an absent one, and is audited."""
    if not id_.strip():
        raise Invalid(ID_REQUIRED, code="user_id_required")
    for mine in (actor.person, actor.impersonated):
        if mine is not None and mine.id == id_:
            return mine
    async with portal.sessions.begin() as session:
        if Role.ADMIN in actor.roles:
            found = await find_user(session, id_)
        else:
            found = None
            await record_by(
                session,
                actor,
                "reached for another's user record",
                outcome=Outcome.REFUSED,
                on=("person", masked(id_)),
            )
    if found is None:
        raise NotFound
    return found


async def _refuse_fields(portal: Portal, actor: Actor, id_: str, names: list[str]) -> None:
    """Fields of the record are named back; words of the sender's own are not."""
    known = [name for name in names if name in UserRecord.model_fields or name == "is_owner"]
    await record_now(
        portal,
        actor,
        "tried to change protected fields",
        outcome=Outcome.REFUSED,
        on=("person", id_),
        more={"fields": known},
    )
    faults = [(name, NOT_CHANGEABLE) for name in known]
    raise Invalid(fields=faults or [("body", "Unknown field")])


async def _record(portal: Portal, actor: Actor, user: User) -> UserRecord:
    is_own = user.id == actor.person.id and is_shown(actor, user.dealer_id)
    fields = await stripe_fields(portal, user.dealer_id) if is_own else StripeFields()
    shared = UserRecord.model_fields.keys() & User.model_fields.keys()
    return UserRecord(**user.model_dump(include=set(shared)), **fields.model_dump())
