import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearAlerts, useAlerts } from "~/shared/alerts/alerts";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aWire } from "~/testing/a-wire";
import { show, showPage } from "~/testing/show";
import { chooseVehicle } from "../chosen";
import { rememberVehicle } from "./recent";
import { VehicleSearch } from "./vehicle-search";

const TOYOTA = [{ id: 448, name: "Toyota" }];
const CAMRY = [
  { id: 2469, name: "Camry" },
  { id: 13, name: "Empty" },
];
const NO_DATA = "No data available. Please try again using a different vehicle.";

/** A server that knows nothing of the models in `empty` and whose lists may fail. */
function aServer({ empty = [] as number[], models = true } = {}): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname;
    const body = (await request.json()) as { makeId?: number; modelId?: number };
    asked.push(path);
    if (path.endsWith("/dot-vehicle-by-vin"))
      return Response.json({ ModelYear: 1900, Make: "TOYOTA", Model: "Camry" });
    if (path.endsWith("/year-make-model")) {
      if (body.makeId === undefined) return Response.json(TOYOTA);
      return models ? Response.json(CAMRY) : Response.json({ status: 503 }, { status: 503 });
    }
    return Response.json(empty.includes(body.modelId ?? 0) ? null : { id: 1 });
  });
  return asked;
}

function Alerts() {
  return useAlerts().map(({ id }) => <p key={id}>told</p>);
}

const value = (label: string) => screen.getByLabelText<HTMLSelectElement>(label).value;
const kept = () => JSON.stringify(Object.values(localStorage).map((text) => JSON.parse(text)));
const search = () => userEvent.click(screen.getByRole("button", { name: "Search" }));

beforeEach(() => {
  localStorage.clear();
  clearAlerts();
  begin(aPerson(), "token");
});
afterEach(() => vi.unstubAllGlobals());

test("an empty result brings the vehicle that was chosen before back, with the reason", async () => {
  aServer({ empty: [13] });
  chooseVehicle({ name: "2022 Toyota Camry", value: "2022,448,2469" });
  const found: string[] = [];
  show(<VehicleSearch onFound={(vehicle) => found.push(vehicle)} />);
  await waitFor(() => expect(value("Model")).toBe("2469"));
  await userEvent.selectOptions(screen.getByLabelText("Model"), "Empty");
  expect(kept()).not.toContain("2022,448,2469");
  await search();
  expect(await screen.findByText(NO_DATA)).toBeVisible();
  expect(kept()).toContain('"name":"2022 Toyota Camry","value":"2022,448,2469"');
  expect([value("Year"), value("Make"), value("Model")]).toEqual(["2022", "448", "2469"]);
  await search();
  await waitFor(() => expect(found).toEqual(["2022,448,2469"]));
});

test("a vehicle that is found again is chosen again", async () => {
  aServer();
  chooseVehicle({ name: "2022 Toyota Camry", value: "2022,448,2469" });
  const found: string[] = [];
  show(<VehicleSearch onFound={(vehicle) => found.push(vehicle)} />);
  await waitFor(() => expect(value("Model")).toBe("2469"));
  await userEvent.selectOptions(screen.getByLabelText("Model"), "Empty");
  await userEvent.selectOptions(screen.getByLabelText("Model"), "Camry");
  await search();
  await waitFor(() => expect(found).toEqual(["2022,448,2469"]));
  expect(kept()).toContain('"name":"2022 Toyota Camry","value":"2022,448,2469"');
});

test.each(["Recent vehicles", "Model"])(
  "a vehicle that an earlier search cleared is chosen again, found by its %s",
  async (field) => {
    aServer();
    rememberVehicle({ year: 2022, make_id: 448, make: "Toyota", model_id: 2469, model: "Camry" });
    chooseVehicle({ name: "2022 Toyota Camry", value: "2022,448,2469" });
    const earlier = show(<VehicleSearch onFound={() => undefined} />);
    await userEvent.selectOptions(screen.getByLabelText("Year"), "2021");
    earlier.unmount();
    const chosen = () => localStorage.getItem("chosen_vehicle:u1");
    expect(chosen()).toBe("[]");
    const found: string[] = [];
    show(<VehicleSearch onFound={(vehicle) => found.push(vehicle)} />);
    if (field === "Recent vehicles") {
      await userEvent.selectOptions(screen.getByLabelText(field), "2022 Toyota Camry");
    } else {
      await userEvent.selectOptions(screen.getByLabelText("Year"), "2022");
      await waitFor(() => expect(screen.getByLabelText("Make")).toBeEnabled());
      await userEvent.selectOptions(screen.getByLabelText("Make"), "Toyota");
      await waitFor(() => expect(screen.getByLabelText("Model")).toBeEnabled());
      await userEvent.selectOptions(screen.getByLabelText("Model"), "Camry");
      await search();
    }
    await waitFor(() => expect(found).toEqual(["2022,448,2469"]));
    expect(chosen()).toBe('[{"name":"2022 Toyota Camry","value":"2022,448,2469"}]');
  },
);

