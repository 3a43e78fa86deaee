import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";
import { pageOf } from "~/shared/api/page-load";
import { ofBusiness } from "~/shared/session/of-business";
import { ROWS, type StatementAddress } from "./address";

export type Statement = Schemas["StatementOut"];
export type StatementEntry = Statement["results"][number];

/** A page of the statement; the page before stays in view until it is there. */
export function statementQuery({ from, to, p: page }: StatementAddress) {
  const query = { from, to, page, limit: ROWS };
  const asked = asking("get", "/v1/statement", { params: { query } });
  return ofBusiness(
    queryOptions({
      queryKey: asked.queryKey,
      queryFn: () => pageOf(asked.queryFn()),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
  );
}

/** The whole statement as a file. */
export function exported(from: string, to: string, language: "en" | "fr"): Promise<string> {
  const query = { from, to, language };
  return answered(client.GET("/v1/statement.csv", { params: { query }, parseAs: "text" }));
}
