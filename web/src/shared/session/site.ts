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

/** What the site is called: until the server has said so, by the host. */
export function useSiteLabel(): string {
  return useSite()?.label ?? (seemsAmerican() ? "Turnkey USA" : "Turnkey Canada");
}

/** The host's own word, for until the site is known. */
export function seemsAmerican(): boolean {
  return window.location.hostname.startsWith("us.");
}
