import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { tellProblem } from "~/shared/alerts/alerts";
import { useFields } from "~/shared/forms/fields";
import { Choice } from "~/shared/ui/fields/choice";
import { Panel } from "~/shared/ui/screens/panel";
import { makesQuery, modelsQuery } from "~/shared/vehicles/queries";
import { rememberVehicle } from "~/shared/vehicles/search/recent";
import { Recents } from "~/shared/vehicles/search/vehicle-search";
import { years } from "~/shared/vehicles/years";
import { useDraft } from "../../draft";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";
import type { VehicleDetails } from "../../types";
import { useVinEntry, VinSearch } from "./vin-search";

type Fields = { year: string; make_id: string; model_id: string };

const NOTHING: Fields = { year: "", make_id: "", model_id: "" };

export function SetVehicleDetails({ run }: { run: Run }) {
  const { t } = useLingui();
  const { view } = run.answer;
  const draft = useDraft<Fields>(view.id, "set-vehicle-details");
  const known = draft.held ?? fieldsOf(view.facts.vehicle);
  const form = useFields(
    {
      year: { rules: ["required"], initial: known.year },
      make_id: { rules: ["required"], initial: known.make_id },
      model_id: { rules: ["required"], initial: known.model_id },
    },
    { leavable: true, onTyped: draft.keep },
  );
  const { year, make_id } = form.texts;
  const makes = useQuery(makesQuery(year ? Number(year) : undefined));
  const models = useQuery(
    modelsQuery(year ? Number(year) : undefined, make_id ? Number(make_id) : undefined),
  );
  // A VIN and a choice by hand exclude each other (devices spec 4).
  const byVin = useVinEntry({
    onTyped: () => {
      if (year) choose(NOTHING);
    },
    onFound: (vehicle) => choose(fieldsOf(vehicle)),
  });
  // A list that fails takes what was chosen from it along (devices spec 5).
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure
  useEffect(() => {
    if (!makes.error) return;
    void tellProblem(makes.error);
    choose(NOTHING);
  }, [makes.error]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure
  useEffect(() => {
    if (!models.error) return;
    void tellProblem(models.error);
    choose({ make_id: "", model_id: "" });
  }, [models.error]);

  function choose(changes: Partial<Fields>) {
    for (const [name, value] of Object.entries(changes)) form.set(name as keyof Fields, value);
  }

  function chooseByHand(changes: Partial<Fields>) {
    byVin.clear();
    choose(changes);
  }

  function save(fields: Fields) {
    const make = makes.data?.find((one) => String(one.id) === fields.make_id);
    const model = models.data?.find((one) => String(one.id) === fields.model_id);
    // One of those looked for lately that the lists hold no more.
    if (!make) return form.fault("make_id", t`Missing vehicle details`);
    if (!model) return form.fault("model_id", t`Missing vehicle details`);
    const named = { make_id: make.id, make: make.name, model_id: model.id, model: model.name };
    rememberVehicle({ year: Number(fields.year), ...named });
    run.ask({
      type: "SUBMIT",
      data: { year: Number(fields.year), ...named },
    });
  }

  return (
    <>
      <Panel className={classes.body}>
        <Recents
          onChoose={({ year, makeId, modelId }) =>
            chooseByHand({
              year: String(year),
              make_id: String(makeId),
              model_id: String(modelId),
            })
          }
        />
        <VinSearch entry={byVin} />
        <form id="vehicle" className={classes.form} onSubmit={form.submit(save)} noValidate>
          <div className={classes.selects}>
            <Choice
              label={t`Year`}
              placeholder={t`Choose`}
              {...form.choice("year")}
              options={years()}
              onChange={(value) => chooseByHand({ ...NOTHING, year: value })}
            />
            <Choice
              label={t`Make`}
              placeholder={year ? (makes.isPending ? t`Loading` : t`Choose`) : t`First the year`}
              disabled={!makes.data}
              {...form.choice("make_id")}
              options={options(makes.data)}
              onChange={(value) => chooseByHand({ make_id: value, model_id: "" })}
            />
            <Choice
              label={t`Model`}
              placeholder={
                make_id ? (models.isPending ? t`Loading` : t`Choose`) : t`First the make`
              }
              disabled={!models.data}
              {...form.choice("model_id")}
              options={options(models.data)}
              onChange={(value) => chooseByHand({ model_id: value })}
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
