import { storedList } from "~/shared/stored-list";
import { having, text } from "~/shared/stored-shape";
import { type VehicleKey, vehicleOf } from "./address";
import type { RecentVehicle } from "./recent";

const held = storedList("chosen_vehicle", having<RecentVehicle>({ name: text, value: text }));

/** The vehicle that products are looked at for, until another one is found or it is cleared. */
export type ChosenVehicle = { name: string; key: VehicleKey };

export function chooseVehicle(vehicle: RecentVehicle): void {
  held.set([vehicle]);
}

export function clearVehicle(): void {
  held.set([]);
}

export function useChosenVehicle(): ChosenVehicle | undefined {
  const [first] = held.use();
  const key = vehicleOf(first?.value);
  return first && key ? { name: first.name, key } : undefined;
}
