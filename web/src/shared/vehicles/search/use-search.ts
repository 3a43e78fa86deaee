import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useMachine } from "@xstate/react";
import { useEffect, useState } from "react";
import { fromPromise } from "xstate";
import { tellProblem } from "~/shared/alerts/alerts";
import { problemOf } from "~/shared/api/errors";
import { session } from "~/shared/session/session";
import { type VehicleKey, vehicleValue } from "../address";
import { chooseVehicle, clearVehicle, useChosenVehicle, vehicleAside } from "../chosen";
import { externalWiringQuery, internalWiringQuery, makesQuery, modelsQuery } from "../queries";
import type { VehicleDetails } from "../types";
import { noData, unlessPassing, vehicleByVin } from "./by-vin";
import { entryOf, recentVehicle, rememberVehicle } from "./recent";
import { chosenVehicle, vehicleSearch } from "./search.chart";

/** The search for a vehicle with its lists; begins with the chosen one. `onFound` gets the vehicle as addresses write it. */
export function useVehicleSearch(onFound: (value: string) => void) {
  const queries = useQueryClient();
  /** None where a part stands alone. */
  const router: ReturnType<typeof useRouter> | undefined = useRouter({ warn: false });
  const [aside] = useState(vehicleAside);
  const [machine] = useState(() =>
    vehicleSearch.provide({
      actors: actorsFor(queries),
      actions: { "clear the vehicle": aside.clear, "bring the vehicle back": aside.bringBack },
    }),
  );
  const chosen = useChosenVehicle()?.key;
  const [state, send] = useMachine(machine, { input: { chosen } });
  const { year, make, model } = state.context;
  const makes = useQuery(makesQuery(year));
  const models = useQuery(modelsQuery(year, make?.id));

  useEffect(() => {
    if (!makes.error) return;
    void tellProblem(makes.error);
    send({ type: "MAKES_FAILED", problem: problemOf(makes.error) });
  }, [makes.error, send]);
  useEffect(() => {
    if (!models.error) return;
    void tellProblem(models.error);
    send({ type: "MODELS_FAILED", problem: problemOf(models.error) });
  }, [models.error, send]);

  const found = state.matches("found");
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for each search that found something
  useEffect(() => {
    const vehicle = found ? chosenVehicle({ year, make, model }) : undefined;
    if (!vehicle) return;
    const value = addressOf(vehicle);
    const named = {
      ...vehicle,
      make: nameIn(makes.data, vehicle.make_id) ?? vehicle.make,
      model: nameIn(models.data, vehicle.model_id) ?? vehicle.model,
    };
    aside.drop(value);
    if (isTold(queries, vehicle)) rememberVehicle(named);
    // Its page does so only as it opens: it may be open already, with another search having cleared the vehicle.
    const entry = entryOf(named) ?? recentVehicle(value);
    if (entry && session().state === "signed-in") chooseVehicle(entry);
    onFound(value);
  }, [found]);

  /** All of it (devices spec 4, "Full reset"): the page of a vehicle's wiring as well, which holds its find and trim. */
  function clear() {
    aside.drop();
    clearVehicle();
    send({ type: "RESET" });
    if (router?.state.location.pathname === "/wiring") void router.navigate({ to: "/wiring" });
  }

  return { state, send, clear, makes, models };
}

function actorsFor(queries: QueryClient) {
  return {
    decode: fromPromise(({ input }: { input: string }) => vehicleByVin(queries, input)),
    fetch: fromPromise(({ input }: { input: VehicleDetails }) => fetchVehicle(queries, input)),
  };
}

/** Resolves when there is something to show of the vehicle. Visitors sign in first, so that nothing is asked for them. */
async function fetchVehicle(queries: QueryClient, vehicle: VehicleDetails): Promise<void> {
  if (session().state !== "signed-in") return;
  const key = keyOf(vehicle);
  const [internal, external] = await Promise.allSettled([
    queries.fetchQuery(internalWiringQuery(key)),
    queries.fetchQuery(externalWiringQuery(key)),
  ]);
  if (internal.status === "fulfilled" && internal.value) return;
  if (external.status === "fulfilled" && external.value) return;
  throw internal.status === "rejected" ? unlessPassing(problemOf(internal.reason)) : noData();
}

/** Whether any source told something; of visitors, for whom nothing was asked, nobody knows. */
function isTold(queries: QueryClient, vehicle: VehicleDetails): boolean {
  const key = keyOf(vehicle);
  const external = queries.getQueryData(externalWiringQuery(key).queryKey);
  const { adsWiring, autoMobWiring, products } = external ?? {};
  return (
    !external ||
    Boolean(queries.getQueryData(internalWiringQuery(key).queryKey)) ||
    [...(adsWiring ?? []), ...(autoMobWiring ?? [])].some(({ wires }) => wires.length > 0) ||
    Boolean(products?.length)
  );
}

function keyOf(vehicle: VehicleDetails): VehicleKey {
  return { year: vehicle.year, makeId: vehicle.make_id, modelId: vehicle.model_id };
}

function nameIn(list: readonly { id: number; name: string }[] | undefined, sought: number) {
  return list?.find(({ id }) => id === sought)?.name;
}

function addressOf(vehicle: VehicleDetails): string {
  return vehicleValue(keyOf(vehicle));
}
