import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { asking } from "~/shared/api/operation";
import type { PaymentMethods } from "./types";

/** How often a bank account that is being verified is looked at, in ms. */
const LOOK_AGAIN = 5000;

/** How often, and how many times, a credit is asked for that the order system has not told yet. */
const ASK_AGAIN = 2000;
const MOST_ASKED = 5;

/** The saved cards and bank accounts of the business that one works for, and which other ways to pay are open. */
export const methodsQuery = queryOptions({
  ...asking("post", "/api/users-payment-methods", {}),
  staleTime: 0,
  refetchInterval: ({ state: { data, dataUpdateCount } }) => {
    if (isMoving(data)) return LOOK_AGAIN;
    const isAwaited = data?.allowed.terms && data.creditAvailable === null;
    return isAwaited && dataUpdateCount < MOST_ASKED ? ASK_AGAIN : false;
  },
});

export function usePaymentMethods() {
  return useQuery(methodsQuery);
}

export async function askForMethods(cache: QueryClient): Promise<void> {
  await cache.invalidateQueries({ queryKey: methodsQuery.queryKey });
}

function isMoving(held: PaymentMethods | undefined): boolean {
  return Boolean(held?.results.some(({ status }) => status === "pending"));
}
