import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";

export type BusinessPartner = Schemas["PartnerDetails"];

/** A business with what it owes, as the ERP told within a minute. */
export function partnerQuery(code: string) {
  return queryOptions({
    queryKey: ["business-partner", code],
    queryFn: () =>
      answered(client.GET("/api/business-partners/{id}", { params: { path: { id: code } } })),
    staleTime: 0,
  });
}
