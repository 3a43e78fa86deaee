import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { askingPages } from "~/shared/api/operation";

export type AuditEntry = Schemas["Entry"];
/** `since` and `until` are days as the browser's clock has them, both included. */
export type AuditFilters = {
  actor?: string;
  partner_code?: string;
  action?: string;
  object_id?: string;
  outcome?: Schemas["Outcome"];
  request_id?: string;
  since?: string;
  until?: string;
};

export const auditQuery = ({ since, until, ...filters }: AuditFilters) =>
  infiniteQueryOptions({
    ...askingPages("get", "/v1/audit", (at) => ({
      params: {
        query: {
          ...filters,
          since: since && beginOf(since),
          until: until && beginOf(until, 1),
          limit: 50,
          cursor: at,
        },
      },
    })),
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
  });

/** When a day begins, or one that comes so many days later. */
function beginOf(day: string, later = 0): string {
  const begin = new Date(`${day}T00:00:00`);
  begin.setDate(begin.getDate() + later);
  return begin.toISOString();
}
