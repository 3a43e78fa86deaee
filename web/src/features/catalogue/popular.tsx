import { useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { ActionFor } from "./parts/products/product-card";
import { ProductShelf } from "./parts/products/product-shelf";
import { popularQuery } from "./queries";

/** What sells best, where nothing of what was looked for is there; nothing while it is not known. */
export default function Popular({ actionFor }: { actionFor?: ActionFor | undefined }) {
  const { t } = useLingui();
  const products = useQuery(popularQuery).data ?? [];
  return <ProductShelf title={t`Popular products`} products={products} actionFor={actionFor} />;
}
