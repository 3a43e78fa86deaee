import { infiniteQueryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";

export type AuditEntry = Schemas["Entry"];
export type AuditFilters = {
  actor?: string;
  partner_code?: string;
  action?: string;
  outcome?: AuditEntry["outcome"];
  request_id?: string;
};

export const auditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ["audit", filters],
    queryFn: ({ pageParam }) =>
      answered(
        client.GET("/v1/audit", {
          params: { query: { ...filters, limit: 50, cursor: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
  });
