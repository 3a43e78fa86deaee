import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { PURCHASE_WORDS, TERM_WORDS } from "~/shared/plans/words";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { outcomeQuery } from "../../queries";

/** Somebody else pays for the plan: who, which plan, and how far it is. */
export function PaidByOther({ id }: { id: string }) {
  const { i18n } = useLingui();
  const found = useQuery(outcomeQuery(id));
  const failure = found.isError ? (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  ) : null;
  if (isLost(found)) return failure;
  if (!found.data) return <Skeleton height={120} radius="lg" />;
  const { plan } = found.data;
  if (!plan) return failure;
  const known = PURCHASE_WORDS[plan.state];
  return (
    <>
      {failure}
      <p>
        <Trans>
          {plan.paid_by} pays for the plan of this device: {plan.plan_name}
        </Trans>
        {plan.term ? `, ${i18n._(TERM_WORDS[plan.term])}` : null}
      </p>
      <p aria-live="polite">
        <Status tone={known?.tone ?? "wait"}>{known ? i18n._(known.words) : plan.state}</Status>
      </p>
      <p>
        <Trans>This step goes on by itself once the plan is there.</Trans>
      </p>
    </>
  );
}
