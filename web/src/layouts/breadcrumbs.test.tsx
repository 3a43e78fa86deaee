import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { visited } from "~/shared/navigation/back";
import { showPage } from "~/testing/show";
import { Breadcrumbs } from "./breadcrumbs";

test("a vehicle's wiring has one crumb, and Back leads from it to the search", async () => {
  const { history } = await showPage(
    <Breadcrumbs />,
    "/wiring?vehicle=2022,448,2469&slide=vehicle",
  );
  expect(screen.queryByRole("list")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Back" }));
  await waitFor(() => expect(history.location.href).toBe("/wiring"));
  await waitFor(() => expect(screen.queryByRole("navigation")).toBeNull());
});

test("a slide of a vehicle stands below the vehicle's options, and Back leads to them", async () => {
  const { history } = await showPage(
    <Breadcrumbs />,
    "/wiring?vehicle=2022,448,2469&slide=firstech&trim=LE&find=brake",
  );
  const options = `/wiring?vehicle=${encodeURIComponent("2022,448,2469")}&slide=vehicle&trim=LE`;
  expect(screen.getByRole("link", { name: "Vehicle" })).toHaveAttribute("href", options);
  expect(screen.getByText("Wiring")).toHaveAttribute("aria-current", "page");
  await userEvent.click(screen.getByRole("button", { name: "Back" }));
  await waitFor(() => expect(history.location.href).toBe(options));
  await waitFor(() => expect(screen.queryByRole("list")).toBeNull());
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

test("a page that was left for this one is led to as it was, by its crumb", async () => {
  const { history } = await showPage(<Breadcrumbs />, "/product/5");
  const search = { s: "remote", p: "3" };
  visited({ pathname: "/search", search, state: history.location.state });
  history.push("/product/6");
  await waitFor(() =>
    expect(screen.getByRole("link", { name: "Products" })).toHaveAttribute(
      "href",
      "/search?s=remote&p=3",
    ),
  );
});
