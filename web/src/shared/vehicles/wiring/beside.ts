import { type ComponentType, createContext, useContext } from "react";
import type { Asked } from "~/shared/ui/fetched";
import type { VehicleKey } from "../address";

export type WiringBesideProps = { vehicle: VehicleKey; name: string; onClose: () => void };

type Beside = ComponentType<WiringBesideProps & Asked>;

/** What shows the wiring of a vehicle over another page; nothing where a page offers none. */
const WiringBesideContext = createContext<Beside | undefined>(undefined);

export const WiringBesideProvider = WiringBesideContext.Provider;

export function useWiringBeside(): Beside | undefined {
  return useContext(WiringBesideContext);
}
