import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { plain } from "~/shared/vehicles/search/by-vin";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { anActivation } from "~/testing/runs/an-activation";
import { show } from "~/testing/show";
import { SetVehicleDetails } from "./set-vehicle-details";

const VIN = "4T1B11HK9NA100001";
const NO_DATA = "No data available. Please try again using a different vehicle.";

type Decoded = { ModelYear: number; Make: string; Model: string };

const CAMRY: Decoded = { ModelYear: 2022, Make: "TOYOTA", Model: "CAMRY" };

/** A server with two vehicles, which decodes every VIN alike; `decode` may hold its answer back. */
function aServer(decode: () => Response | Promise<Response>): { asked: string[] } {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const body = (await request.json()) as { vin?: string; makeId?: number };
    if (body.vin === undefined)
      return Response.json(
        body.makeId === undefined
          ? [
              { id: 1, name: "Honda" },
              { id: 448, name: "Toyota" },
            ]
          : [
              { id: 2469, name: "Camry" },
              { id: 7, name: "RAV4" },
            ],
      );
    asked.push(body.vin);
    return decode();
  });
  return { asked };
}

function problem(status: number, code: string, detail: string): Response {
  return Response.json({ status, code, detail }, { status });
}

function onScreen() {
  const { run, asked } = aRunOnScreen(anActivation("set-vehicle-details"));
  show(<SetVehicleDetails run={run} />);
  return asked;
}

const vinBox = () => screen.getByLabelText("VIN");
const find = () => userEvent.click(screen.getByRole("button", { name: "Find" }));

afterEach(() => vi.unstubAllGlobals());

test("a VIN fills year, make and model, which are then saved without it", async () => {
  const { asked } = aServer(() => Response.json(CAMRY));
  const sent = onScreen();
  await userEvent.type(vinBox(), `${VIN.toLowerCase()}{Enter}`);
  expect(await screen.findByText("Found: 2022 Toyota Camry")).toBeVisible();
  expect(asked).toEqual([VIN]);
  expect(screen.getByLabelText("Year")).toHaveValue("2022");
  expect(screen.getByLabelText("Make")).toHaveValue("448");
  expect(screen.getByLabelText("Model")).toHaveValue("2469");
  expect(JSON.stringify(localStorage)).not.toContain(VIN);
  await userEvent.click(screen.getByRole("button", { name: "Save the vehicle" }));
  const data = { year: 2022, make_id: 448, make: "Toyota", model_id: 2469, model: "Camry" };
  await waitFor(() => expect(sent).toEqual([{ type: "SUBMIT", data }]));
});

test("typing a VIN clears the year, and choosing one clears the VIN", async () => {
  aServer(() => Response.json(CAMRY));
  onScreen();
  await userEvent.selectOptions(screen.getByLabelText("Year"), "2021");
  await userEvent.type(vinBox(), "4");
  expect(screen.getByLabelText("Year")).toHaveValue("");
  await userEvent.selectOptions(screen.getByLabelText("Year"), "2020");
  expect(vinBox()).toHaveValue("");
});

test("a VIN that is missing, too short or too long is not looked up", async () => {
  const { asked } = aServer(() => Response.json(CAMRY));
  onScreen();
  await find();
  expect(screen.getByText("Please provide a vehicle VIN number to continue")).toBeVisible();
  await userEvent.type(vinBox(), VIN.slice(0, 16));
  expect(screen.queryByText("Please provide a vehicle VIN number to continue")).toBeNull();
  await find();
  expect(screen.getByText(/^Unable to find a vehicle using this vin/)).toBeVisible();
  await userEvent.type(vinBox(), "12");
  await find();
  expect(vinBox()).toHaveValue(`${VIN}2`);
  expect(screen.getByText(/^Unable to find a vehicle using this vin/)).toBeVisible();
  expect(asked).toEqual([]);
});

test.each<[string, Decoded]>([
  ["make", { ...CAMRY, Make: "LAND ROVER" }],
  ["model", { ...CAMRY, Model: "Mirai" }],
  ["year", { ...CAMRY, ModelYear: 1939 }],
])("a %s that our lists do not have is no vehicle", async (_, decoded) => {
  aServer(() => Response.json(decoded));
  onScreen();
  await userEvent.type(vinBox(), VIN);
  await find();
  expect(await screen.findByRole("alert")).toHaveTextContent(NO_DATA);
  expect(screen.getByLabelText("Year")).toHaveValue("");
});

test("a decoder that is away can be asked again; an unknown VIN cannot", async () => {
  const words = "Vin searching is currently unavailable.";
  const answers = [
    problem(503, "vin_search_unavailable", words),
    problem(404, "no_vehicle_data", NO_DATA),
  ];
  const { asked } = aServer(() => answers.shift() ?? Response.error());
  onScreen();
  await userEvent.type(vinBox(), VIN);
  await find();
  expect(await screen.findByRole("alert")).toHaveTextContent(words);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(NO_DATA));
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  expect(asked).toEqual([VIN, VIN]);
});

test("an answer that comes after a year was chosen is dropped", async () => {
  let release: (answer: Response) => void = () => undefined;
  const held = new Promise<Response>((resolve) => {
    release = resolve;
  });
  const { asked } = aServer(() => held);
  onScreen();
  await userEvent.type(vinBox(), VIN);
  await find();
  await waitFor(() => expect(asked).toEqual([VIN]));
  await userEvent.selectOptions(screen.getByLabelText("Year"), "2019");
  release(Response.json(CAMRY));
  // Choosing a make waits for the lists, which the dropped answer asks for as well.
  await waitFor(() => expect(screen.getByLabelText("Make")).toBeEnabled());
  await userEvent.selectOptions(screen.getByLabelText("Make"), "Honda");
  expect(screen.getByLabelText("Year")).toHaveValue("2019");
  expect(screen.queryByText(/^Found/)).toBeNull();
});

test.each([
  ["MERCEDES-BENZ", "Mercedes-Benz"],
  ["CRV", "CR-V"],
  ["CITROEN", "Citroën"],
  ["SILVERADO 1500", "Silverado 1500"],
])("%s and %s are one name", (theirs, ours) => {
  expect(plain(theirs)).toBe(plain(ours));
});
