import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { askingPages } from "~/shared/api/operation";
import { CONSTANTS } from "~/shared/constants";

export type Partner = Schemas["PartnerNode"];

/** The businesses that the signed-in user may choose, a page of 100 at a time; the search is the server's and fuzzy. */
export const partnersQuery = (search: string) =>
  infiniteQueryOptions({
    ...askingPages("post", "/api/business-partners", (at) => ({
      body: { limit: CONSTANTS.partnerPageSize, endCursor: at, us: false, search },
    })),
    getNextPageParam: ({ pageInfo }) =>
      pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
    staleTime: 60_000,
  });
