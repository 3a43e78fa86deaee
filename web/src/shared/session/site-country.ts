import { useQueryClient } from "@tanstack/react-query";
import { SEEMS_AMERICAN, siteQuery } from "./site";

/** The country of the site, for what begins with it: what the server has said by now, or else what the host seems to be. */
export function useSiteCountry(): "CA" | "US" {
  const told = useQueryClient().getQueryData(siteQuery.queryKey);
  return told?.country ?? (SEEMS_AMERICAN ? "US" : "CA");
}