test("a VIN of which nothing is known brings the vehicle back, and stays to be corrected", async () => {
  aServer();
  chooseVehicle({ name: "2022 Toyota Camry", value: "2022,448,2469" });
  show(<VehicleSearch onFound={() => undefined} />);
  await userEvent.type(screen.getByLabelText("VIN"), "4T1B11HK5NU000001");
  expect(kept()).not.toContain("2022,448,2469");
  await search();
  expect(await screen.findByText(NO_DATA)).toBeVisible();
  expect(kept()).toContain('"value":"2022,448,2469"');
  expect(value("VIN")).toBe("4T1B11HK5NU000001");
});

test.each([
  [500, "unexpected", NO_DATA],
  [503, "unavailable", NO_DATA],
  [429, "too_many_attempts", "Attempt limit exceeded, please try after some time."],
])("our own wiring that fails with %i counts as none", async (status, code, words) => {
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/year-make-model"))
      return Response.json(((await request.json()) as { makeId?: number }).makeId ? CAMRY : TOYOTA);
    if (pathname.endsWith("/external-vehicle-wiring")) return Response.json(null);
    return Response.json({ status, code }, { status });
  });
  chooseVehicle({ name: "2022 Toyota Camry", value: "2022,448,2469" });
  show(<VehicleSearch onFound={() => undefined} />);
  await waitFor(() => expect(value("Model")).toBe("2469"));
  await search();
  expect(await screen.findByText(words)).toBeVisible();
});

test("a recent vehicle of which nothing is known any more is told, and leads nowhere", async () => {
  aServer({ empty: [13] });
  rememberVehicle({ year: 2022, make_id: 448, make: "Toyota", model_id: 13, model: "Empty" });
  rememberVehicle({ year: 2022, make_id: 448, make: "Toyota", model_id: 2469, model: "Camry" });
  const found: string[] = [];
  show(<VehicleSearch onFound={(vehicle) => found.push(vehicle)} />);
  await userEvent.selectOptions(screen.getByLabelText("Recent vehicles"), "2022 Toyota Empty");
  expect(await screen.findByText(NO_DATA)).toBeVisible();
  expect(found).toEqual([]);
  await userEvent.selectOptions(screen.getByLabelText("Recent vehicles"), "2022 Toyota Camry");
  await waitFor(() => expect(found).toEqual(["2022,448,2469"]));
});

test("a list that fails clears what it is for, and is told", async () => {
  aServer({ models: false });
  show(
    <>
      <VehicleSearch onFound={() => undefined} />
      <Alerts />
    </>,
  );
  await userEvent.selectOptions(screen.getByLabelText("Year"), "2022");
  await waitFor(() => expect(screen.getByLabelText("Make")).toBeEnabled());
  await userEvent.selectOptions(screen.getByLabelText("Make"), "Toyota");
  await waitFor(() => expect(value("Make")).toBe(""));
  expect(value("Year")).toBe("2022");
  expect(await screen.findAllByText("told")).toHaveLength(1);
});

test.each([
  ["Year", "2021"],
  ["Make", ""],
  ["Model", ""],
])("another %s clears the vehicle that was chosen before", async (label, other) => {
  aServer();
  chooseVehicle({ name: "2022 Toyota Camry", value: "2022,448,2469" });
  show(<VehicleSearch onFound={() => undefined} />);
  await waitFor(() => expect(value("Model")).toBe("2469"));
  await userEvent.selectOptions(screen.getByLabelText(label), other);
  expect(kept()).not.toContain("2022,448,2469");
});

test("a VIN clears the vehicle that was chosen before", async () => {
  aServer();
  chooseVehicle({ name: "2022 Toyota Camry", value: "2022,448,2469" });
  show(<VehicleSearch onFound={() => undefined} />);
  await userEvent.type(screen.getByLabelText("VIN"), "4");
  expect(kept()).not.toContain("2022,448,2469");
});

