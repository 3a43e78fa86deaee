import { Skeleton } from "@mantine/core";
import type { ProductSummary } from "~/shared/catalogue/types";
import { FitProvider } from "~/shared/fit/fit";
import { type ActionFor, ProductCard } from "./product-card";
import classes from "./product-grid.module.css";

type ProductGridProps = {
  products: readonly ProductSummary[];
  label: string;
  level?: 2 | 3;
  busy?: boolean;
  /** What is to be said of one, beneath its price. */
  told?: ActionFor;
  actionFor?: ActionFor;
};

export function ProductGrid(props: ProductGridProps) {
  const { products, label, level = 2, busy, told, actionFor } = props;
  return (
    <FitProvider productIds={products.map(({ id }) => id)}>
      <ul className={classes.grid} aria-label={label} aria-busy={busy}>
        {products.map((product) => (
          <ProductCard
            key={product.id}
            product={product}
            level={level}
            told={told?.(product)}
            actionFor={actionFor}
          />
        ))}
      </ul>
    </FitProvider>
  );
}

/** The shape of products to come. */
export function ProductGridSkeleton({ count = 8 }: { count?: number }) {
  return (
    <div className={classes.grid} aria-hidden="true">
      {Array.from({ length: Math.min(count, 8) }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shapes without content
        <Skeleton key={place} height={340} radius="lg" />
      ))}
    </div>
  );
}
