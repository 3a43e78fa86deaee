import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ChangeEvent, type FormEvent, useRef } from "react";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import { nameOf } from "~/shared/vehicles/name";
import { vehicleByVin } from "~/shared/vehicles/search/by-vin";
import { ScanVin } from "~/shared/vehicles/search/scan-vin";
import { asVin, fitsCheckDigit, vinFault } from "~/shared/vehicles/vin";
import { useFaultWords } from "../../schema";
import type { VehicleDetails } from "../../types";
import classes from "./vin-search.module.css";

type Told = {
  /** The VIN is another one now: what was chosen by hand or found before holds no longer. */
  onTyped: () => void;
  onFound: (vehicle: VehicleDetails) => void;
};

type VinEntry = ReturnType<typeof useVinEntry>;

/** A typed VIN and the search for it. An answer that comes after the VIN was changed or cleared is dropped. */
export function useVinEntry({ onTyped, onFound }: Told) {
  const queries = useQueryClient();
  const words = useFaultWords();
  const form = useFields(
    { vin: { rules: [(vin) => words(vinFault(vin))], shape: asVin } },
    { leavable: true },
  );
  const field = form.field("vin");
  const search = useSend<VehicleDetails>();
  const typed = useRef(0);

  function drop() {
    search.forget();
    typed.current += 1;
  }

  function find(sought: string) {
    const asked = typed.current;
    void search.send(async () => {
      const vehicle = await vehicleByVin(queries, sought);
      if (asked === typed.current) onFound(vehicle);
      return vehicle;
    });
  }

  return {
    vin: form.texts.vin,
    busy: search.busy,
    problem: search.problem,
    found: search.answer,
    clear() {
      drop();
      form.set("vin", "");
    },
    field: {
      ...field,
      onChange(event: ChangeEvent<HTMLInputElement>) {
        drop();
        field.onChange(event);
        onTyped();
      },
    },
    submit: form.submit(({ vin }) => find(vin)),
    again: () => find(form.texts.vin),
    /** Read by the camera: typed and searched at once. */
    scan(text: string) {
      const vin = asVin(text);
      const wrong = words(vinFault(vin));
      drop();
      form.set("vin", vin);
      onTyped();
      if (wrong) form.fault("vin", wrong);
      else find(vin);
    },
  };
}

/** The other way to name a vehicle: its VIN fills year, make and model. */
export function VinSearch({ entry }: { entry: VinEntry }) {
  const { t } = useLingui();
  const online = useOnline();
  const { vin, busy, problem, found } = entry;
  const vehicle = found && nameOf(found);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!busy && online) void entry.submit(event);
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
          {...entry.field}
        />
        <Button type="submit" size="md" variant="default" loading={busy} disabled={!online}>
          <Trans>Find</Trans>
        </Button>
      </div>
      <ScanVin onVin={entry.scan} />
      {vinFault(vin) === undefined && !fitsCheckDigit(vin) ? (
        <Note tone="wait">
          <Trans>
            The check digit of this VIN does not fit. Please compare it; it is looked up all the
            same.
          </Trans>
        </Note>
      ) : null}
      <ProblemNote problem={problem} onRetry={problem?.passing ? entry.again : undefined} />
      {vehicle ? (
        <Note tone="ok">
          <Trans>Found: {vehicle}</Trans>
        </Note>
      ) : null}
    </form>
  );
}
