import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isOld } from "~/shared/api/ahead";
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
    let heard = false;
    return live.follow(`team:${dealerId}`, () => {
      const predicate = heard ? undefined : isOld;
      heard = true;
      void cache.invalidateQueries({ queryKey: keyOf("get", "/v1/approvals"), predicate });
    });
  }, [cache, dealerId]);
}
