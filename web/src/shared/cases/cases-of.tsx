import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { dollars } from "~/shared/catalogue/money";
import { failedPayment } from "~/shared/payments/left-words";
import { keepsMethods } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Note } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./cases-of.module.css";
import { PayAgain } from "./pay-again";
import { type BuyersCase, casesOfQuery, type Owned, useCaseNews } from "./queries";
import { CAUSE_WORDS } from "./words";

/** What happened to the money of an order, a purchase, a payment of invoices or a document after it had been placed; nothing on most. */
export function CasesOf({ of }: { of: Owned }) {
  const { t } = useLingui();
  const found = useQuery(casesOfQuery(of));
  useCaseNews(of, found.data?.results);
  if (!found.data || found.data.results.length === 0) return null;
  return (
    <Panel aria-label={t`Your money`}>
      <h2>
        <Trans>Your money</Trans>
      </h2>
      <ul className={classes.cases}>
        {found.data.results.map((one) => (
          <li key={one.id} className={classes.case}>
            <Case of={one} />
            {isDocument(of) ? <CaseStatus of={one} /> : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const isDocument = ({ kind }: Owned) => kind === "invoice" || kind === "credit_memo";

/** Where the whole of it is read: a document has a part in a payment, or is for an order. */
function CaseStatus({ of: { belongs_to } }: { of: BuyersCase }) {
  const mayOpen = keepsMethods(useSession());
  const { kind, id } = belongs_to;
  if (kind === "order")
    return (
      <Link to="/order/{-$id}" params={{ id }}>
        <Trans>Its order</Trans>
      </Link>
    );
  if (kind !== "invoice_payment" || !mayOpen) return null;
  return (
    <Link to="/invoice-payment/complete" search={{ id }}>
      <Trans>Its payment</Trans>
    </Link>
  );
}

/** What is to be paid again, and what rests until then. */
function Owed({ of }: { of: BuyersCase }) {
  const { i18n } = useLingui();
  if (!of.is_open)
    return <Trans>It is paid, or was taken care of. Nothing is held any more.</Trans>;
  const owed = dollars(i18n, of.owed || (of.amount ?? 0));
  const day = of.deadline ? i18n.date(of.deadline, { dateStyle: "long" }) : null;
  if (of.belongs_to.kind === "order")
    return <Trans>{owed} is owed again. What was not sent yet is held.</Trans>;
  if (day)
    return (
      <Trans>
        {owed} is owed again. Plans are suspended after {day}.
      </Trans>
    );
  return <Trans>{owed} is owed. The plans are suspended.</Trans>;
}

/** What a bank took back of a payment: its invoices are owed, and nothing by the payment itself. */
function OfInvoices({ of }: { of: BuyersCase }) {
  if (of.is_open && of.cause === "chargeback")
    return (
      <Trans>
        Nothing more happens until the bank has decided. If this was not meant, please tell your
        bank.
      </Trans>
    );
  if (of.is_open) return <Trans>The invoices are being opened again. You need do nothing.</Trans>;
  return <Trans>It was taken care of. Each invoice shows what is open on it.</Trans>;
}

/** A bank hears both sides before it decides. */
function Disputed({ of }: { of: BuyersCase }) {
  if (!of.is_open) return <Trans>It was taken care of. Nothing is held any more.</Trans>;
  return (
    <Trans>
      What was not sent yet is held until the bank has decided. If this was not meant, please tell
      your bank.
    </Trans>
  );
}

/** By a bank, after it had been paid. */
const isTakenBack = ({ cause }: BuyersCase) => cause === "debit_returned" || cause === "chargeback";

function Case({ of }: { of: BuyersCase }) {
  const { i18n } = useLingui();
  const day = i18n.date(of.updated_at, { dateStyle: "long" });
  const on = of.belongs_to.kind;
  const given = dollars(i18n, of.given_back);
  const less = dollars(i18n, of.taken_off);
  const wanted = of.amount === null ? null : dollars(i18n, of.amount);
  const { why } = failedPayment(of.payment?.detail);
  return (
    <>
      <Status tone={of.is_open ? "wait" : "ok"}>
        {of.is_open ? <Trans>Being taken care of</Trans> : <Trans>Taken care of</Trans>}
      </Status>
      <strong>{i18n._(CAUSE_WORDS[of.cause])}</strong>
      {of.detail ? <p lang="en">{of.detail}</p> : null}
      <p role="status">
        {on === "invoice_payment" && isTakenBack(of) ? (
          <OfInvoices of={of} />
        ) : of.cause === "debit_returned" || of.owed > 0 ? (
          <Owed of={of} />
        ) : of.cause === "let_go" && of.given_back === 0 ? (
          <Trans>Nothing stays charged by it. What may still be held is let go.</Trans>
        ) : of.cause === "chargeback" ? (
          <Disputed of={of} />
        ) : of.taken_off > 0 ? (
          <Trans>{less} less is asked for than before.</Trans>
        ) : of.given_back > 0 ? (
          <Trans>
            {given} was paid back on {day}, to how you paid.
          </Trans>
        ) : of.belongs_to.is_promised ? (
          <Trans>Nothing was charged for it, and it will not be billed.</Trans>
        ) : of.is_open ? (
          of.cause === "run_lost" || of.cause === "amount_differs" ? (
            <Trans>We look after what you paid. Please do not pay again.</Trans>
          ) : wanted ? (
            <Trans>{wanted} is being paid back. You need do nothing.</Trans>
          ) : (
            <Trans>What you paid is being paid back. You need do nothing.</Trans>
          )
        ) : on === "invoice_payment" ? (
          <Trans>It was taken care of. Each invoice shows what is open on it.</Trans>
        ) : (
          <Trans>Nothing is owed.</Trans>
        )}
      </p>
      {of.payment?.detail && of.is_open ? (
        <Note tone="fail">{typeof why === "string" ? why : i18n._(why)}</Note>
      ) : null}
      {of.may_pay ? <PayAgain of={of} /> : null}
      {of.is_tried_too_often ? (
        <Note tone="wait">
          <Trans>This was tried too often. Please ask us for another way to pay.</Trans>
        </Note>
      ) : null}
    </>
  );
}
