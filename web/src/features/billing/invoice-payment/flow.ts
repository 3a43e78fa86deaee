import { msg } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import type { FlowKind } from "~/shared/flow/actor";
import { chartNamed } from "~/shared/flow/charts";
import type { NamedStage } from "~/shared/flow/map/flow-map";
import { type Flow, useFlow } from "~/shared/flow/use-flow";
import { invoicePaymentQuery } from "./queries";
import type { InvoicePaymentAnswer, Payer } from "./types";

/** What a person may ask of a payment. */
type InvoicePaymentCommand = { type: "PAY"; payer: Payer } | { type: "CANCEL" };

export type InvoicePaymentRun = Flow<InvoicePaymentAnswer, InvoicePaymentCommand>;

export const INVOICE_PAYMENT: FlowKind<InvoicePaymentAnswer, InvoicePaymentCommand> = {
  chartOf: ({ version }) => chartNamed("invoice_payment", version),
  planOf: () => [],
  eventOf: ({ type }) => type,
};

/** The way of a payment, in the steps that a payer knows. */
export const STAGES: readonly NamedStage[] = [
  { label: msg`Payment`, states: ["checking", "charging", "action_required", "declined"] },
  { label: msg`Bank`, states: ["processing"] },
  { label: msg`Invoices`, states: ["posting", "posting_late", "refunding"] },
  { label: msg`Done`, states: ["confirmed"] },
];

/** One payment on screen. */
export function useInvoicePayment(first: InvoicePaymentAnswer): InvoicePaymentRun {
  const cache = useQueryClient();
  const { id } = first;
  return useFlow(first, {
    topic: `invoice_payment:${id}`,
    kind: INVOICE_PAYMENT,
    send: (command, key) => sendInvoicePaymentCommand(id, command, key),
    read: () => cache.fetchQuery(invoicePaymentQuery(id)),
  });
}

/** One command, one key: sent again, it is the same command. */
function sendInvoicePaymentCommand(
  id: string,
  command: InvoicePaymentCommand,
  key: string,
): Promise<InvoicePaymentAnswer | Schemas["Accepted"]> {
  const params = { path: { id }, header: { "Idempotency-Key": key } };
  if (command.type === "CANCEL")
    return answered(client.POST("/v1/invoice-payments/{id}/cancel", { params, body: {} }));
  return answered(
    client.POST("/v1/invoice-payments/{id}/payment", { params, body: command.payer }),
  );
}
