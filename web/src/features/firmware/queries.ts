import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { asking, askingPages } from "~/shared/api/operation";

export type PastFirmware = Schemas["PastFirmware"];
export type Offers = Schemas["FirmwareOffers"];

/** Which device is meant; the SIM's last digits prove possession of one that belongs to nobody. */
export type FirmwareRequest = { deviceKey: string; digits: string | undefined };

const PAGE = 5;

/** The device's updates, newest first; the one that is under way stands in the first page. */
export function runsQuery({ deviceKey, digits }: FirmwareRequest) {
  return infiniteQueryOptions({
    ...askingPages("get", "/v1/firmware", (at) => ({
      params: {
        query: {
          device_key: deviceKey,
          iccid_last_digits: digits,
          limit: PAGE,
          cursor: at,
        },
      },
    })),
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    staleTime: 0,
  });
}

/** What is waiting for the device; asked only when a person wants to know. */
export function offersQuery({ deviceKey, digits }: FirmwareRequest) {
  return queryOptions({
    ...asking("get", "/v1/firmware/offers", {
      params: { query: { device_key: deviceKey, iccid_last_digits: digits } },
    }),
    enabled: false,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function firmwareQuery(id: string) {
  return queryOptions({
    ...asking("get", "/v1/firmware/{id}", { params: { path: { id } } }),
    staleTime: 0,
  });
}

export function firmwareMovesQuery(id: string, wanted: boolean) {
  return queryOptions({
    ...asking("get", "/v1/firmware/{id}/transitions", { params: { path: { id } } }),
    enabled: wanted,
  });
}
