import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { aServer } from "~/testing/some-wiring";
import { VehicleMenu } from "./vehicle-menu";

afterEach(() => vi.unstubAllGlobals());

/** jsdom has no layout, so the search takes itself for scrolled away. */
test("the search for a vehicle opens below its button, which stays in its place", async () => {
  await showPage(<VehicleMenu />);
  const button = screen.getByRole("button", { name: "Search by vehicle" });
  await userEvent.click(button);
  const year = await screen.findByLabelText("Year");
  expect(screen.getByRole("dialog", { hidden: true })).toContainElement(year);
  expect(screen.getByRole("button", { name: "Search by vehicle" })).toBe(button);
  expect(button).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByLabelText("Year")).toBeNull();
});

test("where wiring is switched off there is no search for a vehicle", async () => {
  aServer({ site: { features: { wiring_diagrams: false } } });
  await showPage(<VehicleMenu />);
  expect(screen.getByRole("button", { name: "Search by vehicle" })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("button")).toBeNull());
});
