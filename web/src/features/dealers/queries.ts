import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { anyOf, asking, keyOf } from "~/shared/api/operation";
import type { Session } from "~/shared/session/session";

export type Dealer = Schemas["DealerOut"];
export type Installer = Schemas["InstallerOut"];
export type InstallersPage = Schemas["InstallersPage"];
export type RewardSum = Schemas["RewardSumOut"];
export type Stretch = { from?: string; to?: string };

/** The dealer that this person works for: one's own, or that of the business which a rep has chosen. */
export function dealerQuery(now: Session) {
  const user = now.state === "anonymous" ? undefined : now.user;
  const business = now.state === "anonymous" ? undefined : now.work?.business?.code;
  return queryOptions({
    queryKey: [...keyOf("get", "/v1/dealers"), user?.id, business],
    queryFn: async (): Promise<string | null> => {
      if (user?.dealer_id) return user.dealer_id;
      if (!user?.is_sales_rep || !business) return null;
      const { results } = await answered(client.GET("/v1/dealers", {}));
      return results[0]?.id ?? null;
    },
  });
}

/** One's own dealer, which nobody has to be asked for. */
export function ownDealer(now: Session): string | undefined {
  return now.state === "anonymous" ? undefined : (now.user.dealer_id ?? undefined);
}

/** The queries of what is shown of a dealer. */
export function ofDealer(id: string) {
  const params = { path: { id } };
  return anyOf(
    keyOf("get", "/v1/dealers/{id}", { params }),
    keyOf("get", "/v1/dealers/{id}/installers", { params }),
    keyOf("get", "/v1/dealers/{id}/reward-sums", { params }),
    keyOf("get", "/v1/dealers/{id}/device-rewards", { params }),
    keyOf("get", "/v1/dealers/{id}/payouts", { params }),
    keyOf("get", "/v1/dealers/{id}/payout-account", { params }),
    keyOf("get", "/v1/user/token", { params: { query: { dealer_id: id } } }),
  );
}

export function businessQuery(dealerId: string) {
  return queryOptions({
    ...asking("get", "/v1/dealers/{id}", { params: { path: { id: dealerId } } }),
    staleTime: 0,
  });
}

export function teamQuery(dealerId: string) {
  return queryOptions({
    ...asking("get", "/v1/dealers/{id}/installers", { params: { path: { id: dealerId } } }),
    staleTime: 0,
  });
}

/** What a purchaser may order, and has ordered this month. */
export function limitsQuery(id: string) {
  return queryOptions({
    ...asking("get", "/v1/installer/{id}/limits", { params: { path: { id } } }),
    staleTime: 0,
  });
}

export function invitationsQuery(dealerId: string) {
  return queryOptions({
    ...asking("get", "/v1/user/token", { params: { query: { dealer_id: dealerId } } }),
    staleTime: 0,
  });
}

/** What was earned by installer and month of UTC. */
export function sumsQuery(dealerId: string, { from, to }: Stretch) {
  return queryOptions({
    ...asking("get", "/v1/dealers/{id}/reward-sums", {
      params: { path: { id: dealerId }, query: { from_date: from, to_date: to } },
    }),
    staleTime: 0,
  });
}

/** What was paid for each month of UTC that these days touch. */
export function payoutsQuery(dealerId: string, { from, to }: Stretch) {
  return queryOptions({
    ...asking("get", "/v1/dealers/{id}/payouts", {
      params: { path: { id: dealerId }, query: { from_date: from, to_date: to, limit: 100 } },
    }),
    staleTime: 0,
  });
}

/** How far the account is to which rewards are paid. */
export function payoutAccountQuery(dealerId: string) {
  return queryOptions({
    ...asking("get", "/v1/dealers/{id}/payout-account", { params: { path: { id: dealerId } } }),
    staleTime: 0,
  });
}

/** Which part of a long list is shown. */
export type Part = { page: number; rows: number };

/** One page of the devices with which an installer earned something. */
export function rewardsQuery(
  dealerId: string,
  installerId: string,
  { page, rows }: Part,
  to: Stretch,
) {
  return queryOptions({
    ...asking("get", "/v1/dealers/{id}/device-rewards", {
      params: {
        path: { id: dealerId },
        query: {
          installer_id: [installerId],
          from_date: to.from,
          to_date: to.to,
          limit: rows,
          offset: (page - 1) * rows,
        },
      },
    }),
    staleTime: 0,
  });
}
