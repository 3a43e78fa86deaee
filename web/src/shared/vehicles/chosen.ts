import * as z from "zod/mini";
import { storedList } from "~/shared/stored-list";
import { type VehicleKey, vehicleOf } from "./address";
import type { RecentVehicle } from "./search/recent";

const held = storedList("chosen_vehicle", z.object({ name: z.string(), value: z.string() }));

/** The vehicle that products are looked at for, until another one is found or it is cleared. */
export type ChosenVehicle = { name: string; key: VehicleKey };

export function chooseVehicle(vehicle: RecentVehicle): void {
  held.set([vehicle]);
}

export function clearVehicle(): void {
  held.set([]);
}

/** Takes it away for as long as another one is looked for, and gives it back where none is found. */
export function vehicleAside() {
  let former: RecentVehicle | undefined;
  return {
    clear(): void {
      const [present] = held.get();
      if (!present) return;
      former = present;
      clearVehicle();
    },
    bringBack(): void {
      if (former) chooseVehicle(former);
      former = undefined;
    },
    /** What was taken away is not wanted any more, unless it is the one that was found. */
    drop(found?: string): void {
      if (former && former.value === found) chooseVehicle(former);
      former = undefined;
    },
  };
}

export function useChosenVehicle(): ChosenVehicle | undefined {
  const [first] = held.use();
  const key = vehicleOf(first?.value);
  return first && key ? { name: first.name, key } : undefined;
}
