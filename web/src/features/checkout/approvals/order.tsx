import { Trans, useLingui } from "@lingui/react/macro";
import { paidBy } from "~/shared/payments/method-words";
import { Lines } from "../parts/lines";
import { Sums } from "../parts/sums";
import type { PlacementAnswer } from "../types";
import { usePlacement } from "../use-placement";
import { stateWords } from "../words";
import { ApprovalFrame } from "./frame";

/** One order as it was frozen, and the owner's answer. */
export function ApproveOrder({ first }: { first: PlacementAnswer }) {
  const { t, i18n } = useLingui();
  const run = usePlacement(first);
  const { view, ended } = run.answer;
  const words = stateWords(run.state);
  const waits = run.state === "waiting_for_approval" || run.state === "requoted";
  return (
    <ApprovalFrame
      run={run}
      title={<Trans>Order of {view.placed_by}</Trans>}
      tone={waits || !ended ? "wait" : "ok"}
      state={words ? i18n._(words) : run.state}
      requoted={
        <Trans>
          Prices or stock have changed since. {view.placed_by} is asked to agree first; then you are
          asked again.
        </Trans>
      }
      facts={<Facts view={view} />}
      promise={
        <Trans>
          With your approval the products are reserved, and the order is paid and placed at once.
        </Trans>
      }
      about={t`The order`}
    >
      <Lines lines={view.lines} />
      <Sums of={view} method={view.shipping_method} />
    </ApprovalFrame>
  );
}

function Facts({
  view: { payment, po_number, shipping_address: to },
}: Pick<PlacementAnswer, "view">) {
  const { i18n } = useLingui();
  return (
    <>
      <dt>
        <Trans>Payment</Trans>
      </dt>
      <dd>{paidBy(payment.shown, i18n)}</dd>
      {po_number ? (
        <>
          <dt>
            <Trans>PO number</Trans>
          </dt>
          <dd>{po_number}</dd>
        </>
      ) : null}
      <dt>
        <Trans>Ship to</Trans>
      </dt>
      <dd>
        {to.name}, {to.street}, {to.city} {to.country_area} {to.postal_code}
      </dd>
    </>
  );
}
