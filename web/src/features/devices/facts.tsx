import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { nameOf } from "~/shared/vehicles/name";
import classes from "./devices.module.css";
import type { DeviceRecord } from "./queries";
import { STATE_WORDS } from "./words";

type Device = NonNullable<DeviceRecord["device"]>;

type FactsProps = { device: Device; isPlanSuspended: boolean };

/** What the device network says of it now. */
export function Facts({ device, isPlanSuspended }: FactsProps) {
  const { t, i18n } = useLingui();
  const state = STATE_WORDS[device.device_state];
  const { vehicle, keylocker } = device;
  return (
    <dl className={classes.facts} aria-label={t`Device`}>
      <Fact name={<Trans>Product</Trans>}>{device.product_name.toUpperCase()}</Fact>
      <Fact name={<Trans>State</Trans>}>
        {state ? i18n._(state) : device.device_state}
        {device.service_mode ? (
          <>
            {", "}
            <Trans>in service mode</Trans>
          </>
        ) : null}
      </Fact>
      <Fact name={<Trans>Firmware</Trans>}>{device.firmware_version ?? "–"}</Fact>
      {device.is_keylocker_present ? (
        <Fact name={<Trans>KeyLocker</Trans>}>{keylocker?.version ?? <Trans>Present</Trans>}</Fact>
      ) : null}
      <Fact name={<Trans>Controller</Trans>}>{controllerOf(device) || "–"}</Fact>
      <Fact name={<Trans>Vehicle</Trans>}>{vehicle ? nameOf(vehicle) : "–"}</Fact>
      <Fact name={<Trans>Plan</Trans>}>
        {device.plan ?? "–"}
        {isPlanSuspended ? (
          <>
            {", "}
            <Trans>suspended until it is paid</Trans>
          </>
        ) : null}
      </Fact>
    </dl>
  );
}

/** What the network calls a model that it does not know. */
const ANY_MODEL = "Controller";

function controllerOf({ controller_model, controller }: Device): string {
  const said = [controller_model === ANY_MODEL ? null : controller_model, controller];
  return [...new Set(said.filter(Boolean))].join(", ");
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
