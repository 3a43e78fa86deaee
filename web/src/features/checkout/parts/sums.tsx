import { Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import { DemoTaxes, type Figures, Totals } from "~/shared/ui/lists/totals";
import classes from "../checkout.module.css";

type Quoted = Pick<Figures, "subtotal" | "discount" | "taxes" | "total"> & {
  freight: number;
  coupon?: { code: string; amount: number } | null;
};

/** What an order comes to. Its subtotal has the discount in it. */
export function Sums({ of, method }: { of: Quoted; method: string | undefined }) {
  const { i18n } = useLingui();
  const { subtotal, discount, coupon, freight, taxes, total } = of;
  return (
    <>
      <div className={classes.sums}>
        <Totals
          of={{
            subtotal,
            coupon: coupon ?? undefined,
            shipping: { method, amount: freight },
            taxes,
            total,
          }}
        />
      </div>
      {discount ? (
        <p className={classes.soft}>
          <Trans>You save {dollars(i18n, discount)} on the list prices.</Trans>
        </p>
      ) : null}
      <DemoTaxes />
    </>
  );
}
