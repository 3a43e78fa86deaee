import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { askForCart } from "~/shared/cart/queries";
import { VERDICT_WORDS } from "~/shared/cart/verdict-words";
import { dollars } from "~/shared/catalogue/money";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { DataTable } from "~/shared/ui/lists/data-table";
import { ProblemNote } from "~/shared/ui/notes/note";
import { againQuery, type Order, type Reordered, reorder } from "../queries";
import classes from "./order-again.module.css";

type OrderAgainProps = {
  order: Order;
  onClose: () => void;
  onAdded: (added: Reordered) => void;
};

/** Which lines go into the cart again, each with its price then and now. All that can be bought are chosen at first. */
export function OrderAgain({ order, onClose, onAdded }: OrderAgainProps) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const checked = useQuery(againQuery(order));
  const { number } = order;
  const { busy, problem, send } = useSend<Reordered>();
  const rows = checked.data?.rows.map((row, place) => ({ ...row, line: order.lines[place] }));
  const chosen = rows?.filter((row) => canBeAdded(row.verdict) && !left.has(row.row)) ?? [];
  const failure = checked.error ? problemOf(checked.error) : undefined;
  const places = chosen.map(({ row }) => row);

  async function add(event: FormEvent) {
    event.preventDefault();
    await send(
      async (key) => {
        const added = await reorder(order.id, places, key);
        await askForCart(cache);
        onAdded(added);
        return added;
      },
      [order.id, places],
    );
  }

  function choose(row: number, wanted: boolean) {
    const next = new Set(left);
    if (wanted) next.delete(row);
    else next.add(row);
    setLeft(next);
  }

  return (
    <Dialog title={t`Order ${number} again`} size="xl" busy={busy} onClose={onClose}>
      <form className={classes.form} onSubmit={add}>
        {rows ? null : <ProblemNote problem={failure} onRetry={() => void checked.refetch()} />}
        <DataTable
          label={t`Lines of the order`}
          rows={rows ?? (failure && [])}
          keyOf={({ row }) => row}
          columns={[
            {
              head: t`Product`,
              names: true,
              cell: ({ row, verdict, line, sku }) => (
                <Checkbox
                  label={line?.name ?? sku}
                  description={sku}
                  disabled={busy || !canBeAdded(verdict)}
                  checked={canBeAdded(verdict) && !left.has(row)}
                  onChange={(event) => choose(row, event.currentTarget.checked)}
                />
              ),
            },
            { head: t`Pieces`, as: "figure", cell: ({ quantity }) => quantity },
            {
              head: t`Price then`,
              as: "figure",
              cell: ({ line }) => (line ? dollars(i18n, line.unitPrice.net.amount) : "—"),
            },
            {
              head: t`Price now`,
              as: "figure",
              cell: ({ verdict, pricing }) =>
                pricing?.priceRange && canBeAdded(verdict)
                  ? dollars(i18n, pricing.priceRange.start.net.amount)
                  : i18n._(VERDICT_WORDS[verdict]),
            },
          ]}
        />
        <p role="status">
          {checked.isPending ? (
            <Trans>Loading</Trans>
          ) : rows ? (
            <Plural
              value={places.length}
              _0="No product is chosen."
              one="# product chosen"
              other="# products chosen"
            />
          ) : null}
        </p>
        <ProblemNote problem={problem} />
        <div className={classes.end}>
          <Button size="md" variant="default" disabled={busy} onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button size="md" type="submit" loading={busy} disabled={places.length === 0}>
            <Trans>Add to cart</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function canBeAdded(verdict: Reordered["rows"][number]["verdict"]): boolean {
  return verdict === "ready" || verdict === "merged";
}
