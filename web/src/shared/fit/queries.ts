import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";
import type { VehicleKey } from "~/shared/vehicles/address";

export type Fit = Schemas["FitOut"];

const MOST = 100;

/** Whether these products fit a vehicle, all in one call. */
export function fitQuery({ year, makeId, modelId }: VehicleKey, productIds: readonly string[]) {
  const asked = [...new Set(productIds)].slice(0, MOST);
  return queryOptions({
    ...asking("post", "/v1/vehicle-fit", { body: { year, makeId, modelId, productIds: asked } }),
    staleTime: 300_000,
  });
}
