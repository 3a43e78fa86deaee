import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";
import { pageOf } from "~/shared/api/page-load";
import type { ReceiptsAddress } from "./receipts-address";

export type Receipt = Schemas["Receipt"];

/** A page of the receipts of the business, narrowed as the address says. */
export function receiptsQuery({ page, limit, ok, by, value }: ReceiptsAddress) {
  const asked = asking("get", "/v1/payments", {
    params: { query: { page, limit, ...narrowed({ ok, by, value }) } },
  });
  return queryOptions({
    ...asked,
    queryFn: () => pageOf(asked.queryFn()),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
  });
}

/** The list as a file: every receipt that fits. */
export function exported(address: ReceiptsAddress, language: "en" | "fr"): Promise<string> {
  const query = { ...narrowed(address), language };
  return answered(client.GET("/v1/payments.csv", { params: { query }, parseAs: "text" }));
}

function narrowed({ ok, by, value }: Pick<ReceiptsAddress, "ok" | "by" | "value">) {
  return {
    successes_only: ok === "true",
    declined_only: ok === "false",
    ...(by && value ? { [by]: [value] } : {}),
  };
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
