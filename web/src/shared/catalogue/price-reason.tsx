import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Popover } from "@mantine/core";
import { Standing, useBelow } from "~/shared/ui/dialogs/below";
import type { Below } from "~/shared/ui/dialogs/opener";
import classes from "./catalogue.module.css";
import type { Pricing } from "./types";

const WORDS: Record<Pricing["why"]["rule"], MessageDescriptor> = {
  rep_for_business: msg`You see the price of the business that you work for.`,
  retired: msg`You see the discounted price.`,
  approved_brand: msg`Your business is approved for this brand.`,
  msrp: msg`This is the list price (MSRP): your business has no discount for this brand.`,
};

/** The rule and the list behind a figure. */
export default function PriceReason({ why, ...below }: Below & { why: Pricing["why"] }) {
  const { i18n } = useLingui();
  const until = why.endsAt ? i18n.date(why.endsAt, { dateStyle: "medium" }) : undefined;
  return (
    <Popover
      {...useBelow(below)}
      position="bottom-start"
      width={280}
      shadow="md"
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Standing button={below.button} />
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
