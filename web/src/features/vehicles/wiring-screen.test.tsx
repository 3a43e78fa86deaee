import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aWire } from "~/testing/a-wire";
import { aPrice, aProduct } from "~/testing/shop/a-product";
import { show, showPage } from "~/testing/show";
import { aReport, aServer, LISTS, ourWiring, outsideWiring } from "~/testing/some-wiring";
import type { Slide } from "./address";
import WiringBeside from "./wiring-beside";
import { WiringScreen } from "./wiring-screen";

const VEHICLE = "2021,448,2469";
const MIRRORS = "This vehicle mirrors the 2022 Toyota Camry: its wiring is shown.";
const AWAY = aReport({ state: "away", fetched_at: null, count: 0 });
const THIRD_PARTY = aReport({ source: "autoMobWiring", name: "3rd Party", count: 0 });
const MIRRORED = { mirrors_vehicle: { id: 8, name: "2022 Toyota Camry" } };

function aMirroringVehicle(site: object = {}): void {
  aServer({
    ...LISTS,
    site: { features: {}, ...site },
    "internal-vehicle-wiring": ourWiring(MIRRORED),
    "external-vehicle-wiring": outsideWiring([
      aWire({ function: "BRAKE SWITCH", color: "Red", source: "adsWiring" }),
    ]),
    "wiring-by-category": [aWire({ function: "Brake", color: "White" })],
    "instructions-by-category": [],
  });
}

beforeEach(() => begin(aPerson(), "token"));
afterEach(() => vi.unstubAllGlobals());

test.each<Slide>(["vehicle", "firstech", "instructions", "modules", "t-harnesses", "guides"])(
  "%s of a vehicle that mirrors another one says whose wiring it is",
  async (slide) => {
    aMirroringVehicle();
    await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide }} />);
    expect(await screen.findAllByText(MIRRORS)).toHaveLength(1);
  },
);

test("what outside sources say is the vehicle's own, until ours is held beside it", async () => {
  aMirroringVehicle();
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "idatawire" }} />);
  await userEvent.click(
    await screen.findByRole("button", { name: "Compare the sources: BRAKE SWITCH" }),
  );
  const beside = await screen.findByRole("dialog", { name: "Sources: BRAKE SWITCH" });
  expect(screen.getAllByText(MIRRORS)).toHaveLength(1);
  expect(within(beside).getByText(MIRRORS)).toBeVisible();
  const told = within(beside)
    .getAllByRole("row")
    .map((row) => row.textContent);
  expect(told[1]).toBe("FunctionBrakeBRAKE SWITCH");
  expect(told[2]).toBe("ColorSources differWhiteRed");
});

test("what is found says it beside our rows, on the page and over another one", async () => {
  aMirroringVehicle();
  const page = await showPage(
    <WiringScreen address={{ vehicle: VEHICLE, slide: "vehicle", find: "brake" }} />,
  );
  await screen.findByRole("heading", { name: "Firstech" });
  expect(screen.getAllByText(MIRRORS)).toHaveLength(1);
  page.unmount();
  const key = { year: 2021, makeId: 448, modelId: 2469 };
  show(<WiringBeside vehicle={key} name="2021 Toyota Camry" onClose={() => undefined} />);
  await screen.findByRole("heading", { name: "Firstech" });
  expect(screen.getAllByText(MIRRORS)).toHaveLength(1);
});

test("what is found of a push-to-start and of a key can be told apart, on the page and over another one", async () => {
  const categories = ["Push-to-Start. Remote Start", "Std. Key. Remote Start"];
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": ourWiring({
      wiring_categories: categories.map((title, uuid) => ({ uuid: `${uuid}`, title, count: 1 })),
    }),
    "external-vehicle-wiring": outsideWiring(),
    "wiring-by-category": ({ categoryId }: { categoryId: string }) => [
      aWire({ function: "Brake", category: categories[Number(categoryId)] ?? "" }),
    ],
  });
  const address = { vehicle: VEHICLE, slide: "vehicle" as const, find: "brake" };
  const page = await showPage(<WiringScreen address={address} />);
  for (const name of categories) expect(await screen.findByRole("cell", { name })).toBeVisible();
  page.unmount();
  const key = { year: 2021, makeId: 448, modelId: 2469 };
  show(<WiringBeside vehicle={key} name="2021 Toyota Camry" onClose={() => undefined} />);
  for (const name of categories) expect(await screen.findByRole("cell", { name })).toBeVisible();
});

