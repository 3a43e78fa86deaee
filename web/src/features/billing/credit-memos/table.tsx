import { useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { dollars } from "~/shared/catalogue/money";
import { dayInWords } from "~/shared/time/day";
import { DataTable } from "~/shared/ui/lists/data-table";
import { Status } from "~/shared/ui/notes/status";
import type { CreditMemo } from "./queries";
import { MEMO_STATUS_WORDS, MEMO_TONES, statusOf } from "./words";

type MemosTableProps = {
  memos: readonly CreditMemo[] | undefined;
  busy: boolean;
  empty: ReactNode;
};

export function MemosTable({ memos, busy, empty }: MemosTableProps) {
  const { i18n, t } = useLingui();
  return (
    <DataTable
      label={t`Credit memos`}
      rows={memos}
      keyOf={({ number }) => number}
      busy={busy}
      empty={empty}
      columns={[
        {
          head: t`Credit memo`,
          as: "whole",
          names: true,
          cell: ({ id, number }) => (
            <Link to="/credit-memo/{-$id}" params={{ id }}>
              {number}
            </Link>
          ),
        },
        { head: t`Date`, as: "whole", cell: ({ create_date }) => dayInWords(i18n, create_date) },
        { head: t`Reason`, cell: ({ reason }) => <span lang="en">{reason}</span> },
        { head: t`Invoice`, cell: ({ invoiceNumber }) => invoiceNumber ?? "—" },
        { head: t`Status`, cell: (memo) => <MemoState memo={memo} /> },
        { head: t`Total`, as: "figure", cell: ({ total }) => dollars(i18n, total.amount) },
        { head: t`Balance`, as: "figure", cell: ({ balance }) => dollars(i18n, balance.amount) },
      ]}
    />
  );
}

export function MemoState({ memo }: { memo: CreditMemo }) {
  const { i18n } = useLingui();
  const status = statusOf(memo);
  return <Status tone={MEMO_TONES[status]}>{i18n._(MEMO_STATUS_WORDS[status])}</Status>;
}
