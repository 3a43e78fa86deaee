import { Plural } from "@lingui/react/macro";

/** How many products there are, and in what their prices are told. */
export function Counted({ total }: { total: number }) {
  return (
    <Plural
      value={total}
      one="# product, price in US dollars"
      other="# products, prices in US dollars"
    />
  );
}
