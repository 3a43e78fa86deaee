import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { Availability } from "~/shared/catalogue/availability";
import { dollars } from "~/shared/catalogue/money";
import type { ProductSummary } from "~/shared/catalogue/types";
import { FitProvider, FitWord } from "~/shared/fit/fit";
import { useSession } from "~/shared/session/session";
import { type Column, DataTable } from "~/shared/ui/lists/data-table";
import { useChosenVehicle } from "~/shared/vehicles/chosen";
import type { ActionFor } from "./product-card";
import classes from "./product-rows.module.css";

type ProductRowsProps = {
  products: readonly ProductSummary[] | undefined;
  /** As many as a page has. */
  count: number;
  label: string;
  busy?: boolean;
  actionFor?: ActionFor;
};

/** The dense list: one row for each product, to be gone through by the keyboard. */
export function ProductRows({ products, count, label, busy, actionFor }: ProductRowsProps) {
  const { t, i18n } = useLingui();
  const signedIn = useSession().state === "signed-in";
  const forVehicle = useChosenVehicle() !== undefined && signedIn;
  const columns: Column<ProductSummary>[] = [
    { head: t`SKU`, cell: ({ sku }) => sku, as: "code" },
    {
      head: t`Product`,
      names: true,
      cell: ({ id, name }) => (
        <Link to="/product/{-$id}" params={{ id }}>
          {name}
        </Link>
      ),
    },
    {
      head: t`Stock`,
      cell: ({ availability, restockOn, onHand }) => (
        <Availability availability={availability} onHand={onHand} restockOn={restockOn} />
      ),
    },
    ...(forVehicle
      ? [{ head: t`Fit`, cell: ({ id }: ProductSummary) => <FitWord productId={id} /> }]
      : []),
    {
      head: t`Price`,
      as: "figure",
      cell: ({ pricing }) => {
        const amount = pricing.priceRange?.start.net.amount;
        return amount === undefined ? <Trans>No price yet</Trans> : dollars(i18n, amount);
      },
    },
    ...(actionFor
      ? [
          {
            head: t`Quantity`,
            as: "controls" as const,
            cell: (product: ProductSummary) => actionFor(product),
          },
        ]
      : []),
  ];
  return (
    <FitProvider productIds={(products ?? []).map(({ id }) => id)}>
      <div className={classes.rows}>
        <DataTable
          label={label}
          columns={columns}
          rows={products}
          toCome={count}
          keyOf={({ id }) => id}
          busy={busy}
        />
      </div>
    </FitProvider>
  );
}
