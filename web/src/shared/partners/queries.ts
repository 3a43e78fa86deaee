import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";

export type BusinessPartner = Schemas["PartnerDetails"];

/** A business with what it owes, as the ERP told within a minute. */
export function partnerQuery(code: string) {
  return queryOptions({
    ...asking("get", "/api/business-partners/{id}", { params: { path: { id: code } } }),
    staleTime: 0,
  });
}