test.each<{ slide: Slide; find?: string }>([
  { slide: "firstech" },
  { slide: "vehicle", find: "brake" },
])("a category that did not load is told of, not counted as empty: $slide", async (address) => {
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": ourWiring(),
    "external-vehicle-wiring": outsideWiring(),
    "wiring-by-category": new Error(),
  });
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, ...address }} />);
  expect(await screen.findByText("Could not be loaded: Remote Start")).toBeVisible();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Remote Start ?0$/ })).toBeNull();
});

test("all options are those of the vehicle, not of what was looked for", async () => {
  aMirroringVehicle();
  const address = { vehicle: VEHICLE, slide: "firstech" as const, find: "brake" };
  await showPage(<WiringScreen address={address} />);
  const href = (await screen.findByRole("link", { name: "All options" })).getAttribute("href");
  expect(new URLSearchParams(href?.split("?")[1]).get("find")).toBeNull();
});

test("modules stand above what outside sources recommend for the trim, which leads to what the store sells", async () => {
  const product = (id: string, product_id: string | null = null) => ({
    id,
    name: `Solution ${id}`,
    product_id,
  });
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": ourWiring(),
    "external-vehicle-wiring": {
      ...outsideWiring(),
      products: [
        { trim: "LE", source: "adsWiring", products: [product("ADS-1", "m1"), product("ADS-2")] },
        { trim: "XLE", source: "autoMobWiring", products: [product("AM-3")] },
        { trim: "", source: "autoMobWiring", products: [product("AM-4")] },
      ],
    },
  });
  const rows = async () => {
    const table = await screen.findByRole("table", { name: "Recommended by other sources" });
    return within(table)
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.textContent);
  };
  const page = await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "modules" }} />);
  expect(await rows()).toEqual([
    "Solution ADS-1ADS-1iDatawireLE",
    "Solution ADS-2ADS-2iDatawireLE",
    "Solution AM-3AM-33rd PartyXLE",
    "Solution AM-4AM-43rd PartyAll trims",
  ]);
  const [sold, ...others] = screen.getAllByRole("link", { name: /^Solution/ });
  expect(sold).toHaveAttribute("href", "/product/m1");
  expect(others).toEqual([]);
  page.unmount();
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "modules", trim: "XLE" }} />);
  expect(await rows()).toEqual([
    "Solution AM-3AM-33rd PartyXLE",
    "Solution AM-4AM-43rd PartyAll trims",
  ]);
});

test("what outside sources recommend and the store sells can be bought, once", async () => {
  begin(aPerson({ purchasing_rights: true }), "token");
  const names: Record<string, string> = {
    "OURS-1": "m1",
    "ADS-1": "m1",
    "ADS-2": "m2",
    "AM-2": "m2",
  };
  const asked: string[][] = [];
  const recommended = (id: string, product_id: string | null) => ({ id, name: id, product_id });
  const sold = ["ADS-1", "ADS-2", "AM-2"].map((id) => recommended(id, names[id] ?? null));
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": ourWiring({ modules: [{ sku: "OURS-1" }] }),
    "external-vehicle-wiring": {
      ...outsideWiring(),
      products: [
        { trim: "LE", source: "adsWiring", products: [...sold, recommended("ADS-3", null)] },
      ],
    },
    "vehicle-saleor-products": ({ skus }: { skus: string[] }) => {
      asked.push(skus);
      const results = skus.map((sku) =>
        aProduct({ id: names[sku] ?? "", name: `Module ${names[sku]}`, sku, pricing: aPrice(80) }),
      );
      return { totalCount: results.length, results };
    },
  });
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "modules" }} />);
  const theirs = within(
    await screen.findByRole("region", { name: "Recommended by other sources" }),
  );
  expect(await theirs.findByRole("button", { name: "Add to cart: Module m2" })).toBeVisible();
  await waitFor(() =>
    expect(screen.getAllByRole("button", { name: /^Add to cart/ })).toHaveLength(2),
  );
  expect(screen.getAllByText("$80.00")).toHaveLength(2);
  expect(asked).toEqual([["OURS-1"], ["AM-2"]]);
});

const recommends = (trim: string) => ({
  trim,
  source: "adsWiring",
  products: [{ id: "ADS-1", name: "Solution ADS-1", product_id: null }],
});

