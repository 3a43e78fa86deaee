import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { capitals, useFields } from "~/shared/forms/fields";
import { ScanSerial } from "~/shared/scan/scan-device";
import { handOn } from "~/shared/ui/hand-on";
import { CrossIcon } from "~/shared/ui/pictures/icons";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./devices-slide.module.css";
import { KnownDevices } from "./known-devices";

const KEY = /^(?!.*--)[A-Z0-9][A-Z0-9-]{2,38}[A-Z0-9]$/;
const BETWEEN = /[\s,;]+/;

/** At most as many as one purchase takes (`domain/plans/plans.py`). */
const MOST_DEVICES = 100;

const keysIn = (text: string) => text.split(BETWEEN).filter(Boolean);

function together(devices: readonly string[], text: string): string[] {
  return [...new Set([...devices, ...keysIn(text)])];
}

type DevicesSlideProps = {
  devices: readonly string[];
  onChange: (devices: string[]) => void;
  onDone: () => void;
};

/** Devices by their serial numbers, typed or pasted, or out of those of the business. */
export function DevicesSlide({ devices, onChange, onDone }: DevicesSlideProps) {
  const { t } = useLingui();
  const full = devices.length >= MOST_DEVICES;
  const areSerials = (text: string) => {
    const wrong = keysIn(text).find((key) => !KEY.test(key));
    return wrong && t`This is no serial number: ${wrong}`;
  };
  const areFew = (text: string) =>
    together(devices, text).length > MOST_DEVICES
      ? t`At most ${MOST_DEVICES} devices at once`
      : undefined;
  const form = useFields({
    serials: { rules: ["required", areSerials, areFew], shape: capitals },
  });

  function add({ serials }: typeof form.texts) {
    form.reset();
    onChange(together(devices, serials));
  }

  return (
    <>
      <Panel className={classes.panel}>
        <form className={classes.find} onSubmit={form.submit(add)} noValidate>
          <TextInput
            size="md"
            label={t`Serial number`}
            description={t`As on the device's label. Several can be pasted at once.`}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={4000}
            {...form.field("serials")}
          />
          <Button type="submit" size="md" variant="default" disabled={full}>
            <Trans>Add the device</Trans>
          </Button>
          {full ? null : <ScanSerial onSerial={(serial) => onChange(together(devices, serial))} />}
        </form>
        {devices.length > 0 ? (
          <>
            <h2>
              <Plural value={devices.length} one="# device chosen" other="# devices chosen" />
            </h2>
            <ul className={classes.chosen} aria-label={t`Chosen devices`}>
              {devices.map((key) => (
                <li key={key}>
                  <span>{key}</span>
                  <button
                    ref={handOn}
                    type="button"
                    aria-label={t`Remove: ${key}`}
                    onClick={() => onChange(devices.filter((one) => one !== key))}
                  >
                    <CrossIcon size={18} />
                  </button>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <p role="status">
            <Trans>No device is chosen yet.</Trans>
          </p>
        )}
        <Button size="lg" className={classes.on} disabled={devices.length === 0} onClick={onDone}>
          <Trans>Choose the plan</Trans>
        </Button>
      </Panel>
      <KnownDevices chosen={devices} full={full} onAdd={(key) => onChange([...devices, key])} />
    </>
  );
}
