"""What the buyer of plans is told by mail: the receipt, how far their devices are, and the question what becomes of the rest."""

from collections.abc import Iterable

from domain.billing.taxes import TAX_NAMES
from domain.letters.language import Language
from domain.letters.text import Text
from domain.plans.plans import PROBLEM_WORDS, LineProblem
from domain.plans.purchases import LineStatus, LineView, PurchasePolicy, PurchaseView
from domain.plans.quote import ZERO

_EN = Language.EN
_RECEIPT = Text("Your receipt", "Votre reçu")
RECEIPT = _RECEIPT.en
_SOME_FAILED = Text(
    "Some devices could not be set up yet", "Certains appareils n’ont pas encore pu être configurés"
)
SOME_FAILED = _SOME_FAILED.en
_QUESTIONS = (
    Text("Some devices could not be set up", "Certains appareils n’ont pas pu être configurés"),
    Text(
        "Reminder: some devices could not be set up",
        "Rappel : certains appareils n’ont pas pu être configurés",
    ),
    Text(
        "Last reminder: some devices could not be set up",
        "Dernier rappel : certains appareils n’ont pas pu être configurés",
    ),
)
_SET_UP = Text("These plans are set up:", "Ces forfaits sont activés :")
_NOT_YET = Text(
    "These plans are paid and could not be set up yet:",
    "Ces forfaits sont payés et n’ont pas encore pu être activés :",
)
_TRY_NOW = Text(
    "You can try these devices again now, or give them up and get their part back:",
    "Vous pouvez réessayer ces appareils maintenant, ou y renoncer et en recevoir le remboursement :",
)
_NEVER_PAID_BACK = Text(
    "These devices will never take their plan. Their part was paid back:",
    "Ces appareils ne prendront jamais leur forfait. Leur part a été remboursée :",
)
_NEVER_OWED = Text(
    "These devices will never take their plan. Their part is being paid back:",
    "Ces appareils ne prendront jamais leur forfait. Leur part est en cours de remboursement :",
)
_ATTACHED = Text(
    "The receipt as it is by now is attached. It changes with these devices.",
    "Le reçu dans son état actuel est joint. Il change avec ces appareils.",
)
_FOR_A_DAY = Text(
    "These plans are paid and could not be set up, though we tried again for a day:",
    "Ces forfaits sont payés et n’ont pas pu être activés, bien que nous ayons réessayé pendant une journée :",
)
_PLEASE_SAY = Text(
    "Nothing is paid back before you say so. Please try them again, or give them up and get their part back:",
    "Rien n’est remboursé avant que vous le disiez. Veuillez les réessayer, ou y renoncer et en recevoir le remboursement :",
)
_AGAIN = Text(
    "We try these devices again by ourselves, next on {next:%Y-%m-%d at %H:%M} UTC and for the last time on "
    "{last:%Y-%m-%d at %H:%M} UTC. Nothing is charged for that.",
    "Nous réessayons ces appareils de nous-mêmes, la prochaine fois le {next:%-d %B %Y à %-H h %M} UTC et la dernière fois le "
    "{last:%-d %B %Y à %-H h %M} UTC. Rien n’est débité pour cela.",
)
_THEN = Text(
    "Then we ask you what to do. Nothing is paid back for them before you say so.",
    "Nous vous demandons ensuite quoi faire. Rien n’est remboursé pour eux avant que vous le disiez.",
)
_WHY = Text(
    "{device}  {plan}  {total:f} {currency}: {detail}",
    "{device}  {plan}  {total:f} {currency} : {detail}",
)
_SAID = Text("{device}  {plan}  {total:f} {currency}", "{device}  {plan}  {total:f} {currency}")
_TAX = Text(
    "{tax} {percent:f} %: {amount:f} {currency}", "{tax} {percent:f} % : {amount:f} {currency}"
)
_CHARGED = Text(
    "Charged: {amount:f} {currency}, taxes included",
    "Débité : {amount:f} {currency}, taxes comprises",
)
_PAID_BACK = Text("Paid back: {amount:f} {currency}", "Remboursé : {amount:f} {currency}")
_OWED = Text(
    "Being paid back: {amount:f} {currency}", "En cours de remboursement : {amount:f} {currency}"
)
_TAKEN_BACK = Text("Your bank took the payment back.", "Votre banque a repris le paiement.")
_SEE = Text(
    "Receipt: {portal}/cart/checkout/subscriptions/complete?uuid={id}",
    "Reçu : {portal}/cart/checkout/subscriptions/complete?uuid={id}",
)
_PROBLEMS = (
    Text(
        PROBLEM_WORDS[LineProblem.UNKNOWN_DEVICE],
        "Nous n’avons pas trouvé cet appareil. Veuillez vérifier le numéro de série.",
    ),
    Text(
        PROBLEM_WORDS[LineProblem.SERVICE_MODE_REQUIRED],
        "L’appareil n’est pas en mode service pour le moment",
    ),
    Text(PROBLEM_WORDS[LineProblem.DEVICE_BLOCKED], "Cet appareil est bloqué."),
    Text(
        PROBLEM_WORDS[LineProblem.REGION_REFUSED],
        "Cet appareil ne peut pas être utilisé au Canada.",
    ),
    Text(PROBLEM_WORDS[LineProblem.PLAN_UNKNOWN], "Ce forfait n’existe pas."),
    Text(PROBLEM_WORDS[LineProblem.PLAN_RETIRED], "Ce forfait n’est plus vendu."),
    Text(
        PROBLEM_WORDS[LineProblem.PLAN_UNSUITABLE], "Ce forfait n’est pas offert pour cet appareil."
    ),
    Text(
        PROBLEM_WORDS[LineProblem.PLAN_LOWER],
        "L’appareil a un forfait supérieur. Un forfait inférieur peut être acheté lorsqu’il a pris fin.",
    ),
    Text(
        PROBLEM_WORDS[LineProblem.PLAN_TOO_LONG],
        "Le forfait de cet appareil est déjà payé pour assez longtemps.",
    ),
    Text(
        PROBLEM_WORDS[LineProblem.IN_OTHER_PURCHASE],
        "Un forfait pour cet appareil est en cours d’achat.",
    ),
    Text(PROBLEM_WORDS[LineProblem.PLAN_REFUSED], "Le réseau des appareils a refusé le forfait."),
    Text(
        PROBLEM_WORDS[LineProblem.UNCERTAIN],
        "Le réseau des appareils n’a pas répondu. Veuillez réessayer.",
    ),
    Text(
        PROBLEM_WORDS[LineProblem.END_UNSUITABLE],
        "Ce forfait ne peut pas prendre fin ce jour-là.",
    ),
)
TEXTS = (
    _RECEIPT, _SOME_FAILED, *_QUESTIONS, _SET_UP, _NOT_YET, _TRY_NOW, _NEVER_PAID_BACK, _NEVER_OWED, _ATTACHED,
    _FOR_A_DAY, _PLEASE_SAY, _AGAIN, _THEN, _CHARGED, _PAID_BACK, _OWED, _TAKEN_BACK, _SEE, _TAX, _WHY, _SAID,
    *_PROBLEMS, *TAX_NAMES,
)  # fmt: skip
"""All that is said here: a run has it in its history in English, and it is mailed in the language of its reader (`reread`)."""
STILL_TRIED = (LineStatus.FAILED, LineStatus.UNCERTAIN)


