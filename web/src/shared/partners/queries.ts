import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";
import { useSession, workOf } from "~/shared/session/session";

export type BusinessPartner = Schemas["PartnerDetails"];

/** A business with what it owes, as the ERP told within a minute. */
export function partnerQuery(code: string) {
  return queryOptions({
    ...asking("get", "/api/business-partners/{id}", { params: { path: { id: code } } }),
    staleTime: 0,
  });
}

/** The business that one works for: the chosen one before one's own. */
export function useOwnBusiness() {
  const now = useSession();
  const own = now.state === "anonymous" ? undefined : now.user.partner_code;
  const code = workOf(now)?.business?.code ?? own ?? "";
  return useQuery({ ...partnerQuery(code), enabled: code !== "" });
}
