import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { Problem } from "~/shared/api/errors";
import { asking } from "~/shared/api/operation";
import { pageOf } from "~/shared/api/page-load";
import { ofBusiness } from "~/shared/session/of-business";
import { exportOf, pageBody } from "../documents/address";
import type { MemosQuery } from "./address";

export type CreditMemo = Schemas["CreditMemoOut"];

/** A page of the business's credit memos; the page before stays in view until it is there. */
export function memosQuery(wanted: MemosQuery) {
  const asked = asking("post", "/api/credit-memos", { body: pageBody(wanted) });
  return ofBusiness(
    queryOptions({
      queryKey: asked.queryKey,
      queryFn: () => pageOf(asked.queryFn()),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
  );
}

/** The list as a file: every credit memo that fits, not this page alone. */
export function exported(wanted: MemosQuery, language: "en" | "fr"): Promise<string> {
  const query = { ...exportOf(wanted), language };
  return answered(client.GET("/v1/credit-memos.csv", { params: { query }, parseAs: "text" }));
}

/** One credit memo and where it was applied. */
export function memoQuery(id: string) {
  const asked = asking("post", "/api/credit-memo", { body: { id } });
  return queryOptions({
    queryKey: asked.queryKey,
    queryFn: async () => {
      const { results } = await asked.queryFn();
      const [memo] = results;
      if (!memo) throw new Problem(404, { code: "document_missing", detail: "Not Found" });
      return memo;
    },
    staleTime: 0,
  });
}