test("clearing the search forgets the chosen vehicle", async () => {
  aServer();
  chooseVehicle({ name: "2022 Toyota Camry", value: "2022,448,2469" });
  show(<VehicleSearch onFound={() => undefined} />);
  await userEvent.click(screen.getByRole("button", { name: "Clear the search" }));
  expect(value("Year")).toBe("");
  expect(JSON.stringify(localStorage)).not.toContain("2022,448,2469");
});

test("clearing the search leaves the page of a vehicle's wiring, and no other page", async () => {
  aServer();
  for (const [at, after] of [
    ["/wiring?vehicle=2022,448,2469&slide=firstech&find=brake&trim=LE", "/wiring"],
    ["/search?c=remote-start", "/search?c=remote-start"],
  ] as const) {
    chooseVehicle({ name: "2022 Toyota Camry", value: "2022,448,2469" });
    const page = await showPage(<VehicleSearch onFound={() => undefined} />, at);
    await userEvent.click(screen.getByRole("button", { name: "Clear the search" }));
    await waitFor(() => expect(page.history.location.href).toBe(after));
    page.unmount();
  }
});

test("whoever searches without a choice is told what is required, at each field that lacks", async () => {
  const asked = aServer();
  show(<VehicleSearch onFound={() => undefined} />);
  await search();
  expect(screen.getByText("Please select a Year, Make and Model to continue")).toBeVisible();
  for (const label of ["Year", "Make", "Model"])
    expect(screen.getByLabelText(label)).toHaveAccessibleDescription("Required field");
  expect(screen.getByLabelText("VIN")).toHaveAccessibleDescription(
    /Please provide a vehicle VIN number to continue/,
  );
  await userEvent.selectOptions(screen.getByLabelText("Year"), "2022");
  expect(screen.queryByText("Required field")).toBeNull();
  await search();
  expect(screen.getByLabelText("Year")).not.toHaveAccessibleDescription();
  for (const label of ["Make", "Model"])
    expect(screen.getByLabelText(label)).toHaveAccessibleDescription("Required field");
  expect(asked.filter((path) => !path.endsWith("/year-make-model"))).toEqual([]);
});

test.each([
  [[], 0],
  [[{ trim: "LE", wires: [aWire({ source: "adsWiring" })] }], 1],
])(
  "a vehicle of which nobody told anything is no recent one: %j",
  async (adsWiring, remembered) => {
    vi.stubGlobal("fetch", async (request: Request) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/year-make-model"))
        return Response.json(
          ((await request.json()) as { makeId?: number }).makeId ? CAMRY : TOYOTA,
        );
      const outside = { adsWiring, autoMobWiring: null, products: [], sources: [] };
      return Response.json(pathname.endsWith("/external-vehicle-wiring") ? outside : null);
    });
    chooseVehicle({ name: "2022 Toyota Camry", value: "2022,448,2469" });
    const found: string[] = [];
    show(<VehicleSearch onFound={(vehicle) => found.push(vehicle)} />);
    await waitFor(() => expect(value("Model")).toBe("2469"));
    await search();
    await waitFor(() => expect(found).toEqual(["2022,448,2469"]));
    const recent = JSON.parse(localStorage.getItem("recent_vehicle_searches:u1") ?? "[]");
    expect(recent).toHaveLength(remembered);
  },
);

test("a recent vehicle whose details are missing is told, and not looked for", async () => {
  const asked = aServer();
  localStorage.setItem(
    "recent_vehicle_searches:u1",
    JSON.stringify([{ name: "2022 Toyota", value: "2022,448" }]),
  );
  show(<VehicleSearch onFound={() => undefined} />);
  await userEvent.selectOptions(screen.getByLabelText("Recent vehicles"), "2022 Toyota");
  expect(screen.getByText("Missing vehicle details")).toBeVisible();
  expect(asked).toEqual([]);
});

test("a VIN that is longer than one is neither cut nor looked up", async () => {
  const asked = aServer();
  show(<VehicleSearch onFound={() => undefined} />);
  await userEvent.type(screen.getByLabelText("VIN"), "4t1b11hk9na1000012");
  await search();
  expect(screen.getByText(/^Unable to find a vehicle using this vin/)).toBeVisible();
  expect(screen.getByLabelText("VIN")).toHaveValue("4T1B11HK9NA1000012");
  expect(asked).toEqual([]);
});
