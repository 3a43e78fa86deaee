import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { Problem } from "~/shared/api/errors";
import { asking } from "~/shared/api/operation";
import { pageOf } from "~/shared/api/page-load";
import { ofBusiness } from "~/shared/session/of-business";
import { exportOf, pageBody } from "../documents/address";
import type { InvoicesQuery } from "./address";

export type InvoiceSummary = Schemas["InvoiceSummaryOut"];
export type Invoice = Schemas["InvoiceOut"];

/** A page of the business's invoices; the page before stays in view until it is there. */
export function invoicesQuery(wanted: InvoicesQuery) {
  const asked = asking("post", "/api/invoices", { body: pageBody(wanted) });
  return ofBusiness(
    queryOptions({
      queryKey: asked.queryKey,
      queryFn: () => pageOf(asked.queryFn()),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
  );
}

/** One invoice with its lines and payments. */
export function invoiceQuery(id: string) {
  const asked = asking("post", "/api/invoice", { body: { id } });
  return queryOptions({
    queryKey: asked.queryKey,
    queryFn: async () => {
      const { results } = await asked.queryFn();
      const [invoice] = results;
      if (!invoice) throw new Problem(404, { code: "document_missing", detail: "Not Found" });
      return invoice;
    },
    staleTime: 0,
  });
}

/** The list as a file: every invoice that fits, not this page alone. */
export function exported(wanted: InvoicesQuery, language: "en" | "fr"): Promise<string> {
  const query = { ...exportOf(wanted), language };
  return answered(client.GET("/v1/invoices.csv", { params: { query }, parseAs: "text" }));
}

export type Advice = Schemas["AdviceOut"];

/** Which open invoices to pay with so much money on a day: today, unless one is given. */
export function advised(budget: number, on: string | undefined): Promise<Advice> {
  return answered(client.POST("/v1/invoice-payments/advice", { body: { budget, on } }));
}
