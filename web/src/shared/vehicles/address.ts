import { isListedYear } from "./years";

/** A vehicle as addresses and the history write it: `year,makeId,modelId` (devices spec 3). */
export type VehicleKey = { year: number; makeId: number; modelId: number };

export class MissingVehicleDetails extends Error {}

/** Throws MissingVehicleDetails for a value of fewer than three parts, or of parts that are none (devices spec 5). */
export function vehicleIn(value: string): VehicleKey {
  const [year = 0, makeId = 0, modelId = 0] = value.split(",").map(Number);
  const known = isListedYear(year) && isId(makeId) && isId(modelId);
  if (!known) throw new MissingVehicleDetails();
  return { year, makeId, modelId };
}

export function vehicleValue({ year, makeId, modelId }: VehicleKey): string {
  return `${year},${makeId},${modelId}`;
}

/** The same, and nothing for a value that names no vehicle. */
export function vehicleOf(value: string | undefined): VehicleKey | undefined {
  try {
    return value === undefined ? undefined : vehicleIn(value);
  } catch {
    return undefined;
  }
}

function isId(number: number): boolean {
  return Number.isSafeInteger(number) && number > 0 && number < 2 ** 31;
}
