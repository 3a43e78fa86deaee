import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { beginsSerial, digitsOnly, isSerial, serialShape } from "~/shared/forms/validation";
import { ScanDigits, ScanSerial } from "~/shared/scan/scan-device";
import { handOn } from "~/shared/ui/hand-on";
import { NotKept } from "~/shared/ui/notes/as-of";
import { ProblemNote } from "~/shared/ui/notes/note";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import classes from "./devices.module.css";
import { keepProof } from "./proofs";
import { isListed, myDevicesQuery } from "./queries";

export type Narrowed = { startsWith: string; state?: "in-work" | undefined };

const DIGITS = /^[0-9]{5}$/;

/**
 * Opens a device by its serial number, or narrows the list to those that begin so. Without a signal it waits for one;
 * whoever types on, or goes elsewhere, before the answer is there is not led away by it.
 */
export function Find({ startsWith, state }: Narrowed) {
  const { t } = useLingui();
  const router = useRouter();
  const cache = useQueryClient();
  const online = useOnline();
  const { busy, problem, send, forget } = useSend();
  const last = useRef<symbol>(undefined);
  useEffect(
    () => () => {
      last.current = undefined;
    },
    [],
  );
  const fiveOrNone = (text: string) =>
    text === "" || DIGITS.test(text) ? undefined : t`Five digits`;
  const serialOrBeginning = (text: string, { digits }: Readonly<Record<string, string>>) => {
    const fits = digits ? isSerial(text) : text === "" || beginsSerial(text);
    return fits ? undefined : t`Serial number invalid`;
  };
  const form = useFields(
    {
      serial: { rules: [serialOrBeginning], initial: startsWith, shape: serialShape },
      digits: { rules: [fiveOrNone], shape: digitsOnly },
    },
    { leavable: true, onTyped: goOn },
  );

  function goOn() {
    last.current = undefined;
    forget();
  }

  async function find({ serial, digits }: typeof form.texts) {
    if (digits) keepProof(serial, digits);
    if (digits || isListed(cache, serial)) return open(serial);
    if (!isSerial(serial)) return narrow(serial);
    const begun = Symbol();
    last.current = begun;
    const { href } = router.latestLocation;
    let whole = false;
    const refused = await send(async () => {
      whole = await isWhole(serial);
    });
    if (refused || last.current !== begun || router.latestLocation.href !== href) return;
    return whole ? open(serial) : narrow(serial);
  }

  /** A serial number has no shape of its own: it is whole unless others of the list begin with it. */
  async function isWhole(serial: string): Promise<boolean> {
    const { pages } = await cache.fetchInfiniteQuery(myDevicesQuery(serial));
    return pages.every(({ results }) => results.every(({ device_key }) => device_key === serial));
  }

  const open = (key: string) => router.navigate({ to: "/devices/$key", params: { key } });
  const narrow = (begin: string) =>
    router.navigate({ to: "/devices", search: { q: begin || undefined, state } });

  return (
    <>
      <form ref={handOn} className={classes.find} onSubmit={form.submit(find)} noValidate>
        <TextInput
          size="md"
          label={t`Serial number`}
          description={t`A whole one opens the device; the beginning of one searches your devices.`}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          {...form.field("serial")}
        />
        <TextInput
          size="md"
          label={t`Last 5 digits of the SIM (ICCID), optional`}
          description={t`Needed only for a device that belongs to no business yet.`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          {...form.field("digits")}
        />
        <div className={classes.scans}>
          <ScanSerial onSerial={(serial) => form.set("serial", serial)} />
          <ScanDigits onDigits={(digits) => form.set("digits", digits)} />
        </div>
        <Button type="submit" size="md" loading={busy}>
          <Trans>Find</Trans>
        </Button>
      </form>
      <div className={classes.told}>
        {busy && !online ? <NotKept /> : null}
        <ProblemNote problem={problem} />
      </div>
    </>
  );
}
