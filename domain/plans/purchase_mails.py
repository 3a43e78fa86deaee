"""What the buyer of plans is told by mail: the receipt, how far their devices are, and the question what becomes of the rest."""

from collections.abc import Iterable

from domain.plans.purchases import LineStatus, LineView, PurchasePolicy, PurchaseView
from domain.plans.quote import ZERO

RECEIPT = "Your receipt"
SOME_FAILED = "Some devices could not be set up yet"
QUESTIONS = (
    "Some devices could not be set up",
    "Reminder: some devices could not be set up",
    "Last reminder: some devices could not be set up",
)
STILL_TRIED = (LineStatus.FAILED, LineStatus.UNCERTAIN)


def mail_text(view: PurchaseView, portal_url: str) -> str:
    """The receipt as a mail."""
    return "\n".join(
        [
            "These plans are set up:",
            *_listed(view, LineStatus.PROVISIONED),
            "",
            *(
                f"{tax.name} {tax.percent.normalize():f} %: {tax.amount} {view.currency}"
                for tax in view.taxes
            ),
            *_sums(view),
            f"Receipt: {portal_url}/cart/checkout/subscriptions/complete?uuid={view.uuid}",
        ]
    )


def how_far_it_is(view: PurchaseView, policy: PurchasePolicy, portal_url: str) -> tuple[str, str]:
    """Subject and text of the mail when devices of a purchase have failed first: which have their plan, which do not, when they
    are tried next, and what its buyer can do."""
    told = (
        _about("These plans are set up:", _listed(view, LineStatus.PROVISIONED)),
        _about("These plans are paid and could not be set up yet:", _failed(view)),
        _next(view, policy),
        _about(
            "You can try these devices again now, or give them up and get their part back:",
            [_page_of(view, portal_url)],
        ),
        _about(
            "These devices will never take their plan. Their part was paid back:",
            _listed(view, LineStatus.REFUNDED),
        ),
        _about(
            "These devices will never take their plan. Their part is being paid back:",
            _listed(view, LineStatus.OWED),
        ),
        [*_sums(view), "The receipt as it is by now is attached. It changes with these devices."],
    )
    return SOME_FAILED, "\n\n".join("\n".join(part) for part in told if part)


def question(view: PurchaseView, number: int, portal_url: str) -> tuple[str, str]:
    """Subject and text of a mail to a buyer whose devices do not take their plans; `number` counts them from 0."""
    text = [
        "These plans are paid and could not be set up, though we tried again for a day:",
        *_listed(view, *STILL_TRIED),
        "",
        "Nothing is paid back before you say so. Please try them again, or give them up and get their part back:",
        _page_of(view, portal_url),
    ]
    return QUESTIONS[min(number, len(QUESTIONS) - 1)], "\n".join(text)


def _next(view: PurchaseView, policy: PurchasePolicy) -> list[str]:
    """When they are tried again by themselves, in UTC, and what comes after that."""
    if view.trying is None or view.deadline is None:
        return []
    last = view.trying.since + policy.retry
    return [
        f"We try these devices again by ourselves, next on {view.deadline:%Y-%m-%d at %H:%M} UTC and for the last time on "
        f"{last:%Y-%m-%d at %H:%M} UTC. Nothing is charged for that.",
        "Then we ask you what to do. Nothing is paid back for them before you say so.",
    ]


def _about(words: str, lines: list[str]) -> list[str]:
    """Nothing where there are none."""
    return [words, *lines] if lines else []


def _of(view: PurchaseView, statuses: Iterable[LineStatus]) -> list[LineView]:
    wanted = frozenset(statuses)
    return [line for line in view.lines if line.status in wanted]


def _said(view: PurchaseView, line: LineView) -> str:
    return f"{line.device_key}  {line.new_plan_name}  {line.total} {view.currency}"


def _listed(view: PurchaseView, *statuses: LineStatus) -> list[str]:
    return [_said(view, line) for line in _of(view, statuses)]


def _failed(view: PurchaseView) -> list[str]:
    """With why."""
    return [
        f"{_said(view, line)}: {line.detail}" if line.detail else _said(view, line)
        for line in _of(view, STILL_TRIED)
    ]


def _sums(view: PurchaseView) -> list[str]:
    owed = sum((line.total for line in _of(view, [LineStatus.OWED])), ZERO)
    return [
        f"Charged: {view.final_charge} {view.currency}, taxes included",
        *([f"Paid back: {view.refunded} {view.currency}"] if view.refunded else []),
        *([f"Being paid back: {owed} {view.currency}"] if owed else []),
        *(["Your bank took the payment back."] if _of(view, [LineStatus.UNPAID]) else []),
    ]


def _page_of(view: PurchaseView, portal_url: str) -> str:
    return f"{portal_url}/cart/checkout/subscriptions?uuid={view.uuid}"
