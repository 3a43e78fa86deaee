import { useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { ActionFor } from "./parts/product-card";
import { ProductShelf } from "./parts/product-shelf";
import { purchasedQuery } from "./queries";

/** What the business bought in its last three orders; nothing where it bought nothing (shop spec 9). */
export function PreviouslyPurchased({ actionFor }: { actionFor?: ActionFor }) {
  const { t } = useLingui();
  const products = useQuery(purchasedQuery).data ?? [];
  return <ProductShelf title={t`Previously purchased`} products={products} actionFor={actionFor} />;
}
