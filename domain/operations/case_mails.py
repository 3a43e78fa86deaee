"""What a buyer is told by mail of a case of theirs, in their language; and what administrators are, in English."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from domain.base import Frozen, Utc
from domain.billing.payments import OF_ANOTHER, TAKEN_IN, TAKEN_INSTEAD
from domain.letters.language import Language
from domain.letters.text import Text, reread
from domain.operations.cases import (
    BY_HAND,
    IN_A_CASE,
    NO_REASON,
    NOTHING_CHARGED,
    ON_ITS_WAY,
    UNANSWERED,
    CaseCause,
    CasePolicy,
    CaseView,
    Earlier,
)


class MailKind(StrEnum):
    OPENED = "opened"
    ENDED = "ended"
    LOST = "lost"
    """A chargeback was: what it took is owed again."""
    ASSIGNED = "assigned"
    ATTENTION = "attention"


class CaseMail(Frozen):
    """`person_id` is the buyer; `rev` tells two mails of one kind apart. Plans rest from `rests_at` on, unless they are paid."""

    kind: MailKind
    person_id: str
    case: CaseView
    rev: int
    rests_at: Utc | None = None


CAUSE_WORDS: Mapping[CaseCause, Text] = {
    CaseCause.ORDER_CANCELLED: Text(
        "{name} was cancelled by the warehouse", "{name} : annulation par l’entrepôt"
    ),
    CaseCause.SHIPMENT_CANCELLED: Text(
        "{name} will not be sent completely", "{name} : une partie ne sera pas envoyée"
    ),
    CaseCause.REFUND_REFUSED: Text(
        "{name} could not be paid back at once",
        "{name} : le remboursement n’a pas pu être fait tout de suite",
    ),
    CaseCause.DEBIT_RETURNED: Text(
        "{name} is not paid any more: your bank returned the debit",
        "{name} : le paiement ne tient plus, votre banque a retourné le débit",
    ),
    CaseCause.AMOUNT_DIFFERS: Text(
        "{name} was not paid as it should have been",
        "{name} : le paiement n’a pas été fait comme prévu",
    ),
    CaseCause.RUN_LOST: Text("{name} was interrupted", "{name} : interruption"),
    CaseCause.LET_GO: Text(
        "{name} was not paid: what was asked for could not be let go of at once",
        "{name} : non payé, et ce qui avait été demandé n’a pas pu être libéré tout de suite",
    ),
    CaseCause.CHARGEBACK: Text(
        "{name} was charged back: the holder of the card had the bank take the payment back",
        "{name} : rétrofacturation, le titulaire de la carte a fait reprendre le paiement par la banque",
    ),
}
NOT_ASKED_FOR = {
    CaseCause.ORDER_CANCELLED: Text(
        "Nothing is owed for it any more; whatever was paid is paid back.",
        "Plus rien n’est dû pour elle; tout ce qui a été payé est remboursé.",
    ),
    CaseCause.SHIPMENT_CANCELLED: Text(
        "What is owed is lowered by what this part had cost, or it is paid back once the rest is paid.",
        "Ce qui est dû est réduit du prix de cette partie, ou elle est remboursée une fois le reste payé.",
    ),
}
UNDECIDED = {
    CaseCause.ORDER_CANCELLED: Text(
        "Nothing is owed for it. What the bank took back it has not decided about: that is not paid back before, and only if it"
        " decides so. Whatever else was paid is being paid back.",
        "Rien n’est dû pour elle. La banque n’a pas encore décidé de ce qu’elle a repris : cela n’est pas remboursé avant, et"
        " seulement si elle en décide ainsi. Tout ce qui a été payé d’autre est en cours de remboursement.",
    ),
    CaseCause.SHIPMENT_CANCELLED: Text(
        "It is paid back, or not asked for, once the bank has decided.",
        "Elle est remboursée, ou n’est pas demandée, une fois que la banque a décidé.",
    ),
}
BY_A_PERSON = Text(
    "Somebody took care of it in another way. Please tell us if you miss any money.",
    "Quelqu’un s’en est occupé autrement. Veuillez nous dire s’il vous manque de l’argent.",
)
WITH_THE_BANK = Text(
    "What the bank took back is paid back if it decides so.",
    "Ce que la banque a repris est remboursé si elle en décide ainsi.",
)
LEFT_TEXTS = (
    Text(NOTHING_CHARGED, "Rien n’a été débité."),
    Text(IN_A_CASE, "Le montant débité est en cours de remboursement."),
    Text(UNANSWERED, "Le fournisseur n’a pas répondu. Tout ce qu’il a prélevé est remboursé."),
    Text(ON_ITS_WAY, "Votre banque a déjà lancé le débit. Tout ce qui arrive est remboursé."),
)
"""What is said of a payment that a case goes on with, or that there was none."""
_KNOWN = (
    *LEFT_TEXTS,
    Text(
        "The bank did not take what was paid back: {reason}.",
        "La banque n’a pas accepté le remboursement : {reason}.",
    ),
    Text(NO_REASON, "aucun motif"),
    TAKEN_INSTEAD,
    TAKEN_IN,
    OF_ANOTHER,
    Text("The bank gives as its reason: {reason}.", "La banque donne comme motif : {reason}."),
    Text("Order {number}", "Commande {number}"),
    Text("Your cart", "Votre panier"),
    Text("Purchase of plans", "Achat de forfaits"),
    Text("Payment of invoices", "Paiement de factures"),
)
"""What stands in a case in English: what it belongs to, and why it is there."""
_PAGES = {
    "order": "/order/{id}",
    "cart": "/cart/checkout/products?token={id}",
    "purchase": "/cart/checkout/subscriptions?uuid={id}",
    "invoice_payment": "/invoice-payment/complete?id={id}",
}

_AMOUNT = Text("${amount:,.2f}", "{amount:,.2f} $")
_ALL = Text("What you paid", "Ce que vous avez payé")
_GIVEN_BACK = Text(
    "${amount:,.2f} was paid back to how you paid.",
    "{amount:,.2f} $ vous ont été remboursés par le même moyen de paiement.",
)
_TAKEN_OFF = Text(
    "${amount:,.2f} less is asked for than before.",
    "{amount:,.2f} $ de moins sont demandés qu’auparavant.",
)
_NOTHING_STAYS = Text(
    "Nothing stays charged by it. What is open otherwise stays as it is.",
    "Il n’en reste aucun débit. Ce qui est ouvert par ailleurs reste tel quel.",
)
_EACH_INVOICE = Text(
    "It has been taken care of. Each invoice shows what is open on it.",
    "C’est réglé. Chaque facture indique ce qui reste à payer.",
)
_NOTHING_OWED = Text("It has been taken care of. Nothing is owed.", "C’est réglé. Rien n’est dû.")
_NOTHING_PAID = Text(
    "Nothing was charged for it, and it will not be billed.",
    "Rien n’a été débité pour elle, et elle ne sera pas facturée.",
)
_PLANS_ARE_BACK = Text("Its plans are active again.", "Ses forfaits sont de nouveau actifs.")
_PAID_BACK = Text("{wanted} is being paid back.", "En cours de remboursement : {wanted}.")
_ALL_BACK = Text(
    "Nothing stays charged: what was taken is paid back, and what is held is let go.",
    "Il ne reste aucun débit : ce qui a été prélevé est remboursé, et ce qui est retenu est libéré.",
)
_BY_HAND = Text(
    "We look after what you paid. Please do not pay again.",
    "Nous nous occupons de ce que vous avez payé. Veuillez ne pas payer de nouveau.",
)
_DO_NOTHING = Text(
    "{what}. {detail}\n\n{then} You need do nothing.\n{page}",
    "{what}. {detail}\n\n{then} Vous n’avez rien à faire.\n{page}",
)
_WHY = Text("{what}. {detail}\n\n{then}", "{what}. {detail}\n\n{then}")
_NO_MORE = Text(
    "Nothing more happens until the bank has decided.",
    "Rien d’autre ne se passe avant la décision de la banque.",
)
_HELD_BACK = Text(
    "What was not sent yet is held until the bank has decided.",
    "Ce qui n’a pas encore été envoyé est retenu jusqu’à la décision de la banque.",
)
_CHARGED_BACK = Text(
    "{what}. {detail}\n\n{wanted} was taken back. {kept} If this was not meant, please tell your"
    " bank.\n{page}",
    "{what}. {detail}\n\nMontant repris : {wanted}. {kept} Si ce n’était pas voulu, veuillez en informer votre"
    " banque.\n{page}",
)
_DECIDED = Text(
    "The bank has decided for the holder of the card. {then}",
    "La banque a donné raison au titulaire de la carte. {then}",
)
_OWED_SUBJECT = Text("{name}: it is owed again", "{name} : de nouveau dû")
_DONE_SUBJECT = Text("{name}: taken care of", "{name} : c’est réglé")
_DONE = Text("{what}.\n\n{said}\n{page}", "{what}.\n\n{said}\n{page}")
_LOOKED_AFTER = Text(
    "We look after what is open of the invoices now.\n{portal}/invoice",
    "Nous nous occupons maintenant de ce qui reste ouvert de ces factures.\n{portal}/invoice",
)
_OPEN_AGAIN = Text(
    "The invoices are open again, as before the payment; a discount is granted again until its last day only. Please pay them"
    " here:\n{portal}/invoice",
    "Les factures sont de nouveau ouvertes, comme avant le paiement; un escompte n’est accordé de nouveau que jusqu’à son"
    " dernier jour. Veuillez les payer ici :\n{portal}/invoice",
)
_OWED_AGAIN = Text(
    "{wanted} is owed again. {kept} Please pay here:\n{page}",
    "De nouveau dû : {wanted}. {kept} Veuillez payer ici :\n{page}",
)
_HELD = Text("What was not sent yet is held.", "Ce qui n’a pas encore été envoyé est retenu.")
_SUSPENDED_AFTER = Text(
    "The plans are suspended after {until:%Y-%m-%d}.",
    "Les forfaits seront suspendus après le {until:%-d %B %Y}.",
)
_SUSPENDED_SUBJECT = Text("{name}: the plans are suspended", "{name} : les forfaits sont suspendus")
_SUSPENDED = Text(
    "${amount:,.2f} is owed again and was not paid in time. The plans are suspended, and come back as soon as it is"
    " paid. Please pay here:\n{page}",
    "{amount:,.2f} $ sont de nouveau dus et n’ont pas été payés à temps. Les forfaits sont suspendus, et seront rétablis dès le"
    " paiement. Veuillez payer ici :\n{page}",
)


def written(
    mail: CaseMail,
    earlier: Sequence[Earlier],
    portal_url: str,
    language: Language | None = None,
    *,
    is_back: bool,
) -> tuple[str, str]:
    """Subject and text. `earlier` are the cases before, `is_back`: plans that were suspended are active again."""
    case = mail.case
    name = _known(language, case.belongs_to.name)
    what = CAUSE_WORDS[case.cause](language, name=name)
    match mail.kind:
        case MailKind.OPENED:
            return what, _opened(mail, earlier, what, portal_url, language)
        case MailKind.LOST:
            if case.belongs_to.kind == "invoice_payment":
                then = _open_again(case, portal_url, language)
            else:
                then = _owed_again(mail, portal_url, language)
            return _OWED_SUBJECT(language, name=name), _DECIDED(language, then=then)
        case MailKind.ENDED:
            said = end_words(case, language, has_bank_some=has_bank_some(earlier))
            if is_back:
                said = f"{said} {_PLANS_ARE_BACK(language)}"
            text = _DONE(language, what=what, said=said, page=_page(case, portal_url))
            return _DONE_SUBJECT(language, name=name), text
        case MailKind.ASSIGNED | MailKind.ATTENTION:
            return _to_us(mail, portal_url)


def suspended(case: CaseView, portal_url: str, language: Language | None = None) -> tuple[str, str]:
    """Subject and text to the buyer whose plans rest from now on."""
    name = _known(language, case.belongs_to.name)
    text = _SUSPENDED(language, amount=case.owed, page=_page(case, portal_url))
    return _SUSPENDED_SUBJECT(language, name=name), text


def not_paid_back(cause: CaseCause, earlier: Sequence[Earlier]) -> Text | None:
    """What becomes of the money for goods that are never sent while it is owed, or a bank has it; a debit that came back is owed
    within moments. None where it is paid back."""
    if not earlier:
        return None
    is_owed = any(one.is_owed or one.cause is CaseCause.DEBIT_RETURNED for one in earlier)
    if cause is CaseCause.ORDER_CANCELLED and has_bank_some(earlier):
        is_owed = False
    return (NOT_ASKED_FOR if is_owed else UNDECIDED)[cause]


def has_bank_some(earlier: Sequence[Earlier]) -> bool:
    """Whether a bank has money that it has not decided about."""
    return any(one.cause is CaseCause.CHARGEBACK and not one.is_owed for one in earlier)


def end_words(
    case: CaseView, language: Language | None = None, *, has_bank_some: bool = False
) -> str:
    """What became of the money, of which a bank may have some that it has not decided about: that goes back by itself only where
    all was cancelled. What is owed beside it the page says that it stands on; what a person did, nobody knows here."""
    words = _end_words(case, language)
    if has_bank_some and case.cause is CaseCause.ORDER_CANCELLED:
        return f"{words} {WITH_THE_BANK(language)}"
    return words


def _end_words(case: CaseView, language: Language | None) -> str:
    parts: list[str] = []
    if case.given_back:
        parts.append(_GIVEN_BACK(language, amount=case.given_back))
    if case.taken_off:
        parts.append(_TAKEN_OFF(language, amount=case.taken_off))
    if case.state == "resolved" and case.cause is not CaseCause.CHARGEBACK:
        parts.append(BY_A_PERSON(language))
    if parts:
        return " ".join(parts)
    if case.belongs_to.is_promised:
        return _NOTHING_PAID(language)
    if case.cause is CaseCause.LET_GO:
        return _NOTHING_STAYS(language)
    if case.belongs_to.kind == "invoice_payment":
        return _EACH_INVOICE(language)
    return _NOTHING_OWED(language)


def _opened(
    mail: CaseMail,
    earlier: Sequence[Earlier],
    what: str,
    portal_url: str,
    language: Language | None,
) -> str:
    case = mail.case
    page = _page(case, portal_url)
    wanted = _ALL if case.amount is None else _AMOUNT(language, amount=case.amount)
    said = {"what": what, "detail": _known(language, case.detail), "page": page}
    if case.cause is CaseCause.DEBIT_RETURNED:
        if case.belongs_to.kind == "invoice_payment":
            return _WHY(language, then=_open_again(case, portal_url, language), **said)
        return _WHY(language, then=_owed_again(mail, portal_url, language), **said)
    if case.cause is CaseCause.CHARGEBACK:
        kept = _HELD_BACK if case.belongs_to.kind == "order" else _NO_MORE
        return _CHARGED_BACK(language, wanted=wanted, kept=kept, **said)
    then = not_paid_back(case.cause, earlier) or _PAID_BACK(language, wanted=wanted)
    if case.belongs_to.is_promised:
        then = _NOTHING_PAID
    if case.cause is CaseCause.LET_GO:
        then = _ALL_BACK
    if case.cause in BY_HAND:
        then = _BY_HAND
    return _DO_NOTHING(language, then=then, **said)


def _to_us(mail: CaseMail, portal_url: str) -> tuple[str, str]:
    """To administrators, who read English."""
    case, name = mail.case, mail.case.belongs_to.name
    what = CAUSE_WORDS[case.cause].en.format(name=name)
    page = f"{portal_url}/operations/case?id={case.id}"
    if mail.kind is MailKind.ASSIGNED:
        return f"A case is yours: {name}", f"{what}. It is due {case.due_at:%Y-%m-%d}.\n{page}"
    error = case.error.detail if case.error else ""
    return f"A case needs attention: {name}", f"{what}.\n{error}\n{page}"


def _open_again(case: CaseView, portal_url: str, language: Language | None) -> str:
    """Of invoices. What a bank took of a part of them, a person looks after first."""
    return (_OPEN_AGAIN if case.error is None else _LOOKED_AFTER)(language, portal=portal_url)


def _owed_again(mail: CaseMail, portal_url: str, language: Language | None) -> str:
    case = mail.case
    owed = case.owed or case.amount
    until = mail.rests_at or case.opened_at + CasePolicy().grace
    is_of_plans = case.belongs_to.kind == "purchase"
    return _OWED_AGAIN(
        language,
        wanted=_ALL if owed is None else _AMOUNT(language, amount=owed),
        kept=_SUSPENDED_AFTER(language, until=until) if is_of_plans else _HELD,
        page=_page(case, portal_url),
    )


def _known(language: Language | None, words: str) -> str:
    return reread(language, words, _KNOWN)


def _page(case: CaseView, portal_url: str) -> str:
    return portal_url + _PAGES[case.belongs_to.kind].format(id=case.belongs_to.id)
