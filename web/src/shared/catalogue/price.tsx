import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Popover } from "@mantine/core";
import { useState } from "react";
import { QuestionIcon } from "~/shared/ui/icons";
import classes from "./catalogue.module.css";
import { dollars } from "./money";
import type { Pricing } from "./types";

const WORDS: Record<Pricing["why"]["rule"], MessageDescriptor> = {
  rep_for_business: msg`You see the price of the business that you work for.`,
  retired: msg`You see the discounted price.`,
  approved_brand: msg`Your business is approved for this brand.`,
  msrp: msg`This is the list price (MSRP): your business has no discount for this brand.`,
};

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

/** The rule and the list behind a figure. */
function WhyThisPrice({ pricing, of }: { pricing: Pricing; of: string }) {
  const { t, i18n } = useLingui();
  const { why } = pricing;
  const [open, setOpen] = useState(false);
  const until = why.endsAt ? i18n.date(why.endsAt, { dateStyle: "medium" }) : undefined;
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-start"
      width={280}
      shadow="md"
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.why}
          aria-label={t`Why this price: ${of}`}
          onClick={() => setOpen(!open)}
          onKeyDown={({ key }) => key === "Escape" && setOpen(false)}
        >
          <QuestionIcon size={18} />
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <p className={classes.reason}>{i18n._(WORDS[why.rule])}</p>
        <p className={classes.reason}>
          <Trans>Price list: {why.listName}</Trans>
          {until ? (
            <>
              {" "}
              <Trans>(until {until})</Trans>
            </>
          ) : null}
        </p>
      </Popover.Dropdown>
    </Popover>
  );
}
