import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Controller, useForm } from "react-hook-form";
import { problemOf } from "~/shared/api/errors";
import { useUnsaved } from "~/shared/forms/unsaved";
import { Choice } from "~/shared/ui/choice";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import { makesQuery, modelsQuery } from "~/shared/vehicles/queries";
import { years } from "~/shared/vehicles/years";
import { useDraft } from "../../draft";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import { vehicleSchema } from "../../schema";
import type { Run } from "../../session-hook";
import type { VehicleDetails } from "../../types";
import { useVinEntry, VinSearch } from "./vin-search";

type Fields = { year: string; make_id: string; model_id: string };

const NOTHING: Fields = { year: "", make_id: "", model_id: "" };

export function SetVehicleDetails({ run }: { run: Run }) {
  const { t } = useLingui();
  const { view } = run.answer;
  const draft = useDraft<Fields>(view.id, "set-vehicle-details");
  const form = useForm<Fields, unknown, Fields>({
    resolver: standardSchemaResolver(vehicleSchema),
    defaultValues: draft.held ?? fieldsOf(view.facts.vehicle),
  });
  const { errors, isDirty } = form.formState;
  const { year, make_id } = form.watch();
  const makes = useQuery(makesQuery(year ? Number(year) : undefined));
  const models = useQuery(
    modelsQuery(year ? Number(year) : undefined, make_id ? Number(make_id) : undefined),
  );
  // A VIN and a choice by hand exclude each other (devices spec 4).
  const byVin = useVinEntry({
    onTyped: () => {
      if (form.getValues("year")) choose(NOTHING);
    },
    onFound: (vehicle) => choose(fieldsOf(vehicle)),
  });
  const failed = makes.error ?? models.error;
  useUnsaved(isDirty && !draft.held && run.sent === undefined);
  const required = (present: boolean) => (present ? t`Required field` : undefined);

  function choose(changes: Partial<Fields>) {
    const next = { ...form.getValues(), ...changes };
    for (const [name, value] of Object.entries(changes))
      form.setValue(name as keyof Fields, value, {
        shouldDirty: true,
        shouldValidate: form.formState.isSubmitted,
      });
    draft.keep(next);
  }

  function chooseByHand(changes: Partial<Fields>) {
    byVin.clear();
    choose(changes);
  }

  function save(fields: Fields) {
    const make = makes.data?.find((one) => String(one.id) === fields.make_id);
    const model = models.data?.find((one) => String(one.id) === fields.model_id);
    if (!make || !model) return;
    const named = { make_id: make.id, make: make.name, model_id: model.id, model: model.name };
    run.ask({
      type: "SUBMIT",
      data: { year: Number(fields.year), ...named },
    });
  }

  return (
    <>
      <Panel className={classes.body}>
        <VinSearch entry={byVin} />
        <form id="vehicle" className={classes.form} onSubmit={form.handleSubmit(save)} noValidate>
          {failed ? (
            <ProblemNote
              problem={problemOf(failed)}
              onRetry={() => void (makes.error ? makes.refetch() : models.refetch())}
            />
          ) : null}
          <div className={classes.selects}>
            <Controller
              control={form.control}
              name="year"
              render={({ field }) => (
                <Choice
                  label={t`Year`}
                  placeholder={t`Choose`}
                  value={field.value}
                  options={years()}
                  error={required(errors.year !== undefined)}
                  onChange={(value) => chooseByHand({ ...NOTHING, year: value })}
                />
              )}
            />
            <Controller
              control={form.control}
              name="make_id"
              render={({ field }) => (
                <Choice
                  label={t`Make`}
                  placeholder={
                    year ? (makes.isPending ? t`Loading` : t`Choose`) : t`First the year`
                  }
                  disabled={!makes.data}
                  value={field.value}
                  options={options(makes.data)}
                  error={required(errors.make_id !== undefined)}
                  onChange={(value) => chooseByHand({ make_id: value, model_id: "" })}
                />
              )}
            />
            <Controller
              control={form.control}
              name="model_id"
              render={({ field }) => (
                <Choice
                  label={t`Model`}
                  placeholder={
                    make_id ? (models.isPending ? t`Loading` : t`Choose`) : t`First the make`
                  }
                  disabled={!models.data}
                  value={field.value}
                  options={options(models.data)}
                  error={required(errors.model_id !== undefined)}
                  onChange={(value) => chooseByHand({ model_id: value })}
                />
              )}
            />
          </div>
          {makes.data?.length === 0 ? (
            <p>
              <Trans>No makes are known for this year. Please choose another one.</Trans>
            </p>
          ) : null}
        </form>
      </Panel>
      <StepActions run={run} label={<Trans>Save the vehicle</Trans>} form="vehicle" />
    </>
  );
}

function fieldsOf(vehicle: VehicleDetails | null | undefined): Fields {
  if (!vehicle) return NOTHING;
  const { year, make_id, model_id } = vehicle;
  return { year: String(year), make_id: String(make_id), model_id: String(model_id) };
}

function options(list: readonly { id: number; name: string }[] | undefined) {
  return (list ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
}
