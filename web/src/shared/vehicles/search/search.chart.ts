import { assign, fromPromise, setup } from "xstate";
import type { Problem } from "~/shared/api/errors";
import type { VehicleKey } from "../address";
import type { VehicleDetails } from "../types";
import { vinFault } from "../vin";

type Named = { id: number; name: string };
type Chosen = { year?: number; make?: Named; model?: Named };

/** `former` is what was chosen when a search last found something, or before this one began. */
export type SearchContext = Chosen & {
  vin: string;
  former: Chosen;
  problem?: Problem;
  warned: boolean;
};

export type SearchEvent =
  | { type: "YEAR"; year?: number }
  | { type: "MAKE"; make?: Named }
  | { type: "MODEL"; model?: Named }
  | { type: "VIN"; vin: string }
  | { type: "RECENT"; vehicle: VehicleKey }
  | { type: "MAKES_FAILED"; problem: Problem }
  | { type: "MODELS_FAILED"; problem: Problem }
  | { type: "SEARCH" }
  | { type: "RESET" };

type Decoded = VehicleDetails & { warning?: "check_digit" };

const NOTHING = { year: undefined, make: undefined, model: undefined };
const EMPTY: SearchContext = {
  ...NOTHING,
  vin: "",
  former: {},
  problem: undefined,
  warned: false,
};

/**
 * The search for a vehicle (devices spec 4): each choice clears what follows and the vehicle, a VIN and a year exclude each
 * other, an answer that comes after a change is dropped, and a search without a result brings the former choice and its vehicle
 * back. `decode` tells the vehicle of a VIN, `fetch` resolves when there is something to show of a vehicle; both reject with a
 * Problem. It begins with the vehicle that is chosen already.
 */
export const vehicleSearch = setup({
  types: {
    context: {} as SearchContext,
    events: {} as SearchEvent,
    input: {} as { chosen?: VehicleKey },
    tags: {} as "busy",
  },
  actors: {
    decode: fromPromise<Decoded, string>(() => Promise.reject(new Error("not provided"))),
    fetch: fromPromise<void, VehicleDetails>(() => Promise.reject(new Error("not provided"))),
  },
  guards: {
    "a VIN is complete": ({ context }) => vinFault(context.vin) === undefined,
    "year, make and model are chosen": ({ context }) => chosenVehicle(context) !== undefined,
  },
  actions: {
    "forget the problem": assign({ problem: undefined, warned: false }),
    "go back to the former choice": assign(({ context }) => ({
      ...NOTHING,
      vin: "",
      ...context.former,
    })),
    "clear the vehicle": () => undefined,
    "bring the vehicle back": () => undefined,
    "keep the choice": assign(({ context: { year, make, model } }) => ({
      former: { year, make, model },
    })),
  },
}).createMachine({
  id: "vehicle-search",
  context: ({ input: { chosen } }) =>
    chosen ? { ...EMPTY, ...choiceBy(chosen), former: choiceBy(chosen) } : EMPTY,
  initial: "choosing",
  on: {
    YEAR: {
      target: ".choosing",
      actions: [
        "forget the problem",
        "clear the vehicle",
        assign(({ event }) => ({ ...NOTHING, vin: "", year: event.year })),
      ],
    },
    MAKE: {
      target: ".choosing",
      actions: [
        "forget the problem",
        "clear the vehicle",
        assign(({ event }) => ({ vin: "", make: event.make, model: undefined })),
      ],
    },
    MODEL: {
      target: ".choosing",
      actions: [
        "forget the problem",
        "clear the vehicle",
        assign(({ event }) => ({ vin: "", model: event.model })),
      ],
    },
    VIN: {
      target: ".choosing",
      actions: [
        "forget the problem",
        "clear the vehicle",
        assign(({ event }) => ({ ...NOTHING, vin: event.vin })),
      ],
    },
    RECENT: {
      target: ".fetching",
      actions: [
        "forget the problem",
        assign(({ event }) => ({ vin: "", ...choiceBy(event.vehicle) })),
      ],
    },
    MAKES_FAILED: {
      target: ".choosing",
      actions: assign(({ event }) => ({ ...NOTHING, vin: "", problem: event.problem })),
    },
    MODELS_FAILED: {
      target: ".choosing",
      actions: assign(({ event }) => ({
        vin: "",
        make: undefined,
        model: undefined,
        problem: event.problem,
      })),
    },
    RESET: { target: ".choosing", actions: assign(() => EMPTY) },
  },
  states: {
    choosing: {
      on: {
        SEARCH: [
          { guard: "a VIN is complete", target: "decoding", actions: "forget the problem" },
          {
            guard: "year, make and model are chosen",
            target: "fetching",
            actions: "forget the problem",
          },
          { target: "incomplete" },
        ],
      },
    },
    incomplete: {
      on: {
        SEARCH: [
          { guard: "a VIN is complete", target: "decoding", actions: "forget the problem" },
          {
            guard: "year, make and model are chosen",
            target: "fetching",
            actions: "forget the problem",
          },
        ],
      },
    },
    decoding: {
      tags: "busy",
      invoke: {
        src: "decode",
        input: ({ context }) => context.vin,
        onDone: {
          target: "fetching",
          actions: assign(({ event }) => ({
            ...choiceOf(event.output),
            warned: event.output.warning !== undefined,
          })),
        },
        onError: {
          target: "choosing",
          actions: [
            assign(({ event }) => ({ problem: event.error as Problem })), // what `decode` rejects with
            "bring the vehicle back",
          ],
        },
      },
    },
    fetching: {
      tags: "busy",
      invoke: {
        src: "fetch",
        input: ({ context }) => chosenVehicle(context) as VehicleDetails, // guarded on the way in
        onDone: { target: "found", actions: "keep the choice" },
        onError: {
          target: "choosing",
          actions: [
            assign(({ event }) => ({ problem: event.error as Problem })), // what `fetch` rejects with
            "go back to the former choice",
            "bring the vehicle back",
          ],
        },
      },
    },
    found: {
      on: {
        SEARCH: [
          { guard: "a VIN is complete", target: "decoding", actions: "forget the problem" },
          { guard: "year, make and model are chosen", target: "fetching" },
        ],
      },
    },
  },
});

/** What is chosen, once it is all there. */
export function chosenVehicle({ year, make, model }: Chosen): VehicleDetails | undefined {
  if (!(year && make && model)) return undefined;
  return { year, make_id: make.id, make: make.name, model_id: model.id, model: model.name };
}

/** Names stand in the lists, by these ids. */
function choiceBy({ year, makeId, modelId }: VehicleKey): Required<Chosen> {
  return { year, make: { id: makeId, name: "" }, model: { id: modelId, name: "" } };
}

function choiceOf({ year, make_id, make, model_id, model }: VehicleDetails): Required<Chosen> {
  return { year, make: { id: make_id, name: make }, model: { id: model_id, name: model } };
}
