import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { Note, ProblemNote } from "~/shared/ui/note";
import { useOnline } from "~/shared/ui/offline-bar";
import { vehicleByVin } from "~/shared/vehicles/by-vin";
import { asVin } from "~/shared/vehicles/vin";
import { FAULT_WORDS, vinFault } from "../schema";
import type { VehicleDetails } from "../types";
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
  const search = useMutation({ mutationFn: (typed: string) => vehicleByVin(queries, typed) });

  function put(text: string) {
    setVin(text);
    setFault(undefined);
    search.reset();
  }

  return {
    vin,
    fault,
    busy: search.isPending,
    problem: search.error ? problemOf(search.error) : undefined,
    found: search.data,
    clear: () => put(""),
    type(text: string) {
      put(asVin(text));
      onTyped();
    },
    find() {
      const wrong = vinFault(vin);
      setFault(wrong);
      if (wrong) search.reset();
      else search.mutate(vin, { onSuccess: onFound });
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
      {problem ? (
        <ProblemNote problem={problem} onRetry={problem.passing ? entry.find : undefined} />
      ) : null}
      {vehicle ? (
        <Note tone="ok">
          <Trans>Found: {vehicle}</Trans>
        </Note>
      ) : null}
    </form>
  );
}
