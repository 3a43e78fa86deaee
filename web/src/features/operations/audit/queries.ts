import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { askingPages } from "~/shared/api/operation";

export type AuditEntry = Schemas["Entry"];
export type AuditFilters = {
  actor?: string;
  partner_code?: string;
  action?: string;
  outcome?: Schemas["Outcome"];
  request_id?: string;
};

export const auditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    ...askingPages("get", "/v1/audit", (at) => ({
      params: { query: { ...filters, limit: 50, cursor: at } },
    })),
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
  });