/** A vehicle whose modules outside sources alone know. */
function aVehicleOfOthers(external: unknown): void {
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": ourWiring(),
    "external-vehicle-wiring": external,
  });
}

test("what outside sources alone recommend is counted and found, and its trims can be chosen", async () => {
  aVehicleOfOthers({ ...outsideWiring(), products: [recommends("SE"), recommends("XLE")] });
  const page = await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "vehicle" }} />);
  await screen.findByRole("button", { name: /^Compatible Modules ?2$/ });
  page.unmount();
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "modules", trim: "SE" }} />);
  expect(await screen.findByRole("table", { name: "Recommended by other sources" })).toBeVisible();
  expect(screen.queryByText("Not Found")).toBeNull();
  const trims = within(screen.getByRole("combobox", { name: "Trim" })).getAllByRole("option");
  expect(trims.map((one) => one.textContent)).toEqual(["All trims", "SE", "XLE"]);
});

test("modules that nobody knows are not found, once everybody has answered", async () => {
  aVehicleOfOthers(outsideWiring());
  const page = await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "modules" }} />);
  expect(await screen.findByText("Not Found")).toBeVisible();
  page.unmount();
  aServer({ ...LISTS, site: { features: {} }, "internal-vehicle-wiring": ourWiring(MIRRORED) });
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "modules" }} />);
  await screen.findByText(MIRRORS);
  expect(document.querySelector("[aria-busy]")).not.toBeNull();
  expect(screen.queryByText("Not Found")).toBeNull();
});

test.each([
  ["of which one is away", { ...outsideWiring(), adsWiring: null, sources: [AWAY] }],
  ["that cannot even be asked", new Error("away")],
])("outside sources %s are told beside the modules", async (_, external) => {
  aVehicleOfOthers(external);
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "modules" }} />);
  expect(await screen.findByText(/^iDatawire does not answer at the moment/)).toBeVisible();
});

test("where T-harnesses are switched off there is no option for them", async () => {
  aMirroringVehicle({ features: { t_harness: false } });
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "vehicle" }} />);
  const options = await screen.findByRole("list", { name: "Options" });
  await waitFor(() => expect(within(options).getAllByRole("button")).toHaveLength(6));
  expect(within(options).queryByRole("button", { name: /T-harnesses/ })).toBeNull();
});

test.each([
  ["the other one knows", { ...outsideWiring(), adsWiring: null, sources: [THIRD_PARTY] }],
  ["no other one knows", null],
])("a source that is not used has no option for a vehicle that %s", async (_, external) => {
  aServer({
    ...LISTS,
    site: { features: { ads_wiring: false, automob_wiring: true } },
    "internal-vehicle-wiring": ourWiring(),
    "external-vehicle-wiring": external,
  });
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "vehicle" }} />);
  expect(
    await screen.findByRole("button", { name: /^3rd Party Wiring Diagrams ?0$/ }),
  ).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/iDatawire/)).toBeNull());
});

test("where wiring is switched off there is no such page", async () => {
  aMirroringVehicle({ features: { wiring_diagrams: false } });
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "vehicle" }} />);
  expect(await screen.findByRole("heading", { name: "Page Not Found" })).toBeVisible();
  expect(screen.queryByRole("link", { name: "Print" })).toBeNull();
});

test("the options tell of a source that is away", async () => {
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": null,
    "external-vehicle-wiring": {
      ...outsideWiring(),
      adsWiring: null,
      sources: [aReport({ state: "away", fetched_at: null, count: 0 })],
    },
  });
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "vehicle" }} />);
  expect(await screen.findByText(/^iDatawire does not answer at the moment/)).toBeVisible();
  expect(screen.getByRole("list", { name: "Options" })).toBeVisible();
});

test("what was not told is not counted, and where nothing came only the failure is said", async () => {
  const server: Record<string, unknown> = {
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": ourWiring(),
    "external-vehicle-wiring": new Error("away"),
  };
  aServer(server);
  const page = await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "vehicle" }} />);
  expect(
    await screen.findByRole("button", { name: /^iDatawire Wiring Diagrams ?–$/ }),
  ).toBeVisible();
  expect(screen.getByRole("button", { name: /^Firstech Wiring Diagrams ?1$/ })).toBeVisible();
  expect(screen.getByText(/^iDatawire does not answer at the moment/)).toBeVisible();
  page.unmount();
  server["internal-vehicle-wiring"] = new Error("away");
  aServer(server);
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "vehicle" }} />);
  expect(
    await screen.findByRole("button", { name: /^Firstech Wiring Diagrams ?–$/ }),
  ).toBeVisible();
  expect(await screen.findAllByRole("alert")).toHaveLength(1);
  expect(screen.queryByText(/other sources are shown/)).toBeNull();
});

