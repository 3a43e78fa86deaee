import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";

export type Account = Schemas["AccountAnswer"];

/** The account of an email address or of a person's id. */
export const accountQuery = (who: string | undefined) =>
  queryOptions({
    ...asking("get", "/v1/operations/account", { params: { query: { who: who ?? "" } } }),
    enabled: who !== undefined,
    retry: false,
  });

export function lockAccount(id: string): Promise<unknown> {
  return answered(client.POST("/v1/user/{id}/lock", { params: { path: { id } } }));
}
