import { Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import { PurchaseLines } from "~/shared/plans/purchase/purchase-lines";
import { PurchaseTotals } from "~/shared/plans/purchase/totals";
import { usePurchase } from "~/shared/plans/purchase/use-purchase";
import type { PurchaseAnswer } from "~/shared/plans/types";
import { PURCHASE_WORDS } from "~/shared/plans/words";
import { ApprovalFrame } from "./frame";

/** One purchase of plans as its buyer agreed to it, and the owner's answer. */
export function ApprovePurchase({ first }: { first: PurchaseAnswer }) {
  const { t, i18n } = useLingui();
  const run = usePurchase(first);
  const { view } = run.answer;
  const known = PURCHASE_WORDS[run.state];
  return (
    <ApprovalFrame
      run={run}
      title={<Trans>Purchase of {view.placed_by}</Trans>}
      tone={known?.tone ?? "wait"}
      state={known ? i18n._(known.words) : run.state}
      requoted={
        <Trans>
          Prices have changed since. {view.placed_by} is asked to agree first; then you are asked
          again.
        </Trans>
      }
      facts={<Facts view={view} />}
      promise={
        <Trans>
          With your approval the prices are checked once more, the plans are paid and set up at
          once.
        </Trans>
      }
      about={t`The plans`}
    >
      <PurchaseLines lines={view.lines} />
      <PurchaseTotals of={view} />
    </ApprovalFrame>
  );
}

function Facts({ view: { approval, agreed_charge, final_charge } }: Pick<PurchaseAnswer, "view">) {
  const { i18n } = useLingui();
  if (!approval) return null;
  return (
    <>
      <dt>
        <Trans>Needs your approval above</Trans>
      </dt>
      <dd>{dollars(i18n, approval.above)}</dd>
      {agreed_charge === null || agreed_charge === final_charge ? null : (
        <>
          <dt>
            <Trans>Total before</Trans>
          </dt>
          <dd>{dollars(i18n, agreed_charge)}</dd>
        </>
      )}
    </>
  );
}
