import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { DataTable } from "~/shared/ui/lists/data-table";
import { SOURCE_NAMES } from "~/shared/vehicles/wiring/source-note";
import type { Recommended } from "../recommended";
import { Modules } from "./products";

/** SKUs that can be asked for at once. */
const MOST = 100;

type TrimProductsProps = {
  rows: readonly Recommended[];
  /** Ids of what stands on the page already; undefined until that is known. */
  shown: readonly string[] | undefined;
};

/**
 * What outside sources recommend for each trim, in their own numbers (devices spec 3). What the store sells of it stands
 * above, to be bought.
 */
export function TrimProducts({ rows, shown }: TrimProductsProps) {
  const { t } = useLingui();
  const title = useId();
  if (rows.length === 0) return null;
  const sold = new Map(
    rows.flatMap(({ product: { id, product_id } }) =>
      product_id && shown?.includes(product_id) === false ? [[product_id, id] as const] : [],
    ),
  );
  return (
    <section aria-labelledby={title}>
      <h2 id={title}>
        <Trans>Recommended by other sources</Trans>
      </h2>
      <Modules skus={[...sold.values()].slice(0, MOST)} nothing={null} />
      <DataTable
        label={t`Recommended by other sources`}
        rows={rows}
        keyOf={({ of, product }, place) => `${of.source} ${of.trim} ${product.id} ${place}`}
        columns={[
          {
            head: t`Product`,
            names: true,
            cell: ({ product }) =>
              product.product_id ? (
                <Link to="/product/{-$id}" params={{ id: product.product_id }}>
                  {product.name}
                </Link>
              ) : (
                product.name
              ),
          },
          { head: t`Number`, as: "code", cell: ({ product }) => product.id },
          { head: t`Source`, cell: ({ of }) => SOURCE_NAMES[of.source] },
          { head: t`Trim`, cell: ({ of }) => of.trim || t`All trims` },
        ]}
      />
    </section>
  );
}
