import { useQueryClient } from "@tanstack/react-query";
import { FIRMWARE } from "~/shared/firmware/flow";
import type { FirmwareAnswer, FirmwareWish } from "~/shared/firmware/types";
import { type Flow, useFlow } from "~/shared/flow/use-flow";
import { tellRun } from "./calls";
import { firmwareQuery } from "./queries";

/** One firmware run on screen. */
export function useFirmwareRun(first: FirmwareAnswer): Flow<FirmwareAnswer, FirmwareWish> {
  const cache = useQueryClient();
  const { id } = first;
  return useFlow(first, {
    topic: `firmware:${id}`,
    kind: FIRMWARE,
    tell: (wish, key) => tellRun(id, wish, key),
    read: () => cache.fetchQuery(firmwareQuery(id)),
  });
}
