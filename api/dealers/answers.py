"""How dealers, installers and rewards are said (devices spec 3 and 7)."""

from datetime import datetime

from pydantic import BaseModel

from domain.base import Utc
from domain.dealers.dealers import Dealer, DealerProfile, Installer
from domain.dealers.payouts import MonthState, PayoutState
from domain.dealers.rewards import RewardAmount, RewardKind
from domain.devices.devices import FAMILY, Family
from domain.money import Money
from domain.plans.plans import FOUR


class DealerOut(BaseModel):
    id: str
    name: str
    partner_code: str | None
    is_public_profile: bool
    dealer_profile: DealerProfile


class DealersPage(BaseModel):
    results: list[DealerOut]
    count: int


class InstallerOut(BaseModel):
    """`id`, `user_id` and `installer_id` are one: a person has one installer record. `open_activations` are theirs."""

    id: str
    user_id: str
    installer_id: str
    dealer_id: str
    first_name: str
    last_name: str
    email: str
    is_owner: bool
    is_retired: bool
    is_purchaser: bool
    last_seen_at: Utc | None
    open_activations: int


class InstallersPage(BaseModel):
    results: list[InstallerOut]
    count: int


class RewardOut(BaseModel):
    """One installer's share of what a device earned; `activation_id` is the run that earned it. What was `taken_back`,
    as the device was swapped within 30 days, has an amount below zero and stands in the month after the swap."""

    activation_id: str
    kind: RewardKind
    device_key: str
    product_name: str
    plan: str | None
    installer_id: str
    installer: str
    amount: Money
    shared_among: int
    earned_at: datetime


class RewardsPage(BaseModel):
    """`total` is what all `count` rewards come to."""

    results: list[RewardOut]
    count: int
    total: Money


class RewardSumOut(BaseModel):
    """`month` is YYYY-MM, in UTC."""

    installer_id: str
    installer: str
    month: str
    amount: Money
    devices: int


class RewardAmountOut(BaseModel):
    """What one device of the family earns, in US dollars, with a plan: the slug of its type, `none`, or `any` for those that
    have no row of their own. `plan_name` is that of a type."""

    family: Family
    products: list[str]
    plan: str
    plan_name: str | None
    amount: Money


class RewardSums(BaseModel):
    """`amounts` say what an activation earns now; what is in none of them earns nothing."""

    results: list[RewardSumOut]
    total: Money
    amounts: list[RewardAmountOut]


class PayoutOut(BaseModel):
    """What a dealer's people earned in a month (YYYY-MM, in UTC). `collecting` while it goes on, then `due`; where more was taken
    back than earned it is `carried` into the next month. From the day of payouts on its state is that of the payout, which waits
    for the dealer's account, is being paid, was paid, refused, came back, or was settled in another way."""

    month: str
    amount: Money
    devices: int
    state: MonthState | PayoutState
    paid_at: Utc | None = None


class PayoutsPage(BaseModel):
    results: list[PayoutOut]
    count: int


def dealer_out(dealer: Dealer) -> DealerOut:
    return DealerOut.model_validate(dealer.model_dump())


def installer_out(installer: Installer) -> InstallerOut:
    return InstallerOut(**installer.model_dump(), user_id=installer.id, installer_id=installer.id)


def amount_out(one: RewardAmount) -> RewardAmountOut:
    return RewardAmountOut(
        **one.model_dump(),
        products=[product for product, family in FAMILY.items() if family is one.family],
        plan_name=next((plan.display_name for plan in FOUR if plan.slug == one.plan), None),
    )
