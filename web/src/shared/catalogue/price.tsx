import { Trans, useLingui } from "@lingui/react/macro";
import { useOpener } from "~/shared/ui/dialogs/opener";
import { fetchedDialog } from "~/shared/ui/fetched";
import { QuestionIcon } from "~/shared/ui/pictures/icons";
import classes from "./catalogue.module.css";
import { dollars } from "./money";
import type { Pricing } from "./types";

const PriceReason = fetchedDialog(() => import("./price-reason"));

/** What the caller pays, the list price where it is higher, and why. */
export function Price({ pricing, of }: { pricing: Pricing; of: string }) {
  const { i18n } = useLingui();
  const amount = pricing.priceRange?.start.net.amount;
  if (amount === undefined) {
    return (
      <p className={classes.price}>
        <Trans>No price yet</Trans>
      </p>
    );
  }
  const { msrp } = pricing;
  const isLower = msrp !== null && amount < msrp;
  return (
    <div className={classes.price}>
      <strong>{dollars(i18n, amount)}</strong>
      <WhyThisPrice pricing={pricing} of={of} />
      {isLower ? (
        <span className={classes.msrp}>
          <Trans>MSRP</Trans> <s>{dollars(i18n, msrp)}</s>
        </span>
      ) : null}
    </div>
  );
}

function WhyThisPrice({ pricing, of }: { pricing: Pricing; of: string }) {
  const { t } = useLingui();
  const { wanted, below, button } = useOpener("dialog");
  return (
    <>
      <button
        type="button"
        className={classes.why}
        aria-label={t`Why this price: ${of}`}
        {...button}
      >
        <QuestionIcon size={18} />
      </button>
      {wanted ? <PriceReason why={pricing.why} {...below} /> : null}
    </>
  );
}
