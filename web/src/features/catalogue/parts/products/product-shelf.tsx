import { useId } from "react";
import type { ProductSummary } from "~/shared/catalogue/types";
import classes from "../../search-screen.module.css";
import type { ActionFor } from "./product-card";
import { ProductGrid } from "./product-grid";

/** Products below a title of their own; nothing where there are none. */
export function ProductShelf({
  title,
  products,
  told,
  actionFor,
}: {
  title: string;
  products: readonly ProductSummary[];
  told?: ActionFor;
  actionFor?: ActionFor | undefined;
}) {
  const id = useId();
  if (products.length === 0) return null;
  return (
    <section aria-labelledby={id} className={classes.page}>
      <h2 id={id}>{title}</h2>
      <ProductGrid products={products} label={title} level={3} told={told} actionFor={actionFor} />
    </section>
  );
}
