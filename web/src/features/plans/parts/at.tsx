import { Plural, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import { placeIn } from "~/shared/flow/map/places";
import type { Flow } from "~/shared/flow/use-flow";
import { PURCHASE_STAGES } from "~/shared/plans/purchase/flow";
import type { PurchaseAnswer } from "~/shared/plans/types";
import { TaskPlace } from "~/shared/ui/screens/task-bar";

type AtProps = { flow: Pick<Flow<PurchaseAnswer>, "position" | "state" | "presumed" | "answer"> };

/** In the bar: plans for how many devices, what they come to, and how far the purchase is. */
export function At({ flow }: AtProps) {
  const { i18n } = useLingui();
  const { view, moved } = flow.answer;
  const lines = view.lines.filter(({ status }) => status !== "refused").length;
  return (
    <TaskPlace
      what={
        <b>
          <Plural value={lines} one="# plan" other="# plans" />
        </b>
      }
      more={dollars(i18n, view.final_charge)}
      place={placeIn(PURCHASE_STAGES, { ...flow, before: moved?.from_state })}
      total={PURCHASE_STAGES.length}
    />
  );
}
