import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { showPage } from "~/testing/show";
import { Ended } from "./ended";

const BOUGHT = { purchase_id: "p1", state: "confirmed", provisioned: true, given_up: false };

afterEach(() => vi.restoreAllMocks());

test.each([
  ["new-device", null, "The device is activated and installed."],
  ["purchase-subscription", BOUGHT, "The device stays as it was; only its plan is new."],
  [
    "purchase-subscription",
    { ...BOUGHT, state: "cancelled", provisioned: false },
    "The device stays as it was, and no plan was bought.",
  ],
  ["purchase-subscription", null, "The device stays as it was, and no plan was bought."],
] as const)("the end of %s tells what became of the device", async (type, purchase, words) => {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ plan: null, reward: null }));
  const { view } = aLaterActivation("completed", { view: { type }, facts: { purchase } });
  await showPage(<Ended view={view} state="completed" />);
  expect(await screen.findByText(words)).toBeVisible();
});
