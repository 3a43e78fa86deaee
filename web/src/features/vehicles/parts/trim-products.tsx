import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { DataTable } from "~/shared/ui/data-table";
import { SOURCE_NAMES } from "~/shared/vehicles/source-note";
import type { Recommended } from "../recommended";

/** What outside sources recommend for each trim, in their own numbers (devices spec 3). What the store sells leads there. */
export function TrimProducts({ rows }: { rows: readonly Recommended[] }) {
  const { t } = useLingui();
  const title = useId();
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={title}>
      <h2 id={title}>
        <Trans>Recommended by other sources</Trans>
      </h2>
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
