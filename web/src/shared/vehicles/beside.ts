import { type ComponentType, createContext, useContext } from "react";
import type { VehicleKey } from "./address";

export type WiringBesideProps = { vehicle: VehicleKey; name: string; onClose: () => void };

/** What shows the wiring of a vehicle over another page; nothing where a page offers none. */
const WiringBesideContext = createContext<ComponentType<WiringBesideProps> | undefined>(undefined);

export const WiringBesideProvider = WiringBesideContext.Provider;

export function useWiringBeside(): ComponentType<WiringBesideProps> | undefined {
  return useContext(WiringBesideContext);
}
