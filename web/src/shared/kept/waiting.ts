import { storeOf } from "~/shared/store";

/** How many forms wait for a signal on this device, told by what keeps them; nothing of theirs is needed to show it. */
const waiting = storeOf(0);

export const useWaiting = waiting.use;
export const tellWaiting = waiting.set;
