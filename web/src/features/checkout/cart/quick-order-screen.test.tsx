import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import QuickOrderScreen from "./quick-order-screen";

afterEach(() => act(() => end()));

test.each([
  ["an installer", aPerson(), /You do not have purchasing rights/],
  ["a consumer", aPerson({ is_b2c: true }), /No linked business account/],
])("%s is told before a row is typed why none can be added", async (_, person, why) => {
  begin(person, "token");
  await showPage(<QuickOrderScreen />);
  expect(await screen.findByText(why)).toBeVisible();
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("whoever may buy has rows to type in", async () => {
  begin(aPerson({ purchasing_rights: true }), "token");
  await showPage(<QuickOrderScreen />);
  expect(screen.getAllByRole("textbox").length).toBeGreaterThan(1);
  expect(screen.queryByText(/You do not have purchasing rights/)).toBeNull();
});

test("a row takes no pictures, and of its number no more than a line may hold", async () => {
  begin(aPerson({ purchasing_rights: true }), "token");
  await showPage(<QuickOrderScreen />);
  const sku = screen.getByRole("textbox", { name: "SKU, row 1" });
  const quantity = screen.getByRole("textbox", { name: "Quantity, row 1" });
  await userEvent.type(sku, "CS-1🚗2");
  await userEvent.type(quantity, "12🚗345");
  expect([sku, quantity].map((one) => (one as HTMLInputElement).value)).toEqual(["CS-12", "9999"]);
  await userEvent.clear(quantity);
  await userEvent.type(quantity, "1.5");
  expect(quantity).toHaveValue("1.5"); // to be judged, and not fifteen
});

test("a row is taken out by the keyboard alone", async () => {
  begin(aPerson({ purchasing_rights: true }), "token");
  await showPage(<QuickOrderScreen />);
  const rows = screen.getAllByRole("textbox", { name: /^SKU/ }).length;
  screen.getByRole("textbox", { name: "Quantity, row 1" }).focus();
  await userEvent.tab();
  expect(screen.getByRole("button", { name: "Remove row 1" })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(screen.getAllByRole("textbox", { name: /^SKU/ })).toHaveLength(rows - 1);
});
