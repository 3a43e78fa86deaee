import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aRun } from "~/testing/a-run";
import { showPage } from "~/testing/show";
import { SettlePlacement } from "./settle-placement";

const stuck = (code: string) =>
  aRun({
    kind: "placement",
    state: "needs_attention",
    outcome: "needs_attention",
    error: "It waits.",
    error_code: code,
  });

test("an order whose payment was not taken is tried again, or noted as paid", async () => {
  await showPage(<SettlePlacement run={stuck("capture_unclear")} />);
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    "Try again",
    "It was paid by hand",
  ]);
});

test("nothing is done without a word of what was done", async () => {
  await showPage(<SettlePlacement run={stuck("payment_unclear")} />);
  const again = screen.getByRole("button", { name: "Try again" });
  expect(again).toBeDisabled();
  await userEvent.type(screen.getByRole("textbox", { name: /What was done/ }), "Looked it up");
  expect(again).toBeEnabled();
  expect(screen.getByRole("button", { name: "Take everything back" })).toBeEnabled();
});
