import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { Problem, problemOf } from "~/shared/api/errors";
import { authorised } from "~/shared/api/fetch";
import { CONSTANTS } from "~/shared/constants";
import type { PaymentMethods } from "./types";

const KEY = ["payment-methods"] as const;

/** How often a bank account that is being verified is looked at, in ms. */
const LOOK_AGAIN = 5000;

/** The saved cards and bank accounts of the business that one works for, and which other ways to pay are open. */
export const methodsQuery = queryOptions({
  queryKey: KEY,
  queryFn: () => ask(),
  staleTime: 0,
  refetchInterval: ({ state }) => (isMoving(state.data) ? LOOK_AGAIN : false),
});

export function usePaymentMethods() {
  return useQuery(methodsQuery);
}

export async function askForMethods(cache: QueryClient): Promise<void> {
  await cache.invalidateQueries({ queryKey: KEY });
}

function isMoving(held: PaymentMethods | undefined): boolean {
  return Boolean(held?.results.some(({ status }) => status === "pending"));
}

async function ask(): Promise<PaymentMethods> {
  let answer: Response;
  try {
    answer = await authorised(
      new Request(`${window.location.origin}/api/users-payment-methods`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: "{}",
        signal: AbortSignal.timeout(CONSTANTS.requestTimeout),
      }),
    );
  } catch (cause) {
    throw problemOf(cause);
  }
  const body: unknown = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, body);
  return body as PaymentMethods;
}
