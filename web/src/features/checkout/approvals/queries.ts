import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Schemas } from "~/shared/api/client";
import { asking, keyOf } from "~/shared/api/operation";
import { live } from "~/shared/live/live";

export type WaitingOrder = Schemas["WaitingOrder"];

/** Orders that wait for an owner: all of the business for an owner, one's own for anybody else. */
export const waitingQuery = () =>
  queryOptions({ ...asking("get", "/v1/approvals", {}), staleTime: 0 });

/** Asks for the list anew whenever something of the team has changed; only those who run a business hear of that. */
export function useWaitingNews(dealerId: string | null): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (!dealerId) return;
    return live.follow(
      `team:${dealerId}`,
      () => void cache.invalidateQueries({ queryKey: keyOf("get", "/v1/approvals") }),
    );
  }, [cache, dealerId]);
}
