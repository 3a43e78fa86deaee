import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { PurchasePanel } from "~/shared/plans/purchase-panel";
import { purchaseQuery } from "~/shared/plans/queries";
import type { Payer, PurchaseAnswer } from "~/shared/plans/types";
import { usePurchase } from "~/shared/plans/use-purchase";
import { ProblemNote } from "~/shared/ui/note";

type PlanUnderWayProps = {
  id: string;
  /** Pays through the activation, which then waits for the purchase. */
  onPay?: (payer: Payer, reason: string) => void;
  paying?: boolean;
  /** Chooses again. */
  onFresh?: () => void;
};

/** The purchase of this device's plan, wherever it stands. */
export function PlanUnderWay({ id, ...rest }: PlanUnderWayProps) {
  const found = useQuery(purchaseQuery(id));
  if (found.isError && !found.data)
    return <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton height={240} radius="lg" />;
  return <Followed first={found.data} {...rest} />;
}

type FollowedProps = Omit<PlanUnderWayProps, "id"> & { first: PurchaseAnswer };

function Followed({ first, onPay, paying = false, onFresh }: FollowedProps) {
  const run = usePurchase(first);
  return (
    <PurchasePanel
      run={run}
      stacked
      onPay={onPay}
      freshening={paying}
      onFresh={() => onFresh?.()}
    />
  );
}
