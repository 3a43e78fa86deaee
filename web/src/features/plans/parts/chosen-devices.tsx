import { Plural, Trans } from "@lingui/react/macro";
import classes from "../plans.module.css";

type ChosenDevicesProps = { devices: readonly string[]; onChange: () => void };

/** For which devices the plan is chosen. */
export function ChosenDevices({ devices, onChange }: ChosenDevicesProps) {
  const [first, ...others] = devices;
  return (
    <p className={classes.chosen}>
      <span className={classes.key}>{first}</span>
      {others.length > 0 ? (
        <span>
          <Plural value={others.length} one="and # more device" other="and # more devices" />
        </span>
      ) : null}
      <button type="button" className={classes.link} onClick={onChange}>
        <Trans>Change the devices</Trans>
      </button>
    </p>
  );
}
