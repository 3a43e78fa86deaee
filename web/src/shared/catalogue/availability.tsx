import { Trans, useLingui } from "@lingui/react/macro";
import { Status } from "~/shared/ui/notes/status";
import type { ProductSummary } from "./types";

type AvailabilityProps = {
  availability: ProductSummary["availability"];
  restockOn: string | null;
  /** Pieces, for whoever is told. */
  onHand?: number | null;
};

/** What can be had, in words, with the figure where it is told. */
export function Availability({ availability, restockOn, onHand }: AvailabilityProps) {
  const { i18n } = useLingui();
  switch (availability) {
    case "in_stock":
      return (
        <Status tone="ok">
          {onHand ? <Trans>{onHand} in stock</Trans> : <Trans>In stock</Trans>}
        </Status>
      );
    case "low":
      return (
        <Status tone="ok">
          {onHand ? <Trans>Only {onHand} left</Trans> : <Trans>Only a few left</Trans>}
        </Status>
      );
    case "backorder": {
      const day = restockOn ? i18n.date(`${restockOn}T12:00:00`, { dateStyle: "medium" }) : "";
      return (
        <Status tone="wait">
          {day ? <Trans>On backorder, expected {day}</Trans> : <Trans>On backorder</Trans>}
        </Status>
      );
    }
    case "not_for_sale":
      return (
        <Status tone="fail">
          <Trans>Not for sale</Trans>
        </Status>
      );
  }
}
