import { storeOf } from "~/shared/store";
import type { Asked } from "~/shared/ui/fetched";
import { onLeft } from "./session";

const asked = storeOf<Asked | undefined>(undefined);

/** Opens the choice of a business, from wherever one is needed; for what was pressed, if something was. */
export function askForBusiness(pressed?: HTMLElement | null): void {
  asked.set({ button: pressed && { current: pressed } });
}

export const closeBusiness = () => asked.set(undefined);

export const useAskedForBusiness = asked.use;

onLeft(closeBusiness);
