import type { QueryClient } from "@tanstack/react-query";
import { ahead } from "~/shared/api/ahead";
import { vehicleOf } from "../address";
import { externalWiringQuery, internalWiringQuery, makesQuery, modelsQuery } from "../queries";

/** Begins what the pages on a vehicle's wiring ask for: its wiring, and the lists that name it. */
export function vehicleAhead(cache: QueryClient, value: string | undefined): void {
  const key = vehicleOf(value);
  if (!key) return;
  const { year, makeId } = key;
  ahead(
    cache,
    internalWiringQuery(key),
    externalWiringQuery(key),
    makesQuery(year),
    modelsQuery(year, makeId),
  );
}
