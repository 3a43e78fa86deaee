import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { Problem, problemOf } from "~/shared/api/errors";
import { authorised } from "~/shared/api/fetch";
import { asking } from "~/shared/api/operation";
import { CONSTANTS } from "~/shared/constants";

export type QuickOrder = Schemas["QuickOrder"];
export type AddedRows = Schemas["Added"];

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/** Bytes of a file that the server still takes. */
export const MOST_BYTES = 1024 * 1024;

/** The server's word on these rows: verdicts, prices and stock of now. Kept by nobody. */
export const judgingQuery = (text: string) =>
  queryOptions({
    ...asking("post", "/v1/quick-orders/check", { body: { text } }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

export const addRows = (text: string, key: string): Promise<AddedRows> =>
  answered(
    client.POST("/v1/quick-orders/add", { body: { text }, headers: { "Idempotency-Key": key } }),
  );

/** A CSV or an XLSX as it is; the server reads it. */
export async function checkFile(file: File): Promise<QuickOrder> {
  const type = /\.xlsx$/i.test(file.name) || file.type === XLSX ? XLSX : "text/csv";
  const request = new Request(`${window.location.origin}/v1/quick-orders/file`, {
    method: "POST",
    headers: { "Content-Type": type },
    body: await file.arrayBuffer(),
    signal: AbortSignal.timeout(CONSTANTS.requestTimeout),
  });
  let answer: Response;
  try {
    answer = await authorised(request);
  } catch (cause) {
    throw problemOf(cause);
  }
  const body: unknown = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, body, null, answer.statusText);
  return body as QuickOrder; // the operation's documented answer
}
