import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Choice } from "~/shared/ui/fields/choice";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import { type VehicleKey, vehicleOf, vehicleValue } from "../address";
import { asVin, fitsCheckDigit, vinFault } from "../vin";
import { years } from "../years";
import { type RecentVehicle, useRecentVehicles } from "./recent";
import { ScanVin } from "./scan-vin";
import { useVehicleSearch } from "./use-search";
import classes from "./vehicle-search.module.css";

type VehicleSearchProps = {
  /** The vehicle that was found, as addresses write it. */
  onFound: (value: string) => void;
};

/** A vehicle by year, make and model, by its VIN, or one of those looked for lately (devices spec 2 and 4). */
export function VehicleSearch({ onFound }: VehicleSearchProps) {
  const { t } = useLingui();
  const online = useOnline();
  const { state, send, clear, makes, models } = useVehicleSearch(onFound);
  const { year, make, model, vin, problem, warned } = state.context;
  const busy = state.hasTag("busy");
  const incomplete = state.matches("incomplete");
  const required = (missing: boolean) =>
    incomplete && vin === "" && missing ? t`Required field` : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!busy && online) send({ type: "SEARCH" });
  }

  return (
    <form
      className={classes.search}
      onSubmit={submit}
      noValidate
      aria-busy={busy}
      aria-label={t`Vehicle search`}
    >
      <Recents
        onChoose={(vehicle) =>
          online ? send({ type: "RECENT", vehicle }) : onFound(vehicleValue(vehicle))
        }
      />
      <div className={classes.selects}>
        <Choice
          label={t`Year`}
          placeholder={t`Choose`}
          value={year === undefined ? "" : String(year)}
          options={years()}
          error={required(year === undefined)}
          onChange={(value) => send({ type: "YEAR", year: value ? Number(value) : undefined })}
        />
        <Choice
          label={t`Make`}
          placeholder={
            year === undefined ? t`First the year` : makes.isPending ? t`Loading` : t`Choose`
          }
          disabled={!makes.data}
          value={make ? String(make.id) : ""}
          options={options(makes.data)}
          error={required(make === undefined)}
          onChange={(value) => send({ type: "MAKE", make: named(makes.data, value) })}
        />
        <Choice
          label={t`Model`}
          placeholder={
            make === undefined ? t`First the make` : models.isPending ? t`Loading` : t`Choose`
          }
          disabled={!models.data}
          value={model ? String(model.id) : ""}
          options={options(models.data)}
          error={required(model === undefined)}
          onChange={(value) => send({ type: "MODEL", model: named(models.data, value) })}
        />
      </div>
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
        error={incomplete ? vinWords() : undefined}
        onChange={(event) => send({ type: "VIN", vin: asVin(event.currentTarget.value) })}
      />
      <ScanVin
        onVin={(scanned) => {
          send({ type: "VIN", vin: scanned });
          if (online) send({ type: "SEARCH" });
        }}
      />
      {warned || (vinFault(vin) === undefined && !fitsCheckDigit(vin)) ? (
        <Note tone="wait">
          <Trans>
            The check digit of this VIN does not fit. Please compare it; it is looked up all the
            same.
          </Trans>
        </Note>
      ) : null}
      {incomplete && vin === "" ? (
        <Note tone="fail">
          <Trans>Please select a Year, Make and Model to continue</Trans>
        </Note>
      ) : null}
      {problem ? <ProblemNote problem={problem} /> : null}
      <Button type="submit" size="md" loading={busy} disabled={!online}>
        <Trans>Search</Trans>
      </Button>
      {year !== undefined || vin !== "" ? (
        <Button variant="subtle" size="md" onClick={clear}>
          <Trans>Clear the search</Trans>
        </Button>
      ) : null}
    </form>
  );

  function vinWords(): string | undefined {
    if (vin !== "")
      return t`Unable to find a vehicle using this vin. Please check your vin for accuracy or search by year, make, and model.`;
    return year === undefined ? t`Please provide a vehicle VIN number to continue` : undefined;
  }
}

/** Those looked for lately, the newest first; one that names no vehicle is told. */
export function Recents({ onChoose }: { onChoose: (vehicle: VehicleKey) => void }) {
  const { t } = useLingui();
  const recent = useRecentVehicles();
  const [missing, setMissing] = useState(false);
  if (recent.length === 0) return null;

  function choose(value: string) {
    if (value === "") return;
    const vehicle = vehicleOf(value);
    setMissing(vehicle === undefined);
    if (vehicle) onChoose(vehicle);
  }

  return (
    <Choice
      label={t`Recent vehicles`}
      placeholder={t`Choose`}
      value=""
      options={[...recent]
        .reverse()
        .map(({ name, value }: RecentVehicle) => ({ value, label: name }))}
      error={missing ? t`Missing vehicle details` : undefined}
      onChange={choose}
    />
  );
}

function named(list: readonly { id: number; name: string }[] | undefined, value: string) {
  return list?.find(({ id }) => String(id) === value);
}

function options(list: readonly { id: number; name: string }[] | undefined) {
  return (list ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
}
