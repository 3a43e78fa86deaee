import * as z from "zod/mini";
import { CONSTANTS } from "~/shared/constants";
import { storedList } from "~/shared/stored-list";
import { nameOf } from "../name";

const vehicles = storedList(
  "recent_vehicle_searches",
  z.object({ name: z.string(), value: z.string() }),
);

/** `name` is "year make model", `value` is "year,makeId,modelId" (devices spec 3). */
export type RecentVehicle = { name: string; value: string };

type Chosen = {
  year?: number;
  make_id?: number;
  make?: string;
  model_id?: number;
  model?: string;
};

/** A repeated one stays where it is; beyond five the oldest goes (rulings "Where the specs disagree"). */
export function remembered(
  held: readonly RecentVehicle[],
  next: RecentVehicle,
): readonly RecentVehicle[] {
  if (held.some(({ value }) => value === next.value)) return held;
  return [...held, next].slice(-CONSTANTS.recentVehicles);
}

/** An entry needs year and both ids and names; a placeholder without them is ignored (devices spec 5). */
export function entryOf({
  year,
  make_id,
  make,
  model_id,
  model,
}: Chosen): RecentVehicle | undefined {
  if (!(year && make_id && make && model_id && model)) return undefined;
  return { name: nameOf({ year, make, model }), value: `${year},${make_id},${model_id}` };
}

export function rememberVehicle(chosen: Chosen): void {
  const next = entryOf(chosen);
  if (next) vehicles.set(remembered(vehicles.get(), next));
}

export function recentVehicle(value: string): RecentVehicle | undefined {
  return vehicles.get().find((one) => one.value === value);
}

export const useRecentVehicles = vehicles.use;
