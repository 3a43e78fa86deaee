import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Heading } from "~/shared/ui/screens/heading";
import { withFoot } from "~/shared/ui/screens/task-foot";
import { nameOf } from "~/shared/vehicles/name";
import classes from "./firmware.module.css";
import { FirmwarePanel } from "./panel";

type Vehicle = Parameters<typeof nameOf>[0];

type FirmwareScreenProps = {
  deviceKey: string;
  /** Shows the task for a device that may be looked at, else why it may not. */
  open: (
    task: (digits: string | undefined, vehicle: Vehicle | undefined) => ReactNode,
  ) => ReactNode;
};

/** The update of one device as a task of its own. */
export function FirmwareScreen({ deviceKey, open }: FirmwareScreenProps) {
  return (
    <div className={`${classes.task} ${withFoot}`}>
      <Heading focusKey={deviceKey}>
        <Trans>Firmware update</Trans>
      </Heading>
      {open((digits, vehicle) => (
        <FirmwarePanel wanted={{ deviceKey, digits }} vehicle={vehicle && nameOf(vehicle)} />
      ))}
    </div>
  );
}
