import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { useSend } from "~/shared/api/send";
import { Note, ProblemNote } from "~/shared/ui/note";
import { useOnline } from "~/shared/ui/offline-bar";
import { vehicleByVin } from "~/shared/vehicles/by-vin";
import { ScanVin } from "~/shared/vehicles/scan/scan-vin";
import { asVin, fitsCheckDigit, VIN_LENGTH } from "~/shared/vehicles/vin";
import { FAULT_WORDS, vinFault } from "../../schema";
import type { VehicleDetails } from "../../types";
import classes from "./vin-search.module.css";

type Told = {
  /** The VIN is another one now: what was chosen by hand or found before holds no longer. */
  onTyped: () => void;
  onFound: (vehicle: VehicleDetails) => void;
};

export type VinEntry = ReturnType<typeof useVinEntry>;

/** A typed VIN and the search for it. An answer that comes after the VIN was changed or cleared is dropped. */
export function useVinEntry({ onTyped, onFound }: Told) {
  const queries = useQueryClient();
  const [vin, setVin] = useState("");
  const [fault, setFault] = useState<ReturnType<typeof vinFault>>();
  const search = useSend<VehicleDetails>();
  const typed = useRef(0);

  function put(text: string) {
    setVin(text);
    setFault(undefined);
    search.forget();
    typed.current += 1;
  }

  function find(sought: string) {
    const wrong = vinFault(sought);
    setFault(wrong);
    if (wrong) return search.forget();
    const asked = typed.current;
    void search.send(async () => {
      const vehicle = await vehicleByVin(queries, sought);
      if (asked === typed.current) onFound(vehicle);
      return vehicle;
    });
  }

  return {
    vin,
    fault,
    busy: search.busy,
    problem: search.problem,
    found: search.answer,
    clear: () => put(""),
    type(text: string) {
      put(asVin(text));
      onTyped();
    },
    find: () => find(vin),
    /** Read by the camera: typed and searched at once. */
    scan(text: string) {
      put(asVin(text));
      onTyped();
      find(asVin(text));
    },
  };
}

/** The other way to name a vehicle: its VIN fills year, make and model. */
export function VinSearch({ entry }: { entry: VinEntry }) {
  const { t, i18n } = useLingui();
  const online = useOnline();
  const { vin, fault, busy, problem, found } = entry;
  const words = fault && FAULT_WORDS[fault];
  const vehicle = found && `${found.year} ${found.make} ${found.model}`;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!busy && online) entry.find();
  }

  return (
    <form className={classes.search} onSubmit={submit} noValidate aria-busy={busy}>
      <div className={classes.row}>
        <TextInput
          className={classes.vin}
          size="md"
          label={t`VIN`}
          description={t`17 letters and digits, never I, O or Q. It is not kept.`}
          inputWrapperOrder={["label", "description", "error", "input"]}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={vin}
          error={words ? i18n._(words) : undefined}
          onChange={(event) => entry.type(event.currentTarget.value)}
        />
        <Button type="submit" size="md" variant="default" loading={busy} disabled={!online}>
          <Trans>Find</Trans>
        </Button>
      </div>
      <ScanVin onVin={entry.scan} />
      {vin.length === VIN_LENGTH && !fitsCheckDigit(vin) ? (
        <Note tone="wait">
          <Trans>
            The check digit of this VIN does not fit. Please compare it; it is looked up all the
            same.
          </Trans>
        </Note>
      ) : null}
      <ProblemNote problem={problem} onRetry={problem?.passing ? entry.find : undefined} />
      {vehicle ? (
        <Note tone="ok">
          <Trans>Found: {vehicle}</Trans>
        </Note>
      ) : null}
    </form>
  );
}
