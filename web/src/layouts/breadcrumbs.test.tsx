import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { showPage } from "~/testing/show";
import { Breadcrumbs } from "./breadcrumbs";

test("a vehicle's wiring has one crumb, and Back leads from it to the search", async () => {
  const { history } = await showPage(
    <Breadcrumbs />,
    "/wiring?vehicle=2022,448,2469&slide=firstech",
  );
  expect(screen.queryByRole("list")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Back" }));
  await waitFor(() => expect(history.location.href).toBe("/wiring"));
  await waitFor(() => expect(screen.queryByRole("navigation")).toBeNull());
});

test.each(["/wiring", "/wiring?find=brake", "/search?vehicle=2022,448,2469", "/devices"])(
  "%s has nothing above it",
  async (at) => {
    await showPage(<Breadcrumbs />, at);
    expect(screen.queryByRole("navigation")).toBeNull();
  },
);

test("a page below others has its trail", async () => {
  await showPage(<Breadcrumbs />, "/devices/FT-X1-00000042");
  expect(screen.getByRole("link", { name: "Devices" })).toHaveAttribute("href", "/devices");
  expect(screen.getByText("Device")).toHaveAttribute("aria-current", "page");
});
