import { Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import { placeIn } from "~/shared/flow/map/places";
import type { Flow } from "~/shared/flow/use-flow";
import { PLACEMENT_STAGES } from "~/shared/placements/flow";
import { useSession, workOf } from "~/shared/session/session";
import { TaskPlace } from "~/shared/ui/screens/task-bar";

type AtProps = {
  total: number | undefined;
  /** The order on its way; without it everything is still being chosen. */
  flow?: Pick<Flow, "position" | "state" | "presumed" | "answer">;
};

/** In the bar: for whom, what it comes to, and how far it is. Choosing is the step before those of the order's way. */
export function At({ total, flow }: AtProps) {
  const { i18n } = useLingui();
  const business = workOf(useSession())?.business;
  const place = flow
    ? 1 + placeIn(PLACEMENT_STAGES, { ...flow, before: flow.answer.moved?.from_state })
    : 1;
  return (
    <TaskPlace
      what={<b>{business?.company_name ?? <Trans>Your order</Trans>}</b>}
      more={total === undefined ? undefined : dollars(i18n, total)}
      place={place}
      total={1 + PLACEMENT_STAGES.length}
    />
  );
}
