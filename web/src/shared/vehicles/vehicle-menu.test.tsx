import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { showPage } from "~/testing/show";
import { VehicleMenu } from "./vehicle-menu";

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
