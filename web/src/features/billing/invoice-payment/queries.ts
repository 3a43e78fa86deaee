import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";
import type { AllocationRequest, Payer } from "./types";

export const MOST_MEMOS = 100;

/** What is to be paid of these invoices: what was typed for each, and of the others all that is open. */
export function requestOf(
  numbers: Iterable<string>,
  amounts: ReadonlyMap<string, number> = new Map(),
  memos: readonly string[] = [],
): AllocationRequest {
  const invoices = [...numbers].map((number) => ({ number, amount: amounts.get(number) }));
  return { invoices, memos };
}

/** The mock run: what these come to now. The figures before stay in view until the new ones are there. */
export function invoiceQuoteQuery(request: AllocationRequest) {
  return queryOptions({
    ...asking("post", "/v1/invoice-payments/quote", {
      body: {
        invoices: request.invoices.map(({ number, amount }) => ({ number, amount })),
        credit_memos: request.memos.map((number) => ({ number })),
      },
    }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
}

/** The credit memos of which something is left, the oldest first; with a term those whose number it is in. */
export const openMemosQuery = (search: string) =>
  queryOptions({
    ...asking("post", "/api/credit-memos", {
      body: { search, status: ["open"], sort: "date-asc", limit: MOST_MEMOS, page: 1 },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export function invoicePaymentQuery(id: string) {
  return queryOptions({
    ...asking("get", "/v1/invoice-payments/{id}", { params: { path: { id } } }),
    staleTime: 0,
  });
}

type Submit = {
  invoices: readonly { number: string; amount: number }[];
  memos: readonly { number: string; amount: number }[];
  payer: Payer | undefined;
  planHash: string;
};

/** Pays at the figures of a quote, or not at all; answers the payment's id. */
export async function payInvoices(request: Submit, key: string): Promise<string> {
  const { id } = await answered(
    client.POST("/v1/invoice-payments", {
      params: { header: { "Idempotency-Key": key } },
      body: {
        invoices: [...request.invoices],
        credit_memos: [...request.memos],
        ...request.payer,
        plan_hash: request.planHash,
      },
    }),
  );
  return id;
}
