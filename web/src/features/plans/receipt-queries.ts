import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";
import type { ReceiptsAddress } from "./receipts-address";

export type Receipt = Schemas["Receipt"];

/** A page of the receipts of the business, narrowed as the address says. */
export function receiptsQuery({ page, limit, ok, by, value }: ReceiptsAddress) {
  const wanted = by && value ? { [by]: [value] } : {};
  return queryOptions({
    ...asking("get", "/v1/payments", {
      params: { query: { page, limit, successes_only: ok === "true", ...wanted } },
    }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
  });
}

export function receiptQuery(uuid: string) {
  return queryOptions({
    ...asking("get", "/v1/payments/{uuid}", { params: { path: { uuid } } }),
    staleTime: 0,
  });
}

/** Where the server makes the PDF of a receipt. */
export function receiptPdf(uuid: string): string {
  return `/v1/payments/${encodeURIComponent(uuid)}/receipt.pdf`;
}
