import { useLingui } from "@lingui/react/macro";
import classes from "./command-rows.module.css";

/** What a log entry says, as far as an installer can use it (device log fields, devices spec 3). */
export function Reading({ reading }: { reading: Record<string, unknown> }) {
  const { t } = useLingui();
  const known: [string, string][] = [
    ["latitude", t`Latitude`],
    ["longitude", t`Longitude`],
    ["cellular_signal_strength", t`Signal`],
    ["carrier", t`Carrier`],
    ["gps_status", t`GPS`],
    ["backup_battery_voltage", t`Backup battery (V)`],
  ];
  const shown = known.filter(([field]) => plain(reading[field]) !== undefined);
  if (shown.length === 0) return null;
  return (
    <p className={classes.reading}>
      {shown.map(([field, label]) => (
        <span key={field}>
          {label} <b>{plain(reading[field])}</b>
        </span>
      ))}
    </p>
  );
}

function plain(value: unknown): string | undefined {
  if (typeof value === "number") return String(Math.round(value * 100_000) / 100_000);
  return typeof value === "string" && value ? value : undefined;
}
