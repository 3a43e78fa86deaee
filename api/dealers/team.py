"""Where everybody is stuck: the open activations of a dealer, or of all, and a reminder to whom one waits for."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.dealers.access import DealerId, PersonId, authorize_dealer
from api.platform.border.queries import counted
from api.platform.deps import Portal, PortalDep, SignedIn, record_now
from api.platform.idempotency import answer_once
from api.platform.paging import from_cursor, to_cursor
from api.platform.throttling.mails import MailTries
from api.runs.flows import FlowId, authorize_run
from api.runs.messages import RequiredKey, update_id_of
from db.base import reading
from db.dealers.team import count_open, list_open, reminded, step_figures
from db.identity.people import reader_of
from domain.activation.words import step_words
from domain.base import Frozen
from domain.dealers.team import Group, NobodyToRemind, OpenActivation, StepFigures
from domain.errors import Unavailable
from domain.identity.people import Actor
from domain.letters.text import Text, written

router = APIRouter(prefix="/v1", tags=["team"])

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,60}$")]


class OpenFilters(BaseModel):
    """`step` and `product` by their names, `owner_id` a person's."""

    owner_id: PersonId | None = None
    product: Name | None = None
    step: Name | None = None
    limit: Annotated[int, Field(ge=1, le=100), counted(20, most=100)] = 20
    cursor: Annotated[str, StringConstraints(max_length=200)] | None = None


class OpenCounts(BaseModel):
    """How many wait in all, and by person, product and step, the most first; whatever the filters are."""

    count: int
    groups: list[Group]


class OpenActivations(BaseModel):
    """The longest idle first. `counts` come with the first page."""

    results: list[OpenActivation]
    end_cursor: str | None
    counts: OpenCounts | None


class ActivationSteps(BaseModel):
    """Of the activations that ended within 90 days; where most are lost first."""

    results: list[StepFigures]


class Reminder(Frozen):
    """`reminded` is the name of who was mailed."""

    id: str
    reminded: str


Filters = Annotated[OpenFilters, Query()]

_REMINDER = (
    Text("An activation waits for you: {device}", "Une activation vous attend : {device}"),
    Text(
        "{by} reminds you of your activation of {device} ({product}).\n"
        "It waits at “{step}”. Go on: {portal}/activation/device?id={id}",
        "{by} vous rappelle votre activation de {device} ({product}).\n"
        "Elle attend à l’étape « {step} ». Continuer : {portal}/activation/device?id={id}",
    ),
)


@router.get("/dealers/{id}/open-activations", response_model=OpenActivations)
async def list_open_activations(
    portal: PortalDep, actor: SignedIn, id: DealerId, filters: Filters
) -> Response:
    """The open activations of a dealer, the longest idle first. Raises NotFound."""
    async with reading(portal.sessions) as session:
        if id != actor.dealer_id:
            await authorize_dealer(session, actor, id)
        return await _page(session, id, filters)


@router.get("/operations/open-activations", response_model=OpenActivations)
async def list_all_open_activations(
    portal: PortalDep, actor: SignedIn, filters: Filters
) -> Response:
    """The open activations of all businesses, the longest idle first."""
    async with reading(portal.sessions) as session:
        return await _page(session, None, filters)


@router.get("/operations/activation-steps")
async def list_activation_steps(portal: PortalDep, actor: SignedIn) -> ActivationSteps:
    """Where activations are lost, and how long each step takes."""
    async with reading(portal.sessions) as session:
        return ActivationSteps(results=list(await step_figures(session)))


@router.post("/activations/{id}/remind", response_model=Reminder)
async def remind_activation(
    portal: PortalDep, actor: SignedIn, id: FlowId, key: RequiredKey
) -> Response:
    """Mails its owner that the activation waits; once within four hours. Raises NotFound, NobodyToRemind, Throttled,
    Unavailable."""

    async def remind() -> tuple[int, BaseModel]:
        return 200, await _remind(portal, actor, id, key)

    return await answer_once(portal.sessions, actor, key, f"remind_activation {id}", None, remind)


async def _page(session: AsyncSession, dealer_id: str | None, filters: OpenFilters) -> Response:
    found = await list_open(
        session,
        dealer_id,
        owner_id=filters.owner_id,
        product=filters.product,
        step=filters.step,
        limit=filters.limit + 1,
        after=from_cursor(filters.cursor) if filters.cursor else None,
    )
    groups = None if filters.cursor else await count_open(session, dealer_id)
    shown = found[: filters.limit]
    more = len(found) > filters.limit
    page = OpenActivations(
        results=list(shown),
        end_cursor=to_cursor(shown[-1].idle_since, shown[-1].id) if more else None,
        counts=None if groups is None else _counts(groups),
    )
    return Response(page.model_dump_json(), media_type="application/json")


def _counts(groups: tuple[Group, ...]) -> OpenCounts:
    return OpenCounts(
        count=sum(group.count for group in groups if group.by == "step"), groups=list(groups)
    )


async def _remind(portal: Portal, actor: Actor, id_: str, key: str) -> Reminder:
    async with reading(portal.sessions) as session:
        run = await authorize_run(session, actor, "activation", id_)
        found = await reminded(session, id_)
    if run.ended or found is None:
        raise NobodyToRemind
    person, state, product = found
    tries = MailTries(portal.sessions)
    await tries.count_reminder(id_, actor.person.id)
    try:
        mail = written(
            *_REMINDER,
            by=actor.person.name,
            device=run.device,
            product=product.upper(),
            step=step_words(state),
            portal=portal.url_of(actor.site),
            id=id_,
        )
        await portal.messenger.write(reader_of(person), mail, key=update_id_of(actor, key))
    except Unavailable:
        await tries.give_back_reminder(id_, actor.person.id)
        raise
    await record_now(
        portal,
        actor,
        "reminded of an activation",
        on=("activation", id_),
        more={"person": person.id},
    )
    return Reminder(id=id_, reminded=f"{person.first_name} {person.last_name}".strip())
