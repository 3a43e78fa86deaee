import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import type { InvoicesWanted } from "./address";

export type InvoiceCard = Schemas["InvoiceCardOut"];
export type Invoice = Schemas["InvoiceOut"];
export type CreditMemo = Schemas["CreditMemoOut"];

/** A page of the business's invoices; the page before stays in view until it is there. */
export function invoicesQuery({ term, status, from, to, sort, page, rows }: InvoicesWanted) {
  return queryOptions({
    queryKey: ["invoices", "list", term, status, from, to, sort, page, rows],
    queryFn: () =>
      answered(
        client.POST("/api/invoices", {
          body: { search: term, status: status ? [status] : [], from, to, sort, page, limit: rows },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

export function invoiceQuery(id: string) {
  return queryOptions({
    queryKey: ["invoices", "one", id],
    queryFn: async () => one(await answered(client.POST("/api/invoice", { body: { id } }))),
    retry: false,
    staleTime: 0,
  });
}

export function memoQuery(id: string) {
  return queryOptions({
    queryKey: ["credit-memos", "one", id],
    queryFn: async () => one(await answered(client.POST("/api/credit-memo", { body: { id } }))),
    retry: false,
    staleTime: 0,
  });
}

/** The list as a file: every invoice that fits, not this page alone. */
export function exported(wanted: InvoicesWanted, language: string): Promise<string> {
  const { term, status, from, to, sort } = wanted;
  return answered(
    client.GET("/v1/invoices.csv", {
      params: {
        query: {
          search: term,
          status: status ? [status] : [],
          from,
          to,
          sort,
          language: language === "fr" ? "fr" : "en",
        },
      },
      parseAs: "text",
    }),
  );
}

function one<T>({ results }: { results: readonly T[] }): T {
  const [first] = results;
  if (!first) throw new Error("A document was asked for, and none came");
  return first;
}
