import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";

export type ErpMirror = Schemas["ErpMirror"];
export type Comparison = Schemas["Comparison"];
export type Difference = Schemas["Difference"];

const LOOK_AGAIN_MS = 5000;

export const erpMirrorQuery = queryOptions({
  ...asking("get", "/v1/operations/erp", {}),
  refetchInterval: LOOK_AGAIN_MS,
});

export const differencesQuery = (id: string) =>
  queryOptions({
    ...asking("get", "/v1/operations/erp/comparisons/{id}/differences", {
      params: { path: { id } },
    }),
    refetchInterval: LOOK_AGAIN_MS,
  });

/** Begins a comparison, or joins the one that is under way. */
export function compare() {
  return answered(client.POST("/v1/operations/erp/comparisons", { body: {} }));
}
