import { storeOf } from "~/shared/store";

const asked = storeOf(false);

/** Opens the choice of a business, from wherever one is needed. */
export function askForBusiness(wanted = true): void {
  asked.set(wanted);
}

export const useAskedForBusiness = asked.use;
