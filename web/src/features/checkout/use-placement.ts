import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Flow, useFlow } from "~/shared/flow/use-flow";
import { PLACEMENT, type PlacementCommand } from "~/shared/placements/flow";
import { sendPlacementCommand } from "./calls";
import { keepPlacement, placementQuery } from "./queries";
import type { PlacementAnswer } from "./types";

/** One placement on screen. What it becomes is kept for the page that comes after. */
export function usePlacement(first: PlacementAnswer): PlacementRun {
  const cache = useQueryClient();
  const { token } = first.view;
  const run = useFlow(first, {
    topic: `placement:${token}`,
    kind: PLACEMENT,
    send: (command, key) => sendPlacementCommand(token, command, key),
    read: () => cache.fetchQuery({ ...placementQuery(token), staleTime: 0 }),
  });
  const { answer } = run;
  useEffect(() => keepPlacement(cache, answer), [cache, answer]);
  return run;
}

export type PlacementRun = Flow<PlacementAnswer, PlacementCommand>;
