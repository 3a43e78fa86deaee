import { useQueryClient } from "@tanstack/react-query";
import type { FirmwareAnswer, FirmwareWish } from "~/shared/firmware/types";
import { useRun } from "~/shared/flow/use-run";
import { tellRun } from "./calls";
import { chartOf } from "./chart";
import { firmwareQuery } from "./queries";

/** One firmware run on screen. */
export function useFirmwareRun(first: FirmwareAnswer) {
  const cache = useQueryClient();
  const { id } = first;
  return useRun(first, {
    topic: `firmware:${id}`,
    chartOf,
    tell: (wish: FirmwareWish, key) => tellRun(id, wish, key),
    read: () => cache.fetchQuery(firmwareQuery(id)),
  });
}
