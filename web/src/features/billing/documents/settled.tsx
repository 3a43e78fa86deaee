import { useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schemas } from "~/shared/api/client";
import { dollars } from "~/shared/catalogue/money";
import { keepsMethods } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { dayInWords } from "~/shared/time/day";
import { DataTable } from "~/shared/ui/lists/data-table";
import { kindInWords } from "./words";

type Settled = Schemas["SettledOut"];

type SettledTableProps = { label: string; settled: readonly Settled[]; empty: ReactNode };

/** What a document was settled with, or where it went. */
export function SettledTable({ label, settled, empty }: SettledTableProps) {
  const { i18n, t } = useLingui();
  return (
    <DataTable
      label={label}
      rows={settled}
      keyOf={({ number }, place) => `${number} ${place}`}
      empty={empty}
      columns={[
        { head: t`Number`, names: true, cell: (one) => <NumberOf settled={one} /> },
        { head: t`Kind`, cell: ({ kind }) => kindInWords(i18n, kind) },
        { head: t`Date`, cell: ({ date }) => dayInWords(i18n, date) },
        { head: t`Amount`, as: "figure", cell: ({ amount }) => dollars(i18n, amount.amount) },
      ]}
    />
  );
}

/** A payment of ours is named there with its invoice behind it (`reference_of`). */
const OUR_PAYMENT = /^([0-9a-f]{32}):/;

function NumberOf({ settled: { kind, number } }: { settled: Settled }) {
  const links = keepsMethods(useSession()); // its page is for nobody else
  const isPayment = kind === "payment" || kind === "returned_payment";
  const ours = links && isPayment ? OUR_PAYMENT.exec(number)?.[1] : undefined;
  if (ours !== undefined) {
    return (
      <Link to="/invoice-payment/complete" search={{ id: ours }}>
        {number}
      </Link>
    );
  }
  const to = kind === "invoice" ? "/invoice/{-$id}" : "/credit-memo/{-$id}";
  if (kind !== "invoice" && kind !== "credit_memo") return number;
  return (
    <Link to={to} params={{ id: number }}>
      {number}
    </Link>
  );
}
