import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { aRun } from "~/testing/runs/a-run";
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
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}));
  const back = screen.getByRole("button", { name: "Take everything back" });
  await userEvent.click(back);
  const note = screen.getByRole("textbox", { name: /What was done/ });
  expect(note).toHaveFocus();
  expect(note).toHaveAccessibleDescription("Required field");
  expect(asked).not.toHaveBeenCalled();
  await userEvent.type(note, "Looked it up");
  await userEvent.click(back);
  const [request] = asked.mock.calls[0] ?? [];
  expect(await (request as Request).clone().json()).toMatchObject({ note: "Looked it up" });
});
