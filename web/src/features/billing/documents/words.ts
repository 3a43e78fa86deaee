import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Sort } from "./address";

export const SORT_WORDS: Record<Sort, MessageDescriptor> = {
  "date-desc": msg`Newest first`,
  "date-asc": msg`Oldest first`,
  "due-asc": msg`Due soonest first`,
  "due-desc": msg`Due latest first`,
  "total-desc": msg`Total, high to low`,
  "total-asc": msg`Total, low to high`,
};
