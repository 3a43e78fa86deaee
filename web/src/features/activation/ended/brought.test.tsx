import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aPlanOfRun } from "~/testing/runs/a-plan-of-run";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { showPage } from "~/testing/show";
import { Brought } from "./brought";

const DONE = aPlanOfRun({
  state: "confirmed",
  ended: true,
  status: "provisioned",
  has_receipt: true,
});

async function shown(plan: unknown, reward: number | null) {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ plan, reward }));
  const { view } = aLaterActivation("completed", {});
  const skipped = { "send-welcome": "no address" } as typeof view.skipped;
  await showPage(<Brought view={{ ...view, plan: ["send-welcome"], skipped }} />);
}

afterEach(() => vi.restoreAllMocks());

test("the end tells plan, term, price, payer, receipt, reward and what was skipped", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  await shown(DONE, 5);
  expect(await screen.findByText("Premium Prepaid, 1 year, $80.24")).toBeVisible();
  expect(screen.getByText("Olivia Marchand")).toBeVisible();
  expect(screen.getByRole("link", { name: "Show the receipt" })).toBeVisible();
  expect(screen.getByText("$5.00")).toBeVisible();
  expect(screen.getByText("no address")).toBeVisible();
});

test("a plan that was not set up is not told, nor a receipt to who may not open it", async () => {
  begin(aPerson(), "t");
  await shown({ ...DONE, status: "refunded" }, null);
  expect(await screen.findByText("no address")).toBeVisible();
  expect(screen.queryByText(/Premium/)).toBeNull();
  expect(screen.queryByRole("link")).toBeNull();
});
