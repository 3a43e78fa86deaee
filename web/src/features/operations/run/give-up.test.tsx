import { renderHook, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { clearAlerts, useAlerts } from "~/shared/alerts/alerts";
import { aRun } from "~/testing/runs/a-run";
import { showPage } from "~/testing/show";
import { GiveUp } from "./give-up";

beforeEach(clearAlerts);

const overdue = {
  ...aRun({ state: "part_failed", outcome: "needs_attention", error_code: "lines_failed" }),
  kind: "purchase",
} as const;

test("a purchase whose buyer says nothing is given up with a word of why", async () => {
  await showPage(<GiveUp run={overdue} />);
  expect(screen.getByText(/^Some of these devices have no plan yet/)).toBeVisible();
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}));
  const press = screen.getByRole("button", { name: "Pay back what failed" });
  await userEvent.click(press);
  expect(asked).not.toHaveBeenCalled();
  await userEvent.type(screen.getByRole("textbox", { name: /Why/ }), "Moved away");
  await userEvent.click(press);
  const request = asked.mock.calls[0]?.[0] as Request;
  expect(request.url).toMatch(/\/v1\/operations\/runs\/purchase\/a1\/give-up$/);
  expect(await request.clone().json()).toEqual({ note: "Moved away" });
  // The form goes with the need for attention: it is told above the page.
  const { result } = renderHook(useAlerts);
  await waitFor(() => expect(result.current.map(({ type }) => type)).toEqual(["success"]));
});

test("a payment of which nobody knows what became is told about as one", async () => {
  const run = {
    ...aRun({ state: "needs_attention", outcome: "needs_attention" }),
    kind: "invoice_payment",
  } as const;
  await showPage(<GiveUp run={run} />);
  expect(screen.getByText(/^Nobody can tell what became of the payment/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Let go of the payment" })).toBeEnabled();
});
