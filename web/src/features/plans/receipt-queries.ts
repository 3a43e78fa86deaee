import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import type { ReceiptsAddress } from "./receipts-address";

export type Receipt = Schemas["Receipt"];

/** A page of the receipts of the business, narrowed as the address says. */
export function receiptsQuery({ page, limit, ok, by, value }: ReceiptsAddress) {
  const wanted = by && value ? { [by]: [value] } : {};
  return queryOptions({
    queryKey: ["receipts", page, limit, ok, by, value],
    queryFn: () =>
      answered(
        client.GET("/v1/payments", {
          params: { query: { page, limit, successes_only: ok === "true", ...wanted } },
        }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
  });
}

export function receiptQuery(uuid: string) {
  return queryOptions({
    queryKey: ["receipts", "of", uuid],
    queryFn: (): Promise<Receipt> =>
      answered(client.GET("/v1/payments/{uuid}", { params: { path: { uuid } } })),
    staleTime: 0,
  });
}
