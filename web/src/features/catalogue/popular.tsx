import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { ActionFor } from "./parts/product-card";
import { ProductGrid } from "./parts/product-grid";
import { popularQuery } from "./queries";
import classes from "./search-screen.module.css";

/** What sells best, where nothing of what was looked for is there; nothing while it is not known. */
export default function Popular({ actionFor }: { actionFor?: ActionFor | undefined }) {
  const { t } = useLingui();
  const products = useQuery(popularQuery).data ?? [];
  if (products.length === 0) return null;
  return (
    <section aria-labelledby="popular" className={classes.page}>
      <h2 id="popular">
        <Trans>Popular products</Trans>
      </h2>
      <ProductGrid
        products={products}
        label={t`Popular products`}
        level={3}
        actionFor={actionFor}
      />
    </section>
  );
}
