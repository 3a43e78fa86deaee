import { expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";
import { Problem } from "~/shared/api/errors";
import { vinFault } from "../vin";
import { chosenVehicle, type SearchContext, type SearchEvent, vehicleSearch } from "./search.chart";

const TOYOTA = { id: 448, name: "Toyota" };
const CAMRY = { id: 2469, name: "Camry" };
const FOUND = { year: 2022, make_id: 448, make: "Toyota", model_id: 2469, model: "Camry" };
const RECENT = { year: 2019, makeId: 11, modelId: 50 };
const VIN = "4T1B11HK9NA100001";
const away = new Problem(503, { code: "vin_search_unavailable" });

const EVENTS: SearchEvent[] = [
  { type: "YEAR", year: 2022 },
  { type: "YEAR", year: undefined },
  { type: "MAKE", make: TOYOTA },
  { type: "MODEL", model: CAMRY },
  { type: "VIN", vin: VIN },
  { type: "VIN", vin: "4T1" },
  { type: "VIN", vin: `${VIN}2` },
  { type: "VIN", vin: VIN.replace("1", "I") },
  { type: "RECENT", vehicle: RECENT },
  { type: "MAKES_FAILED", problem: away },
  { type: "MODELS_FAILED", problem: away },
  { type: "SEARCH" },
  { type: "RESET" },
];
const OUTCOMES: Record<string, { type: string; output?: unknown; error?: unknown }[]> = {
  decoding: [
    { type: "xstate.done.actor.0.vehicle-search.decoding", output: FOUND },
    { type: "xstate.error.actor.0.vehicle-search.decoding", error: away },
  ],
  fetching: [
    { type: "xstate.done.actor.0.vehicle-search.fetching", output: undefined },
    { type: "xstate.error.actor.0.vehicle-search.fetching", error: away },
  ],
};

/** A choice that the screen can make: a make needs a year, a model a make. */
function isPossible(context: SearchContext, event: SearchEvent): boolean {
  if (event.type === "MAKE") return context.year !== undefined;
  if (event.type === "MODEL") return context.make !== undefined;
  return true;
}

const paths = getShortestPaths(vehicleSearch, {
  input: {},
  events: (snapshot) =>
    [
      ...EVENTS.filter((event) => isPossible(snapshot.context, event)),
      ...(OUTCOMES[String(snapshot.value)] ?? []),
    ] as SearchEvent[], // the outcomes of actors are events of their own kind
  limit: 5000,
});

test("the model walks through every state", () => {
  expect(new Set(paths.map(({ state }) => String(state.value)))).toEqual(
    new Set(["choosing", "incomplete", "decoding", "fetching", "found"]),
  );
});

test.each([
  [
    "a later choice never stands without the earlier one",
    ({ year, make, model }: SearchContext) =>
      (!make || year !== undefined) && (!model || make !== undefined),
  ],
  [
    "nothing is chosen by hand while a VIN is typed, but what the VIN itself told",
    ({ vin, year, former }: SearchContext, state: string) =>
      vin === "" ||
      year === undefined ||
      ["fetching", "found"].includes(state) ||
      former.year === year,
  ],
  [
    "only a whole vehicle is fetched or found",
    (context: SearchContext, state: string) =>
      !["fetching", "found"].includes(state) || chosenVehicle(context) !== undefined,
  ],
  [
    "only a whole VIN is decoded",
    ({ vin }: SearchContext, state: string) => state !== "decoding" || vinFault(vin) === undefined,
  ],
  [
    "a problem is told where one can choose again",
    ({ problem }: SearchContext, state: string) =>
      !problem || ["choosing", "incomplete"].includes(state),
  ],
])("in every state that can be reached, %s", (_, holds) => {
  const broken = paths.filter(({ state }) => !holds(state.context, String(state.value)));
  expect(broken.map(({ steps }) => steps.map(({ event }) => event.type))).toEqual([]);
});

test("an empty result brings the former vehicle back, with the reason", async () => {
  const nothing = new Problem(404, { code: "no_vehicle_data" });
  const actor = createActor(
    vehicleSearch.provide({
      actors: {
        decode: fromPromise(async () => FOUND),
        fetch: fromPromise(async ({ input }) => {
          if (input.model_id === RECENT.modelId) throw nothing;
        }),
      },
    }),
    { input: {} },
  ).start();
  actor.send({ type: "VIN", vin: VIN });
  actor.send({ type: "SEARCH" });
  await waitFor(actor, (state) => state.matches("found"));
  expect(chosenVehicle(actor.getSnapshot().context)).toEqual(FOUND);
  actor.send({ type: "RECENT", vehicle: RECENT });
  const back = await waitFor(actor, (state) => state.matches("choosing"));
  expect(back.context.problem).toBe(nothing);
  expect(chosenVehicle(back.context)).toEqual(FOUND);
});

test("an answer that comes after a change is dropped", async () => {
  let tell: (vehicle: typeof FOUND) => void = () => undefined;
  const actor = createActor(
    vehicleSearch.provide({
      actors: { decode: fromPromise(() => new Promise<typeof FOUND>((done) => (tell = done))) },
    }),
    { input: {} },
  ).start();
  actor.send({ type: "VIN", vin: VIN });
  actor.send({ type: "SEARCH" });
  actor.send({ type: "YEAR", year: 2020 });
  tell(FOUND);
  await Promise.resolve();
  expect(actor.getSnapshot().context).toMatchObject({ year: 2020, vin: "", make: undefined });
});