test("what is said of a vehicle without a picture stands in its place", async () => {
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": ourWiring({ vehicle_description: "A white four-door sedan" }),
    "external-vehicle-wiring": outsideWiring(),
  });
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide: "vehicle" }} />);
  expect(await screen.findByText("A white four-door sedan")).toBeVisible();
  expect(screen.getByText("Test the hood pin.")).toHaveAttribute("lang", "en");
});

function TwoVehicles() {
  const [vehicle, setVehicle] = useState(VEHICLE);
  return (
    <>
      <button type="button" onClick={() => setVehicle("2022,448,2469")}>
        Another one
      </button>
      <WiringScreen address={{ vehicle, slide: "vehicle" }} />
    </>
  );
}

test("what was looked for in one vehicle is not looked for in the next", async () => {
  aMirroringVehicle();
  await showPage(<TwoVehicles />);
  await userEvent.type(await screen.findByLabelText("Find in all sources"), "brake");
  await userEvent.click(screen.getByRole("button", { name: "Another one" }));
  expect(screen.getByLabelText("Find in all sources")).toHaveValue("");
});

test("the options count what there is of the trim that is chosen", async () => {
  const outside = (source: "adsWiring" | "autoMobWiring") =>
    ["LE", "SE", "SE", ""].map((trim) => aWire({ source, trim }));
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": ourWiring({
      trims: ["LE", "SE"],
      wiring_categories: [{ uuid: "w1", title: "Remote Start", count: 4 }],
    }),
    "external-vehicle-wiring": {
      ...outsideWiring([...outside("adsWiring"), ...outside("autoMobWiring")]),
      products: [recommends("LE"), recommends("SE"), recommends("SE")],
    },
    "wiring-by-category": ["LE", "LE", "SE", ""].map((trim) => aWire({ trim })),
  });
  const counted = async (trim?: string) => {
    const page = await showPage(
      <WiringScreen address={{ vehicle: VEHICLE, slide: "vehicle", trim }} />,
    );
    const list = await screen.findByRole("list", { name: "Options" });
    await waitFor(() => expect(list.textContent).not.toContain("–"));
    const told = [...list.children].map((one) => one.textContent);
    page.unmount();
    return told.filter((one) => /Diagrams|Modules/.test(one));
  };
  expect(await counted()).toEqual([
    "Firstech Wiring Diagrams4",
    "iDatawire Wiring Diagrams4",
    "3rd Party Wiring Diagrams4",
    "Compatible Modules3",
  ]);
  expect(await counted("SE")).toEqual([
    "Firstech Wiring Diagrams2",
    "iDatawire Wiring Diagrams3",
    "3rd Party Wiring Diagrams3",
    "Compatible Modules2",
  ]);
});

test("no wire is said to be found before everybody has answered, nor where nobody could be asked", async () => {
  const address = { vehicle: VEHICLE, slide: "vehicle", find: "brake" } as const;
  aServer({ ...LISTS, site: { features: {} }, "internal-vehicle-wiring": ourWiring() });
  const page = await showPage(<WiringScreen address={address} />);
  await screen.findByRole("heading", { name: /Camry/ });
  expect(document.querySelector("[aria-busy]")).not.toBeNull();
  expect(screen.queryByText(/wires found/)).toBeNull();
  page.unmount();
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": new Error("away"),
    "external-vehicle-wiring": new Error("away"),
  });
  await showPage(<WiringScreen address={address} />);
  await screen.findByRole("alert");
  expect(screen.queryByText(/wires found/)).toBeNull();
});

test.each<[Slide, object | null]>([
  ["guides", ourWiring({ vehicle_documents: [] })],
  ["guides", null],
  ["instructions", null],
])("%s that a vehicle does not have are not found", async (slide, ours) => {
  aServer({
    ...LISTS,
    site: { features: {} },
    "internal-vehicle-wiring": ours,
    "external-vehicle-wiring": outsideWiring(),
  });
  await showPage(<WiringScreen address={{ vehicle: VEHICLE, slide }} />);
  expect(await screen.findByText("Not Found")).toBeVisible();
});
