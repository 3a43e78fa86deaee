import type { QueryClient } from "@tanstack/react-query";
import { answered, client } from "~/shared/api/client";
import { Problem, problemOf } from "~/shared/api/errors";
import { makesQuery, modelsQuery } from "../queries";
import type { VehicleDetails } from "../types";
import { isListedYear } from "../years";

type Decoded = VehicleDetails & { warning?: "check_digit" };

/**
 * The vehicle of our lists that a VIN belongs to. What is decoded but not in them is a failure like any other (devices
 * spec 8). The VIN itself is in no address, no key of a query and no draft.
 */
export async function vehicleByVin(queries: QueryClient, vin: string): Promise<Decoded> {
  try {
    return await lookedUp(queries, vin);
  } catch (cause) {
    const problem = problemOf(cause);
    if (problem.status === 503) throw new Problem(503, { code: "vin_search_unavailable" });
    throw problem.code.startsWith("vin_") ? problem : unlessPassing(problem);
  }
}

/** Whatever fails is no data, but what says nothing of the vehicle: no answer, or too many questions. */
export function unlessPassing(problem: Problem): Problem {
  return problem.code === "unreachable" || problem.status === 429 ? problem : noData();
}

async function lookedUp(queries: QueryClient, vin: string): Promise<Decoded> {
  const told = await answered(client.POST("/api/dot-vehicle-by-vin", { body: { vin } }));
  const year = told.ModelYear;
  if (!isListedYear(year)) throw noData();
  const make = named(await queries.fetchQuery(makesQuery(year)), told.Make);
  if (!make) throw noData();
  const model = named(await queries.fetchQuery(modelsQuery(year, make.id)), told.Model);
  if (!model) throw noData();
  const vehicle = {
    year,
    make_id: make.id,
    make: make.name,
    model_id: model.id,
    model: model.name,
  };
  return told.warning ? { ...vehicle, warning: told.warning } : vehicle;
}

function named<T extends { name: string }>(list: readonly T[], name: string): T | undefined {
  return list.find((one) => plain(one.name) === plain(name));
}

/** Decoders write makes in capitals, and hyphens, spaces and accents as they like. */
export function plain(name: string): string {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

export function noData(): Problem {
  return new Problem(404, {
    code: "no_vehicle_data",
    detail: "No data available. Please try again using a different vehicle.",
  });
}
