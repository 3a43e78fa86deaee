import { CONSTANTS } from "~/shared/constants";

/** How many slides a swipe turns: one against its direction, none when it is 30 px or shorter. */
export function swiped(from: number, to: number): -1 | 0 | 1 {
  if (Math.abs(to - from) <= CONSTANTS.swipeDistance) return 0;
  return to < from ? 1 : -1;
}
