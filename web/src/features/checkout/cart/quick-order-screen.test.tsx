import { act, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import QuickOrderScreen from "./quick-order-screen";

afterEach(() => act(() => end()));

test("whoever may not buy is told so before a row is typed", async () => {
  begin(aPerson(), "token");
  await showPage(<QuickOrderScreen />);
  expect(screen.getByText(/You do not have purchasing rights/)).toBeVisible();
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("whoever may buy has rows to type in", async () => {
  begin(aPerson({ purchasing_rights: true }), "token");
  await showPage(<QuickOrderScreen />);
  expect(screen.getAllByRole("textbox").length).toBeGreaterThan(1);
  expect(screen.queryByText(/You do not have purchasing rights/)).toBeNull();
});
