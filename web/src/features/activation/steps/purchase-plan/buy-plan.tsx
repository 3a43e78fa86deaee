import { Trans } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { quotePlans } from "~/shared/plans/calls";
import { PlanTermSelector } from "~/shared/plans/choice/plan-term-selector";
import { PlanTypeSelector } from "~/shared/plans/choice/plan-type-selector";
import { upgradesQuery } from "~/shared/plans/queries";
import { offerOf } from "~/shared/plans/types";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { useDraft } from "../../draft";
import type { Run } from "../../session-hook";
import classes from "./buy-plan.module.css";
import { PlanUnderWay } from "./plan-under-way";

type Chosen = { type: string; plan: string; quote: string };

const NOTHING: Chosen = { type: "", plan: "", quote: "" };

/** Which plan, for how long, at what price; paying it sends the activation on to wait for it. */
export function BuyPlan({ run }: { run: Run }) {
  const { view } = run.answer;
  const deviceKey = view.device?.device_key ?? "";
  const draft = useDraft<Chosen>(view.id, "purchase-plan");
  const [chosen, setChosen] = useState(draft.held ?? NOTHING);
  const change = (more: Partial<Chosen>) => {
    const next = { ...chosen, ...more };
    setChosen(next);
    draft.keep(next);
  };
  const choice = <Choice deviceKey={deviceKey} chosen={chosen} change={change} />;

  if (chosen.quote)
    return (
      <PlanUnderWay
        key={chosen.quote}
        id={chosen.quote}
        otherwise={choice}
        paying={run.sent !== undefined}
        onFresh={() => change({ quote: "" })}
        onPay={(payer, reason) =>
          run.ask({
            type: "BUY_PLAN",
            plan_id: chosen.plan,
            quote_uuid: chosen.quote,
            payer,
            reason,
          })
        }
      />
    );
  return choice;
}

type ChoiceProps = {
  deviceKey: string;
  chosen: Chosen;
  change: (more: Partial<Chosen>) => void;
};

function Choice({ deviceKey, chosen, change }: ChoiceProps) {
  const found = useQuery(upgradesQuery(deviceKey));
  const { busy, problem, send } = useSend();
  const price = async () =>
    change({ quote: await quotePlans([{ device_key: deviceKey, plan_id: chosen.plan }]) });
  const failure = found.isError ? (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  ) : null;
  if (isLost(found)) return failure;
  if (!found.data) return <Skeleton height={240} radius="lg" />;
  const offers = found.data.results.map(offerOf);
  const offer = offers.find(({ slug }) => slug === chosen.type);
  const planId = offer?.terms.find(({ id }) => id === chosen.plan)?.id;
  return (
    <div className={classes.choice}>
      {failure}
      <h2>
        <Trans>Which plan?</Trans>
      </h2>
      <PlanTypeSelector
        plans={offers}
        value={offer?.slug}
        present={found.data.present?.plan_slug}
        disabled={busy}
        onChange={(type) => change({ type, plan: "" })}
      />
      {offer ? (
        <>
          <h2>
            <Trans>For how long?</Trans>
          </h2>
          <PlanTermSelector
            plan={offer}
            value={planId}
            disabled={busy}
            onChange={(plan) => change({ plan })}
          />
        </>
      ) : null}
      <ProblemNote problem={problem} />
      <Button
        size="lg"
        className={classes.on}
        disabled={!planId}
        loading={busy}
        onClick={() => void send(price)}
      >
        <Trans>Work out the price</Trans>
      </Button>
    </div>
  );
}
