import { useLingui } from "@lingui/react/macro";
import { Popover } from "@mantine/core";
import { Standing, useBelow } from "~/shared/ui/dialogs/below";
import type { Below } from "~/shared/ui/dialogs/opener";
import { VehicleSearch } from "./vehicle-search";

type VehiclePopoverProps = Below & { onFound: (vehicle: string) => void };

/** The search for a vehicle below its button. */
export default function VehiclePopover({ onFound, ...below }: VehiclePopoverProps) {
  const { t } = useLingui();
  return (
    <Popover
      {...useBelow(below)}
      position="bottom-end"
      width={420}
      shadow="md"
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Standing button={below.button} />
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Search by vehicle`}>
        <VehicleSearch onFound={onFound} />
      </Popover.Dropdown>
    </Popover>
  );
}
