import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking, keyOf } from "~/shared/api/operation";

export type ListHead = Schemas["ListHead"];
export type ListWithRows = Schemas["ListWithRows"];
export type Listing = Schemas["Listing"];

export const savedListsQuery = queryOptions({
  ...asking("get", "/v1/saved-lists", {}),
  staleTime: 0,
});

export const rowsOf = (id: string): Promise<ListWithRows> =>
  answered(client.GET("/v1/saved-lists/{id}", { params: { path: { id } } }));

export const makeList = (listing: Listing, key: string): Promise<ListWithRows> =>
  answered(client.POST("/v1/saved-lists", { body: listing, headers: { "Idempotency-Key": key } }));

export const changeList = (id: string, listing: Listing): Promise<ListWithRows> =>
  answered(client.PUT("/v1/saved-lists/{id}", { params: { path: { id } }, body: listing }));

export const deleteList = (id: string): Promise<unknown> =>
  answered(client.DELETE("/v1/saved-lists/{id}", { params: { path: { id } } }));

export const askForLists = (cache: QueryClient): Promise<void> =>
  cache.invalidateQueries({ queryKey: keyOf("get", "/v1/saved-lists") });
