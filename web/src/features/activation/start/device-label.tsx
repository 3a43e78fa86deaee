import { useLingui } from "@lingui/react/macro";
import classes from "./device-label.module.css";

/** Where the numbers stand on a device: drawn, since every family carries the same label. */
export function DeviceLabel() {
  const { t } = useLingui();
  return (
    <figure className={classes.figure}>
      <svg
        viewBox="0 0 320 200"
        role="img"
        aria-label={t`The label of a device: serial number above, SIM number below`}
      >
        <rect x="18" y="18" width="284" height="164" rx="16" className={classes.body} />
        <path d="M40 18v-8h30v8m20 0v-8h30v8m150 164v8h-60v-8" className={classes.plug} />
        <rect x="52" y="48" width="216" height="104" rx="8" className={classes.label} />
        <path
          d="M66 66v20m5-20v20m3-20v20m6-20v20m3-20v20m7-20v20m3-20v20m5-20v20m6-20v20m3-20v20m4-20v20m7-20v20m3-20v20m6-20v20"
          className={classes.bars}
        />
        <rect x="62" y="96" width="150" height="18" rx="4" className={classes.mark} />
        <text x="67" y="109" className={classes.text}>
          S/N FT-X1-00000042
        </text>
        <text x="67" y="136" className={classes.text}>
          ICCID 8930 … 4
        </text>
        <rect x="157" y="123" width="50" height="18" rx="4" className={classes.mark} />
        <text x="162" y="136" className={classes.text}>
          48356
        </text>
      </svg>
    </figure>
  );
}