def mail_text(view: PurchaseView, portal_url: str) -> str:
    """The receipt as a mail."""
    return "\n".join(
        [
            _SET_UP.en,
            *_listed(view, LineStatus.PROVISIONED),
            "",
            *(
                _TAX(
                    _EN,
                    tax=tax.name,
                    percent=tax.percent.normalize(),
                    amount=tax.amount,
                    currency=view.currency,
                )
                for tax in view.taxes
            ),
            *_sums(view),
            _SEE(_EN, portal=portal_url, id=view.uuid),
        ]
    )


def how_far_it_is(view: PurchaseView, policy: PurchasePolicy, portal_url: str) -> tuple[str, str]:
    """Subject and text of the mail when devices of a purchase have failed first: which have their plan, which do not, when they
    are tried next, and what its buyer can do."""
    parts = (
        _about(_SET_UP.en, _listed(view, LineStatus.PROVISIONED)),
        _about(_NOT_YET.en, _failed(view)),
        _next(view, policy),
        _about(_TRY_NOW.en, [_page_of(view, portal_url)]),
        _about(_NEVER_PAID_BACK.en, _listed(view, LineStatus.REFUNDED)),
        _about(_NEVER_OWED.en, _listed(view, LineStatus.OWED)),
        [*_sums(view), _ATTACHED.en],
    )
    return SOME_FAILED, "\n\n".join("\n".join(part) for part in parts if part)


def question(view: PurchaseView, number: int, portal_url: str) -> tuple[str, str]:
    """Subject and text of a mail to a buyer whose devices do not take their plans; `number` counts them from 0."""
    text = [
        _FOR_A_DAY.en,
        *_listed(view, *STILL_TRIED),
        "",
        _PLEASE_SAY.en,
        _page_of(view, portal_url),
    ]
    return _QUESTIONS[min(number, len(_QUESTIONS) - 1)].en, "\n".join(text)


def _next(view: PurchaseView, policy: PurchasePolicy) -> list[str]:
    """When they are tried again by themselves, in UTC, and what comes after that."""
    if view.trying is None or view.deadline is None:
        return []
    last = view.trying.since + policy.retry
    return [
        _AGAIN(_EN, next=view.deadline, last=last),
        _THEN.en,
    ]


def _about(words: str, lines: list[str]) -> list[str]:
    """Nothing where there are none."""
    return [words, *lines] if lines else []


def _of(view: PurchaseView, statuses: Iterable[LineStatus]) -> list[LineView]:
    wanted = frozenset(statuses)
    return [line for line in view.lines if line.status in wanted]


def _said(view: PurchaseView, line: LineView) -> str:
    return _SAID(_EN, **_of_line(view, line))


def _of_line(view: PurchaseView, line: LineView) -> dict[str, object]:
    return {
        "device": line.device_key,
        "plan": line.new_plan_name,
        "total": line.total,
        "currency": view.currency,
    }


def _listed(view: PurchaseView, *statuses: LineStatus) -> list[str]:
    return [_said(view, line) for line in _of(view, statuses)]


def _failed(view: PurchaseView) -> list[str]:
    """With why."""
    return [
        _WHY(_EN, **_of_line(view, line), detail=line.detail) if line.detail else _said(view, line)
        for line in _of(view, STILL_TRIED)
    ]


def _sums(view: PurchaseView) -> list[str]:
    owed = sum((line.total for line in _of(view, [LineStatus.OWED])), ZERO)
    return [
        _CHARGED(_EN, amount=view.final_charge, currency=view.currency),
        *([_PAID_BACK(_EN, amount=view.refunded, currency=view.currency)] if view.refunded else []),
        *([_OWED(_EN, amount=owed, currency=view.currency)] if owed else []),
        *([_TAKEN_BACK.en] if _of(view, [LineStatus.UNPAID]) else []),
    ]


def _page_of(view: PurchaseView, portal_url: str) -> str:
    return f"{portal_url}/cart/checkout/subscriptions?uuid={view.uuid}"
