import { queryOptions } from "@tanstack/react-query";
import { asking } from "~/shared/api/operation";
import type { VehicleKey } from "./address";

export function makesQuery(year: number | undefined) {
  return queryOptions({
    ...asking("post", "/api/year-make-model", { body: { year: year ?? 0 } }),
    enabled: year !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function modelsQuery(year: number | undefined, makeId: number | undefined) {
  return queryOptions({
    ...asking("post", "/api/year-make-model", { body: { year: year ?? 0, makeId: makeId ?? 0 } }),
    enabled: year !== undefined && makeId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Our own reference of a vehicle; null when we have nothing of it. */
export function internalWiringQuery({ year, makeId, modelId }: VehicleKey) {
  return queryOptions({
    ...asking("post", "/api/internal-vehicle-wiring", { body: { year, makeId, modelId } }),
  });
}

/** What outside sources say; null when they know nothing of the vehicle. */
export function externalWiringQuery({ year, makeId, modelId }: VehicleKey) {
  return queryOptions({
    ...asking("post", "/api/external-vehicle-wiring", { body: { year, makeId, modelId } }),
  });
}
