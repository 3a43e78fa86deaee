import type { BoardFilters } from "./queries";

/** The filters of an address; what cannot be one is left out. */
export function filtersOf(search: Record<string, unknown>): BoardFilters {
  return {
    owner: nameOf(search.owner),
    product: nameOf(search.product),
    step: nameOf(search.step),
  };
}

function nameOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w-]{1,60}$/.test(value) ? value : undefined;
}
