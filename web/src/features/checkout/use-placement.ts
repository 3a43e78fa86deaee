import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useRun } from "~/shared/flow/use-run";
import { type PlacementWish, tellPlacement } from "./calls";
import { chartOf } from "./chart";
import { keepPlacement, placementQuery } from "./queries";
import type { PlacementAnswer } from "./types";

/** One placement on screen. What it becomes is kept for the page that comes after. */
export function usePlacement(first: PlacementAnswer) {
  const cache = useQueryClient();
  const { token } = first.view;
  const run = useRun(first, {
    topic: `placement:${token}`,
    chartOf,
    tell: (wish: PlacementWish, key) => tellPlacement(token, wish, key),
    read: () => cache.fetchQuery(placementQuery(token)),
  });
  const { answer } = run;
  useEffect(() => keepPlacement(cache, answer), [cache, answer]);
  return run;
}

export type PlacementRun = ReturnType<typeof usePlacement>;
