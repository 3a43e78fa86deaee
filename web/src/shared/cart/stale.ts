import { onLeft } from "~/shared/session/session";
import { storeOf } from "~/shared/store";
import type { Pieces } from "./waiting";

/** A cart that another one took the place of, and what was just to be put into it. */
export type StaleCart = { token: string; lines: readonly Pieces[] };

const stale = storeOf<StaleCart | undefined>(undefined);

export const useStaleCart = stale.use;
export const setStaleCart = stale.set;

onLeft(() => setStaleCart(undefined));
