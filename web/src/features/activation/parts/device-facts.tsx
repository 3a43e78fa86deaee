import { Trans, useLingui } from "@lingui/react/macro";
import classes from "./device-facts.module.css";
import { Verified } from "./verified";

type Known = {
  device_key: string;
  product_name?: string | null;
  device_state?: string | null;
  firmware_version?: string | null;
};

type DeviceFactsProps = {
  device: Known;
  brief?: boolean;
  replaced?: { old_device_key: string; verified: boolean } | null;
};

/** What the device network said when the device was checked; `brief` leaves out what has changed since. */
export function DeviceFacts({ device, brief = false, replaced }: DeviceFactsProps) {
  const { t } = useLingui();
  const states: Record<string, string> = {
    new: t`New`,
    activated: t`Activated`,
    installed: t`Installed`,
    paused: t`Paused`,
  };
  return (
    <dl className={classes.facts} aria-label={t`Device`}>
      <dt>
        <Trans>Serial number</Trans>
      </dt>
      <dd className={classes.key}>{device.device_key}</dd>
      <dt>
        <Trans>Product</Trans>
      </dt>
      <dd>{device.product_name?.toUpperCase() ?? "–"}</dd>
      {brief ? null : (
        <>
          <dt>
            <Trans>State</Trans>
          </dt>
          <dd>{states[device.device_state ?? ""] ?? device.device_state ?? "–"}</dd>
        </>
      )}
      {device.firmware_version && !brief ? (
        <>
          <dt>
            <Trans>Firmware</Trans>
          </dt>
          <dd>{device.firmware_version}</dd>
        </>
      ) : null}
      {replaced ? (
        <>
          <dt>
            <Trans>Replaces</Trans>
          </dt>
          <dd>
            <span className={classes.key}>{replaced.old_device_key}</span>{" "}
            <Verified verified={replaced.verified} />
          </dd>
        </>
      ) : null}
    </dl>
  );
}
