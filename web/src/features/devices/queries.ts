import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";

export type DeviceRecord = Schemas["DeviceRecord"];
export type PastActivation = Schemas["PastActivation"];
export type LogEntry = Schemas["LogEntry"];

const PAGE = 20;
const LOG_PAGE = 25;

/** Devices that the business has worked on, newest change first; `startsWith` narrows by serial number. */
export function myDevicesQuery(startsWith: string) {
  return infiniteQueryOptions({
    queryKey: ["devices", startsWith],
    queryFn: ({ pageParam }) =>
      answered(
        client.GET("/v1/devices", {
          params: { query: { starts_with: startsWith, limit: PAGE, cursor: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
  });
}

/** `digits`, the SIM's last five, prove possession of a device that belongs to nobody. */
export function deviceQuery(key: string, digits: string | undefined) {
  return queryOptions({
    queryKey: ["device", key, "record", digits],
    queryFn: () =>
      answered(
        client.GET("/v1/devices/{device_key}", {
          params: { path: { device_key: key }, query: { iccid_last_digits: digits } },
        }),
      ),
    retry: false,
    staleTime: 0,
  });
}

export function logsQuery(key: string, digits: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ["device", key, "logs", digits],
    queryFn: ({ pageParam }) =>
      answered(
        client.GET("/v1/iot/logs", {
          params: {
            query: {
              device_key: key,
              iccid_last_digits: digits,
              limit: LOG_PAGE,
              before: pageParam,
            },
          },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    staleTime: 0,
  });
}

export function activationMovesQuery(id: string, wanted: boolean) {
  return queryOptions({
    queryKey: ["device-activation", id, "moves"],
    queryFn: () =>
      answered(client.GET("/v1/activations/{id}/transitions", { params: { path: { id } } })),
    enabled: wanted,
    staleTime: 0,
  });
}
