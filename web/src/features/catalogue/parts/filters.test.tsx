import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { Filters } from "./filters";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The site is all that the server tells, if it is given. */
function show(site?: object) {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    site ? Response.json(site) : new Promise<Response>(() => undefined),
  );
  return showPage(
    <Filters
      wanted={{
        term: "",
        brands: [],
        categories: [],
        inStock: false,
        sort: "price-desc",
        page: 1,
        view: "cards",
      }}
      lists={{ brands: [{ slug: "firstech", name: "Firstech" }], categories: [] }}
      facets={undefined}
      hasApproved={false}
      onChange={() => undefined}
    />,
  );
}

test("a narrow screen draws the choices once they are asked for", async () => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (media) =>
      ({
        matches: media.includes("max-width"),
        media,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  );
  await show();
  expect(screen.queryByRole("checkbox")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Filters" }));
  expect(await screen.findByRole("checkbox", { name: /Firstech/ })).toBeTruthy();
});

test("a wide screen has them at once, and the search by vehicle when it is opened", async () => {
  await show();
  expect(screen.getByRole("checkbox", { name: /Firstech/ })).toBeTruthy();
  expect(screen.queryByLabelText("Year")).toBeNull();
  await userEvent.click(screen.getByText("By vehicle"));
  expect(await screen.findByLabelText("Year")).toBeTruthy();
});

test("where wiring is switched off there is no search by vehicle", async () => {
  await show({ features: { wiring_diagrams: false } });
  expect(screen.getByText("By vehicle")).toBeTruthy();
  await waitFor(() => expect(screen.queryByText("By vehicle")).toBeNull());
});
