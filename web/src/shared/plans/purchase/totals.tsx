import { useLingui } from "@lingui/react/macro";
import { DemoTaxes, Totals } from "~/shared/ui/lists/totals";
import type { Sums } from "../types";

/** What a purchase adds up to (shop spec 3, "Purchase totals"), each tax by its name. */
export function PurchaseTotals({ of }: { of: Sums }) {
  const { t } = useLingui();
  return (
    <>
      <Totals
        of={{
          subtotal: of.base_amount,
          discount: of.currency_discount,
          taxes: of.taxes.length > 0 ? of.taxes : [{ name: t`Tax`, amount: of.base_tax }],
          total: of.final_charge,
          refunded: of.refunded,
        }}
      />
      <DemoTaxes />
    </>
  );
}
