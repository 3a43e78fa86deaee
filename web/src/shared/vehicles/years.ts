import { CONSTANTS } from "~/shared/constants";

/** Next year, as the server counts it. */
function newestYear(): number {
  return new Date().getUTCFullYear() + 1;
}

export function isListedYear(year: number): boolean {
  return year >= CONSTANTS.firstVehicleYear && year <= newestYear();
}

/** From next year down to the first one (devices spec 9). */
export function years(): { value: string; label: string }[] {
  const newest = newestYear();
  return Array.from({ length: newest - CONSTANTS.firstVehicleYear + 1 }, (_, at) => {
    const year = String(newest - at);
    return { value: year, label: year };
  });
}
