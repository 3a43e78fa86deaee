import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking, askingPages } from "~/shared/api/operation";

export type Case = Schemas["CaseAnswer"];

const PAGE = 25;
const LOOK_AGAIN_MS = 5000;

export const casesQuery = ({ ended }: { ended: boolean }) =>
  infiniteQueryOptions({
    ...askingPages("get", "/v1/operations/cases", (at) => ({
      params: { query: { ended, limit: PAGE, cursor: at } },
    })),
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });

export const caseQuery = (id: string) =>
  queryOptions({
    ...asking("get", "/v1/operations/cases/{id}", { params: { path: { id } } }),
    refetchInterval: LOOK_AGAIN_MS,
  });

/** To the administrator with this address, or to whoever asks. */
export function assignCase(id: string, email: string | undefined, key: string) {
  return answered(
    client.POST("/v1/operations/cases/{id}/assign", {
      params: { path: { id }, header: { "Idempotency-Key": key } },
      body: { email },
    }),
  );
}

export type Deed = "note" | "retry" | "resolve";

/** Writes down what was done, has it tried again, or ends it. */
export function actOnCase(id: string, deed: Deed, note: string, key: string) {
  const sent = {
    params: { path: { id }, header: { "Idempotency-Key": key } },
    body: { note },
  };
  switch (deed) {
    case "note":
      return answered(client.POST("/v1/operations/cases/{id}/note", sent));
    case "retry":
      return answered(client.POST("/v1/operations/cases/{id}/retry", sent));
    case "resolve":
      return answered(client.POST("/v1/operations/cases/{id}/resolve", sent));
  }
}
