import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { problemOf } from "~/shared/api/errors";
import { PurchasePanel } from "~/shared/plans/purchase/purchase-panel";
import { usePurchase } from "~/shared/plans/purchase/use-purchase";
import { purchaseQuery } from "~/shared/plans/queries";
import type { Payer, PurchaseAnswer } from "~/shared/plans/types";
import { ProblemNote } from "~/shared/ui/notes/note";

const NOT_FOUND = 404;

type PlanUnderWayProps = {
  id: string;
  /** Stands in its place where it is another business's. */
  otherwise: ReactNode;
  /** Pays through the activation, which then waits for the purchase. */
  onPay?: (payer: Payer, reason: string) => void;
  paying?: boolean;
  /** Chooses again. */
  onFresh?: () => void;
};

/** The purchase of this device's plan, wherever it stands. */
export function PlanUnderWay({ id, otherwise, ...rest }: PlanUnderWayProps) {
  const found = useQuery(purchaseQuery(id));
  if (found.isError && !found.data) {
    const problem = problemOf(found.error);
    if (problem.status === NOT_FOUND) return otherwise;
    return <ProblemNote problem={problem} onRetry={() => void found.refetch()} />;
  }
  if (!found.data) return <Skeleton height={240} radius="lg" />;
  return <Followed first={found.data} {...rest} />;
}

type FollowedProps = Omit<PlanUnderWayProps, "id" | "otherwise"> & { first: PurchaseAnswer };

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
