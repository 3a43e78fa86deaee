import { useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { dollars } from "~/shared/catalogue/money";
import { DataTable } from "~/shared/ui/lists/data-table";
import { Status } from "~/shared/ui/notes/status";
import classes from "../orders.module.css";
import type { OrderSummary } from "../queries";
import { STATUS_WORDS, toneOf } from "../words";

type OrdersTableProps = {
  orders: readonly OrderSummary[] | undefined;
  busy: boolean;
  empty: ReactNode;
  chosen: readonly string[];
  onChoose: (ids: string[]) => void;
};

export function OrdersTable({ orders, busy, empty, chosen, onChoose }: OrdersTableProps) {
  const { i18n, t } = useLingui();
  return (
    <DataTable
      label={t`Orders`}
      rows={orders}
      keyOf={({ id }) => id}
      busy={busy}
      empty={empty}
      columns={[
        {
          head: t`Choose`,
          cell: ({ id, number }) => (
            <label className={classes.choose}>
              <input
                type="checkbox"
                aria-label={t`Choose ${number}`}
                checked={chosen.includes(id)}
                onChange={(event) =>
                  onChoose(
                    event.currentTarget.checked
                      ? [...chosen, id]
                      : chosen.filter((other) => other !== id),
                  )
                }
              />
            </label>
          ),
        },
        {
          head: t`Order`,
          as: "whole",
          names: true,
          cell: ({ id, number }) => (
            <Link to="/order/{-$id}" params={{ id }}>
              {number}
            </Link>
          ),
        },
        {
          head: t`Date`,
          as: "whole",
          cell: ({ created }) => i18n.date(created, { dateStyle: "medium" }),
        },
        { head: t`Placed by`, cell: ({ placedBy }) => placedBy },
        { head: t`PO number`, cell: ({ poNumber }) => poNumber ?? "—" },
        {
          head: t`Status`,
          cell: ({ status }) => (
            <Status tone={toneOf(status)}>{i18n._(STATUS_WORDS[status])}</Status>
          ),
        },
        { head: t`Pieces`, as: "figure", cell: ({ quantity }) => i18n.number(quantity) },
        { head: t`Total`, as: "figure", cell: ({ total }) => dollars(i18n, total) },
      ]}
    />
  );
}
