import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking, askingPages, keyOf } from "~/shared/api/operation";
import { pageOf } from "~/shared/api/page-load";
import { quotePlans } from "./calls";
import type { PurchaseAnswer, PurchaseLine } from "./types";

const LINES = keyOf("get", "/v1/plan-lines");
const PAGE = 10;

export type SubscriptionState = Schemas["SubscriptionOut"]["state"];

/** The plans that are sold, at the prices of the business that one works for. */
export const plansQuery = queryOptions({
  ...asking("get", "/v1/plans", {}),
});

/** What one device may have now, and what it has. */
export function upgradesQuery(deviceKey: string) {
  return queryOptions({
    ...asking("get", "/api/plans/upgrade", { params: { query: { device_key: deviceKey } } }),
    retry: false,
  });
}

/** The plans in the cart. */
export const planLinesQuery = queryOptions({
  ...asking("get", "/v1/plan-lines", {}),
});

/** Puts a plan for a device into the cart, or another one than before. */
export async function choosePlan(
  cache: QueryClient,
  deviceKey: string,
  planId: string,
): Promise<void> {
  const body = { device_key: deviceKey, plan_id: planId };
  cache.setQueryData(LINES, await answered(client.PUT("/v1/plan-lines", { body })));
}

export async function dropPlan(cache: QueryClient, deviceKey: string): Promise<void> {
  const params = { path: { device_key: deviceKey } };
  cache.setQueryData(
    LINES,
    await answered(client.DELETE("/v1/plan-lines/{device_key}", { params })),
  );
}

/** The devices of the business with their plans, those that end first first. */
export function subscriptionsQuery(startsWith: string, state: SubscriptionState | undefined) {
  const asked = askingPages("get", "/v1/subscriptions", (at) => ({
    params: {
      query: { starts_with: startsWith, state, limit: PAGE, cursor: at },
    },
  }));
  return infiniteQueryOptions({
    ...asked,
    queryFn: (at) => pageOf(asked.queryFn(at)),
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** The list as a file: every device that fits. */
export function subscriptionsExported(
  startsWith: string,
  state: SubscriptionState | undefined,
  language: "en" | "fr",
): Promise<string> {
  const query = { starts_with: startsWith, state, language };
  return answered(client.GET("/v1/subscriptions.csv", { params: { query }, parseAs: "text" }));
}

/** The price of the plans in the cart: a purchase that was not confirmed yet. */
export function quoteQuery(lines: readonly Schemas["PlanLine"][]) {
  return queryOptions({
    queryKey: keyOf("post", "/v1/payments", { body: { line_items: [...lines] } }),
    queryFn: () => quotePlans(lines),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
}

/** What was begun to be paid and is not at its end yet. */
export const openPurchasesQuery = queryOptions({
  ...asking("get", "/v1/purchases", {}),
  staleTime: 0,
});

export function purchaseQuery(id: string) {
  return queryOptions({
    ...asking("get", "/v1/purchases/{id}", { params: { path: { id } } }),
    staleTime: 0,
  });
}

export function keepPurchase(cache: QueryClient, answer: PurchaseAnswer): void {
  const { queryKey } = purchaseQuery(answer.id);
  const held = cache.getQueryData(queryKey);
  if (!held || held.rev < answer.rev) cache.setQueryData(queryKey, answer);
}

/**
 * The price of these lines of a purchase as it is now; answers the id to go on with: the same one while it is not
 * paid, a new one after it has ended. A device that is not among them leaves the cart, too.
 */
export async function quoteAgain(
  cache: QueryClient,
  { id, ended, view }: PurchaseAnswer,
  lines: readonly PurchaseLine[],
): Promise<string> {
  const uuid = await quotePlans(lines, ended ? undefined : id);
  for (const { device_key } of view.lines)
    if (!lines.some((line) => line.device_key === device_key)) await dropPlan(cache, device_key);
  await cache.invalidateQueries({ queryKey: purchaseQuery(uuid).queryKey });
  return uuid;
}
