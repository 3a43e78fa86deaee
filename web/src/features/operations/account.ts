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

export const openRunsQuery = (id: string) =>
  asking("get", "/v1/operations/account/{id}/open-runs", { params: { path: { id } } });

/** Everything that is known of a person, as a file's text. */
export async function knownOf(id: string): Promise<string> {
  const path = { id };
  const known = await answered(
    client.GET("/v1/operations/account/{id}/known", { params: { path } }),
  );
  return JSON.stringify(known, null, 2);
}

export function eraseAccount(
  id: string,
  body: { email: string; reason: string; next_owner?: string },
  key: string,
): Promise<unknown> {
  return answered(
    client.POST("/v1/operations/account/{id}/erase", {
      params: { path: { id }, header: { "Idempotency-Key": key } },
      body,
    }),
  );
}

export function lockAccount(id: string): Promise<unknown> {
  return answered(client.POST("/v1/user/{id}/lock", { params: { path: { id } } }));
}
