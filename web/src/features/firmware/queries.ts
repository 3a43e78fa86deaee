import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import type { FirmwareAnswer } from "~/shared/firmware/types";

export type PastFirmware = Schemas["PastFirmware"];
export type Offers = Schemas["FirmwareOffers"];

/** Which device is meant; the SIM's last digits prove possession of one that belongs to nobody. */
export type Wanted = { deviceKey: string; digits: string | undefined };

const PAGE = 5;

/** The device's updates, newest first; the one that is under way stands in the first page. */
export function runsQuery({ deviceKey, digits }: Wanted) {
  return infiniteQueryOptions({
    queryKey: ["firmware", deviceKey, "runs", digits],
    queryFn: ({ pageParam }) =>
      answered(
        client.GET("/v1/firmware", {
          params: {
            query: {
              device_key: deviceKey,
              iccid_last_digits: digits,
              limit: PAGE,
              cursor: pageParam,
            },
          },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    staleTime: 0,
  });
}

/** What is waiting for the device; asked only when a person wants to know. */
export function offersQuery({ deviceKey, digits }: Wanted) {
  return queryOptions({
    queryKey: ["firmware", deviceKey, "offers", digits],
    queryFn: () =>
      answered(
        client.GET("/v1/firmware/offers", {
          params: { query: { device_key: deviceKey, iccid_last_digits: digits } },
        }),
      ),
    enabled: false,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function firmwareQuery(id: string) {
  return queryOptions({
    queryKey: ["firmware-run", id],
    queryFn: (): Promise<FirmwareAnswer> =>
      answered(client.GET("/v1/firmware/{id}", { params: { path: { id } } })),
    staleTime: 0,
  });
}

export function firmwareMovesQuery(id: string, wanted: boolean) {
  return queryOptions({
    queryKey: ["firmware-run", id, "moves"],
    queryFn: () =>
      answered(client.GET("/v1/firmware/{id}/transitions", { params: { path: { id } } })),
    enabled: wanted,
  });
}
