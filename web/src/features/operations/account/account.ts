import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { authorised } from "~/shared/api/fetch";
import { asking } from "~/shared/api/operation";

export type Account = Schemas["AccountAnswer"];

/** The account of an email address or of a person's id; null where nobody has it. */
export const accountQuery = (who: string | undefined) => {
  const { queryKey, queryFn } = asking("get", "/v1/operations/account", {
    params: { query: { who: who ?? "" } },
  });
  return queryOptions({
    queryKey,
    queryFn: (): Promise<Account | null> =>
      queryFn().catch((cause) => {
        if (problemOf(cause).status === 404) return null;
        throw cause;
      }),
    enabled: who !== undefined,
    retry: false,
  });
};

/** Somebody with an account, or without one. */
export type Person = Pick<Account, "email"> & { id?: string };

export const openRunsQuery = ({ id, email }: Person) =>
  id === undefined
    ? asking("post", "/v1/operations/address/open-runs", { body: { email } })
    : asking("get", "/v1/operations/account/{id}/open-runs", { params: { path: { id } } });

/** Everything that is known of a person, as a file's text. It is waited for as long as the server gathers it. */
export async function knownOf({ id, email }: Person): Promise<string> {
  const known = await answered(
    id === undefined
      ? client.POST("/v1/operations/address/known", { body: { email }, fetch: authorised })
      : client.POST("/v1/operations/account/{id}/known", {
          params: { path: { id } },
          fetch: authorised,
        }),
  );
  return JSON.stringify(known, null, 2);
}

export function erasePerson(
  { id, email: address }: Person,
  body: { email: string; reason: string; next_owner?: string },
  key: string,
): Promise<unknown> {
  const header = { "Idempotency-Key": key };
  const { email, reason } = body;
  return answered(
    id === undefined
      ? client.POST("/v1/operations/address/erase", {
          params: { header },
          body: { address, email, reason },
        })
      : client.POST("/v1/operations/account/{id}/erase", {
          params: { path: { id }, header },
          body,
        }),
  );
}

export function lockAccount(id: string): Promise<unknown> {
  return answered(client.POST("/v1/user/{id}/lock", { params: { path: { id } } }));
}
