import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { ActionFor } from "./parts/product-card";
import { ProductGrid } from "./parts/product-grid";
import { purchasedQuery } from "./queries";
import classes from "./search-screen.module.css";

/** What the business bought in its last three orders; nothing where it bought nothing (shop spec 9). */
export function PreviouslyPurchased({ actionFor }: { actionFor?: ActionFor }) {
  const { t } = useLingui();
  const products = useQuery(purchasedQuery).data ?? [];
  if (products.length === 0) return null;
  return (
    <section aria-labelledby="previously-purchased" className={classes.page}>
      <h2 id="previously-purchased">
        <Trans>Previously purchased</Trans>
      </h2>
      <ProductGrid
        products={products}
        label={t`Previously purchased`}
        level={3}
        actionFor={actionFor}
      />
    </section>
  );
}
