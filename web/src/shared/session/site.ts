import { queryOptions, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { asking } from "~/shared/api/operation";

/** The site's links, switches and sibling. Without an answer the page does without them. */
export const siteQuery = queryOptions({
  ...asking("get", "/v1/site", {}),
  staleTime: Number.POSITIVE_INFINITY,
});

export function useSite() {
  return useDeferredValue(useQuery(siteQuery).data);
}

/** The host's own word of the site, for until the server has told. */
export const SEEMS_AMERICAN = window.location.hostname.startsWith("us.");

export function useSiteLabel(): string {
  return useSite()?.label ?? `Turnkey ${SEEMS_AMERICAN ? "USA" : "Canada"}`;
}
