import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";

export type Handout = Schemas["Handout"];
export type HandoutLink = Schemas["HandoutLinkSeen"];

export function handoutQuery(id: string) {
  return queryOptions({
    ...asking("get", "/v1/activations/{id}/handout", { params: { path: { id } } }),
    retry: false,
    staleTime: 0,
  });
}

/** What the holder of a link reads. */
export function openedQuery(token: string) {
  return queryOptions({
    ...asking("post", "/v1/handouts/open", { body: { token } }),
  });
}

/** The link of the handout: made, or the one that is good already. */
export function linkHandout(id: string) {
  const params = { path: { id } };
  return answered(client.POST("/v1/activations/{id}/handout/link", { params, body: {} }));
}

export function revokeHandoutLink(id: string) {
  const params = { path: { id } };
  return answered(client.POST("/v1/activations/{id}/handout/revoke", { params, body: {} }));
}
