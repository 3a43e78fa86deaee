import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { dollars } from "~/shared/catalogue/money";
import type { ActionFor } from "./parts/products/product-card";
import { ProductShelf } from "./parts/products/product-shelf";
import { lastBoughtQuery, purchasedQuery } from "./queries";

/**
 * What the business bought in its last three orders, and how the last time; nothing where it bought nothing (shop spec 9).
 */
export function PreviouslyPurchased({ actionFor }: { actionFor?: ActionFor }) {
  const { t, i18n } = useLingui();
  const products = useQuery(purchasedQuery).data ?? [];
  const bought = useQuery(lastBoughtQuery).data ?? [];

  const told: ActionFor = ({ id }) => {
    const last = bought.find(({ productId }) => productId === id);
    if (!last) return null;
    const price = dollars(i18n, last.unitPrice.net.amount);
    const day = i18n.date(last.boughtAt, { dateStyle: "medium" });
    return (
      <Trans>
        Last bought on {day}: <Plural value={last.quantity} one="# piece" other="# pieces" />,{" "}
        {price} each
      </Trans>
    );
  };

  return (
    <ProductShelf
      title={t`Previously purchased`}
      products={products}
      told={told}
      actionFor={actionFor}
    />
  );
}
