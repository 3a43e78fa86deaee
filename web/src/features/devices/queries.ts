import {
  type InfiniteData,
  infiniteQueryOptions,
  onlineManager,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking, askingPages, keyOf } from "~/shared/api/operation";

export type DeviceRecord = Schemas["DeviceRecord"];
export type PastActivation = Schemas["PastActivation"];
export type LogEntry = Schemas["LogEntry"];

const PAGE = 20;
const LOG_PAGE = 25;

/**
 * Devices that the business has worked on, newest change first; `startsWith` narrows by serial number, `inWork` to those
 * that an unfinished run holds.
 */
export function myDevicesQuery(startsWith: string, inWork = false) {
  return infiniteQueryOptions({
    ...askingPages("get", "/v1/devices", (at) => ({
      params: {
        query: {
          starts_with: startsWith,
          in_work: inWork || undefined,
          limit: PAGE,
          cursor: at,
        },
      },
    })),
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    // Without a signal another list than the one that is kept stays away, and says so.
    placeholderData: (previous) => (onlineManager.isOnline() ? previous : undefined),
  });
}

/** Whether one of the lists that are at hand has the device. */
export function isListed(cache: QueryClient, key: string): boolean {
  const lists = cache.getQueriesData<InfiniteData<Schemas["MyDevices"]>>({
    queryKey: keyOf("get", "/v1/devices"),
  });
  return lists.some(([, list]) =>
    list?.pages.some(({ results }) => results.some(({ device_key }) => device_key === key)),
  );
}

/** The list as a file: every device that fits. */
export function exported(
  startsWith: string,
  inWork: boolean,
  language: "en" | "fr",
): Promise<string> {
  const query = { starts_with: startsWith, in_work: inWork || undefined, language };
  return answered(client.GET("/v1/devices.csv", { params: { query }, parseAs: "text" }));
}

/** `digits`, the SIM's last five, prove possession of a device that belongs to nobody. */
export function deviceQuery(key: string, digits: string | undefined) {
  return queryOptions({
    ...asking("get", "/v1/devices/{device_key}", {
      params: { path: { device_key: key }, query: { iccid_last_digits: digits } },
    }),
    retry: false,
    staleTime: 0,
  });
}

export function logsQuery(key: string, digits: string | undefined) {
  return infiniteQueryOptions({
    ...askingPages("get", "/v1/iot/logs", (at) => ({
      params: {
        query: {
          device_key: key,
          iccid_last_digits: digits,
          limit: LOG_PAGE,
          before: at,
        },
      },
    })),
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    staleTime: 0,
  });
}

export function activationMovesQuery(id: string, wanted: boolean) {
  return queryOptions({
    ...asking("get", "/v1/activations/{id}/transitions", { params: { path: { id } } }),
    enabled: wanted,
    staleTime: 0,
  });
}
