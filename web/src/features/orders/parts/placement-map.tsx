import { useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { FlowMap } from "~/shared/flow/map/flow-map";
import { asItStands } from "~/shared/flow/use-flow";
import { PLACEMENT, PLACEMENT_STAGES } from "~/shared/placements/flow";
import { placementQuery } from "../queries";

/** How far the placing of an order is, while that goes on. */
export function PlacementMap({ token }: { token: string }) {
  const { t } = useLingui();
  const run = useQuery(placementQuery(token));
  if (!run.data || run.data.ended) return null;
  return (
    <FlowMap
      flow={asItStands(run.data, PLACEMENT)}
      stages={PLACEMENT_STAGES}
      label={t`How far your order is placed`}
    />
  );
}
