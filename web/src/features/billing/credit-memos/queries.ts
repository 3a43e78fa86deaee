import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { Problem } from "~/shared/api/errors";
import { pageOf } from "~/shared/api/page-load";
import { pageBody } from "../documents/address";
import type { MemosQuery } from "./address";

export type CreditMemo = Schemas["CreditMemoOut"];

/** A page of the business's credit memos; the page before stays in view until it is there. */
export function memosQuery(wanted: MemosQuery) {
  return queryOptions({
    queryKey: ["credit-memos", "list", wanted],
    queryFn: () => pageOf(answered(client.POST("/api/credit-memos", { body: pageBody(wanted) }))),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** One credit memo and where it was applied. */
export function memoQuery(id: string) {
  return queryOptions({
    queryKey: ["credit-memos", "one", id],
    queryFn: async () => {
      const { results } = await answered(client.POST("/api/credit-memo", { body: { id } }));
      const [memo] = results;
      if (!memo) throw new Problem(404, { code: "document_missing", detail: "Not Found" });
      return memo;
    },
    retry: (times, problem) => times < 2 && !("status" in problem && problem.status === 404),
    staleTime: 0,
  });
}
