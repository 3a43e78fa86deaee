import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { aWire } from "~/testing/a-wire";
import { showPage } from "~/testing/show";
import { aReport, aServer, LISTS, ourWiring, outsideWiring } from "~/testing/some-wiring";
import { PrintScreen } from "./print-screen";
import type { Wire } from "./types";

afterEach(() => vi.unstubAllGlobals());

test("a sheet of no vehicle says what is missing, and leads to the search", async () => {
  aServer({ site: { features: {} } });
  await showPage(<PrintScreen vehicle={undefined} />);
  expect(screen.getByRole("alert")).toHaveTextContent("Missing vehicle details");
  expect(screen.getByRole("link", { name: "Another vehicle" })).toHaveAttribute("href", "/wiring");
});

test("a sheet says whose wiring it shows, and what of it is old", async () => {
  const outside = outsideWiring();
  outside.sources = [aReport({ state: "stale" })];
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": ourWiring({ mirrors_vehicle: { id: 8, name: "2022 Toyota Camry" } }),
    "external-vehicle-wiring": outside,
    "wiring-by-category": [],
  });
  await showPage(<PrintScreen vehicle="2021,448,2469" />);
  expect(
    await screen.findByText("This vehicle mirrors the 2022 Toyota Camry: its wiring is shown."),
  ).toBeVisible();
  expect(screen.getByText(/^iDatawire does not answer at the moment/)).toBeVisible();
});

test("on the sheet every painted wire stands beside its words, of every source", async () => {
  const painted = ["Red", "Green", "White/Black", "Grey", "Purple/Yellow"];
  const rows = (source: Wire["source"]) =>
    painted.map((color, place) => aWire({ function: `Wire ${place}`, color, source }));
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": ourWiring(),
    "external-vehicle-wiring": outsideWiring([...rows("adsWiring"), ...rows("autoMobWiring")]),
    "wiring-by-category": rows("internal"),
  });
  await showPage(<PrintScreen vehicle="2021,448,2469" />);
  await waitFor(() => expect(screen.getAllByRole("table")).toHaveLength(3));
  for (const table of screen.getAllByRole("table")) {
    const cells = within(table).getAllByRole("cell");
    const beside = cells.filter((cell) => cell.querySelector("svg"));
    expect(beside.map((cell) => cell.textContent)).toEqual(painted);
  }
});

test("a category that did not load is named on the sheet, and asked for again", async () => {
  let fails = true;
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": ourWiring({
      wiring_categories: [
        { uuid: "w1", title: "Remote Start", count: 1 },
        { uuid: "w2", title: "Ignition", count: 1 },
      ],
    }),
    "external-vehicle-wiring": outsideWiring(),
    "wiring-by-category": ({ categoryId }: { categoryId: string }) =>
      categoryId === "w2" && fails ? new Error() : [aWire({ function: categoryId })],
  });
  await showPage(<PrintScreen vehicle="2021,448,2469" />);
  expect(await screen.findByText("Could not be loaded: Ignition")).toBeVisible();
  expect(screen.getByRole("checkbox", { name: "Firstech: Ignition" })).toBeChecked();
  expect(screen.getByText("This part could not be loaded.")).toBeVisible();
  fails = false;
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("rowheader", { name: "w2" })).toBeVisible();
  expect(screen.queryByText(/could not be loaded/i)).toBeNull();
});

test("a sheet of which nothing came says why, and asks for all of it again", async () => {
  const server: Record<string, unknown> = {
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": new Error("away"),
    "external-vehicle-wiring": new Error("away"),
    "wiring-by-category": [aWire({ function: "Brake" })],
  };
  aServer(server);
  await showPage(<PrintScreen vehicle="2021,448,2469" />);
  const again = await screen.findByRole("button", { name: "Try again" });
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  expect(screen.queryByRole("group", { name: "What to print" })).toBeNull();
  server["internal-vehicle-wiring"] = ourWiring();
  server["external-vehicle-wiring"] = outsideWiring();
  await userEvent.click(again);
  expect(await screen.findByRole("rowheader", { name: "Brake" })).toBeVisible();
  expect(screen.queryByText(/does not answer/)).toBeNull();
});

test("where wiring is switched off there is no sheet", async () => {
  aServer({ site: { features: { wiring_diagrams: false } } });
  await showPage(<PrintScreen vehicle="2021,448,2469" />);
  await screen.findByRole("heading", { name: "Page Not Found" });
  await waitFor(() => expect(screen.queryByRole("button", { name: "Print" })).toBeNull());
});
