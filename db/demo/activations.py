"""Activations that are over, with what their installers earned: five months of work at two dealers. Only once."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.dealers.rewards import RewardedRunRow, RewardRow
from db.demo.people import HARBOUR, PEOPLE, PRAIRIE
from db.devices.option_writes import OptionWriteRow
from db.identity.people import InstallerRow, PersonRow
from db.partner_tables import PartnerRow
from db.runs.flows import FlowRow, TransitionRow
from db.vehicles.vehicles import MakeRow, ModelRow
from domain.activation.activation import (
    ActivationOutcome,
    ActivationView,
    DeviceView,
    Facts,
    StepName,
)
from domain.activation.configuring import Rewards
from domain.dealers.rewards import Completed, RewardPolicy, rewards_for
from domain.devices.activation_type import ActivationType
from domain.devices.devices import VehicleDetails
from domain.devices.option_tables import OptionTable

WALKED: tuple[StepName, ...] = (
    "power-on-device",
    "set-vehicle-details",
    "verify-connection",
    "check-firmware",
    "device-configuration",
    "device-testing",
    "purchase-plan",
    "device-rewards",
    "send-welcome",
    "complete-activation",
)
COUNT = 44
_PRODUCTS = ("ft-x1", "ft-x1max", "ft-x2", "ft-xc", "ft-x1s")
_PLANS = (None, "basic_prepaid", "premium_prepaid", None, "premium_plus_prepaid")
_TEAMS = ((HARBOUR, ("ivan", "chloe", "olivia", "ivan")), (PRAIRIE, ("marcus",)))
_ALIKE, _ALIKE_DEALERS = 16, 4
_CARS = (
    (2022, "Toyota", "Camry"),
    (2022, "Ford", "F-150"),
    (2019, "Honda", "Civic"),
    (2022, "Jeep", "Wrangler"),
    (2019, "Chevrolet", "Silverado 1500"),
    (2022, "Hyundai", "Tucson"),
    (2016, "Subaru", "Outback"),
)
"""Year, make and model of what was worked on; all are wired in full."""
_WITHOUT_CAR = 6
"""One in so many names no vehicle."""
_LOST_AT: tuple[StepName, ...] = ("verify-connection", "device-testing", "verify-connection")

_Cars = Mapping[tuple[int, str, str], VehicleDetails]


@dataclass(frozen=True)
class _Walk:
    number: int
    dealer_id: str
    partner_code: str
    installer_id: str
    helper_id: str | None
    lost_at: StepName | None
    ended_at: datetime
    product: str
    vehicle: VehicleDetails | None
    installer_name: str | None = None

    @property
    def id(self) -> str:
        return hashlib.md5(f"demo activation {self.number}".encode()).hexdigest()

    @property
    def installer(self) -> str:
        return self.installer_name or _name(self.installer_id)

    @property
    def device_key(self) -> str:
        return f"{self.product.upper()}-200{self.number:04d}1"

    def stays(self) -> Iterator[tuple[StepName, timedelta]]:
        """The steps that were walked, each with how long it took."""
        for place, step in enumerate(WALKED):
            yield step, timedelta(seconds=35 + (self.number * 37 + place * 91) % 400)
            if step == self.lost_at:
                return


async def add_finished_activations(session: AsyncSession, now: datetime) -> bool:
    """Answers whether any were added."""
    cars = await _cars(session)
    walks = list(_walks(now, cars))
    known = select(FlowRow.id).where(FlowRow.id == walks[0].id)
    if await session.scalar(known) is not None:
        return False
    walks += await _alike(session, now, cars.get(_CARS[0]))
    for walk in walks:
        session.add(_flow(walk))
        session.add_all(_transitions(walk))
        session.add(RewardedRunRow(flow_id=walk.id))
    await session.flush()
    earned = [
        reward.model_dump()
        for walk in walks
        if walk.lost_at is None and walk.number <= COUNT
        for reward in rewards_for(_completed(walk), RewardPolicy())
    ]
    await session.execute(insert(RewardRow), earned)
    written = [
        {
            "flow_id": walk.id,
            "option_table": OptionTable.CONTROLLER.value,
            "changes": {"runtime": 25 if walk.number % 8 else 45},
        }
        for walk in walks
        if walk.vehicle and walk.lost_at is None
    ]
    if written:
        await session.execute(insert(OptionWriteRow), written)
    return True


async def _cars(session: AsyncSession) -> _Cars:
    """Those of the list that the tables of vehicles hold."""
    rows = await session.execute(
        select(MakeRow.name, ModelRow.name, MakeRow.id, ModelRow.id)
        .join(ModelRow, ModelRow.make_id == MakeRow.id)
        .where(tuple_(MakeRow.name, ModelRow.name).in_([(make, model) for _, make, model in _CARS]))
    )
    ids = {(make, model): (make_id, model_id) for make, model, make_id, model_id in rows}
    return {
        (year, make, model): VehicleDetails(
            year=year,
            make_id=ids[make, model][0],
            make=make,
            model_id=ids[make, model][1],
            model=model,
        )
        for year, make, model in _CARS
        if (make, model) in ids
    }


async def _alike(
    session: AsyncSession, now: datetime, car: VehicleDetails | None
) -> Sequence[_Walk]:
    """Sixteen activations of one product in one kind of car by four other dealers."""
    installers = await session.execute(
        select(
            PersonRow.id,
            PersonRow.first_name,
            PersonRow.last_name,
            PartnerRow.id,
            PartnerRow.sap_bp_code,
        )
        .join(InstallerRow, InstallerRow.person_id == PersonRow.id)
        .join(PartnerRow, PartnerRow.id == PersonRow.dealer_id)
        .where(PersonRow.dealer_id.regexp_match("^n[0-9]+$"), InstallerRow.is_owner)
        .order_by(PersonRow.dealer_id.desc(), PersonRow.id)
        .limit(_ALIKE_DEALERS)
    )
    owners = list(installers)
    return [
        _Walk(
            number=COUNT + 1 + number,
            dealer_id=dealer_id,
            partner_code=code,
            installer_id=person_id,
            helper_id=None,
            lost_at=None,
            ended_at=now - timedelta(days=number * 5 + 9, hours=number),
            product=_PRODUCTS[0],
            vehicle=car,
            installer_name=f"{first} {last}",
        )
        for number in range(_ALIKE if owners else 0)
        for person_id, first, last, dealer_id, code in [owners[number % len(owners)]]
    ]


def _walks(now: datetime, cars: _Cars) -> Iterator[_Walk]:
    for number in range(1, COUNT + 1):
        dealer, team = _TEAMS[number % 5 == 0]
        installer = team[number % len(team)]
        helper = "chloe" if dealer is HARBOUR and number % 6 == 1 and installer != "chloe" else None
        yield _Walk(
            number=number,
            dealer_id=dealer.id,
            partner_code=dealer.code,
            installer_id=installer,
            helper_id=helper,
            lost_at=_LOST_AT[number // 9 % len(_LOST_AT)] if number % 9 == 4 else None,
            ended_at=now - timedelta(days=number * 3.3, hours=number % 8),
            product=_PRODUCTS[number % len(_PRODUCTS)],
            vehicle=cars.get(_CARS[number % len(_CARS)]) if number % _WITHOUT_CAR else None,
        )


def _completed(walk: _Walk) -> Completed:
    return Completed(
        flow_id=walk.id,
        dealer_id=walk.dealer_id,
        device_key=walk.device_key,
        product_name=walk.product,
        plan_slug=_PLANS[walk.number % len(_PLANS)],
        installers=tuple(one for one in (walk.installer_id, walk.helper_id) if one),
        ended_at=walk.ended_at,
    )


def _flow(walk: _Walk) -> FlowRow:
    began = walk.ended_at - sum((lasted for _, lasted in walk.stays()), timedelta())
    outcome = ActivationOutcome.ABANDONED if walk.lost_at else ActivationOutcome.COMPLETED
    moves = len(list(walk.stays()))
    return FlowRow(
        id=walk.id,
        kind="activation",
        version=2,
        workflow_id=f"act-{walk.device_key}",
        run_id=walk.id,
        rev=moves,
        seq=moves,
        state=outcome.value,
        allowed=[],
        view=_view(walk, began, outcome).model_dump(mode="json"),
        device_key=walk.device_key,
        site="ca",
        dealer_id=walk.dealer_id,
        owner_id=walk.installer_id,
        partner=walk.partner_code,
        outcome=outcome.value,
        created_at=began,
        updated_at=walk.ended_at,
        ended_at=walk.ended_at,
    )


def _view(walk: _Walk, began: datetime, outcome: ActivationOutcome) -> ActivationView:
    installer = walk.installer
    done = outcome is ActivationOutcome.COMPLETED
    named = Rewards(installer_id=walk.installer_id, involved_installer_id=walk.helper_id)
    return ActivationView(
        id=walk.id,
        flow_version=2,
        type=ActivationType.NEW_DEVICE,
        device=DeviceView(device_key=walk.device_key, product_name=walk.product),
        plan=WALKED,
        state=outcome.value,
        step=outcome.value,
        phase="ready",
        position=len(WALKED) if done else 0,
        total=len(WALKED),
        error=None,
        facts=Facts(
            activated=done,
            connection_verified=done,
            rewards=named if done else None,
            vehicle=walk.vehicle,
        ),
        commands=(),
        skipped={},
        deadline=None,
        idle_at=walk.ended_at,
        owner=installer,
        owner_id=walk.installer_id,
        guest=False,
        consumer_email=None,
        outcome=outcome,
        reason="" if done else "the customer left",
        created_at=began,
        updated_at=walk.ended_at,
        updated_by=installer,
    )


def _transitions(walk: _Walk) -> Iterator[TransitionRow]:
    stays = list(walk.stays())
    end = "abandoned" if walk.lost_at else "completed"
    at = walk.ended_at - sum((lasted for _, lasted in stays), timedelta())
    following = [step for step, _ in stays[1:]] + [end]
    for rev, ((step, lasted), to) in enumerate(zip(stays, following, strict=True), 1):
        at += lasted
        yield TransitionRow(
            flow_id=walk.id,
            rev=rev,
            event="ABANDON" if to == "abandoned" else "SUBMIT",
            from_state=step,
            to_state=to,
            at=at,
            actor_id=walk.installer_id,
            actor=walk.installer,
        )


def _name(person_id: str) -> str:
    person = next(person for person in PEOPLE if person.id == person_id)
    return f"{person.first_name} {person.last_name}"
