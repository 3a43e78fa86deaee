import { queryOptions, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { asking } from "~/shared/api/operation";

/** The site's label, from the host it is reached by: one deploy serves both. */
export function siteLabel(host: string = window.location.hostname): string {
  return isCanadian(host) ? "Turnkey Canada" : "Turnkey USA";
}

export function isCanadian(host: string = window.location.hostname): boolean {
  return !host.startsWith("us.");
}

/** The site's links, switches and sibling. Without an answer the page does without them. */
export const siteQuery = queryOptions({
  ...asking("get", "/v1/site", {}),
  staleTime: Number.POSITIVE_INFINITY,
});

export function useSite() {
  return useDeferredValue(useQuery(siteQuery).data);
}
