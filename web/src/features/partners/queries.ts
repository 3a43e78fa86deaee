import { infiniteQueryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { CONSTANTS } from "~/shared/constants";

export type Partner = Schemas["PartnerNode"];

/** The businesses that the signed-in user may choose, a page of 100 at a time; the search is the server's and fuzzy. */
export const partnersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ["partners", search],
    queryFn: ({ pageParam }) =>
      answered(
        client.POST("/api/business-partners", {
          body: { limit: CONSTANTS.partnerPageSize, endCursor: pageParam, us: false, search },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pageInfo }) =>
      pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
    staleTime: 60_000,
  });
