import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PurchaseAnswer } from "~/shared/plans/types";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { lookAgain } from "~/testing/look-again";
import { aPlanOfRun } from "~/testing/runs/a-plan-of-run";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { aCard } from "~/testing/shop/a-payment-method";
import { aPlan } from "~/testing/shop/a-plan";
import { aPurchase } from "~/testing/shop/a-purchase";
import { showPage } from "~/testing/show";
import { PurchasePlan } from "./purchase-plan";

const { slug, name, rank: _rank, terms, ...words } = aPlan();
const UPGRADES = {
  device_key: "FT-X1-00000042",
  currency: "USD",
  present: null,
  results: [
    {
      type: slug,
      name,
      ...words,
      plans: terms.map((term) => ({ ...term, name, image: words.image, change: "new" })),
    },
  ],
};

/** The server's answers by path, a number is a bare status; the stream has nothing to tell. */
function tells(purchase: PurchaseAnswer | undefined) {
  const answers: Record<string, unknown> = {
    "/api/plans/upgrade": UPGRADES,
    "/v1/payments": { uuid: "p1" },
    "/v1/purchases/p1": purchase,
    "/v1/activations/a1/outcome": { plan: aPlanOfRun(), reward: null },
    "/api/users-payment-methods": {
      results: [aCard({ isMain: true })],
      allowed: { cards: true, bank: true, cod: true, terms: true },
      creditAvailable: null,
    },
  };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { pathname } = new URL((asked as Request).url);
    const answer = answers[pathname] ?? 404;
    if (typeof answer === "number") return Response.json({}, { status: answer });
    return Response.json(answer);
  });
  return answers;
}

beforeEach(() => localStorage.clear());

afterEach(() => vi.restoreAllMocks());

test("without a plan the step is passed by with a reason", async () => {
  const { run, asked } = aRunOnScreen(
    aLaterActivation("purchase-plan", { allowed: ["SKIP", "BACK"] }),
  );
  await showPage(<PurchasePlan run={run} />);
  await userEvent.click(screen.getByRole("button", { name: "Go on without" }));
  const dialog = await screen.findByRole("dialog", { name: "Skip this step?" });
  await userEvent.type(within(dialog).getByLabelText("Reason"), "The owner buys it");
  await userEvent.click(within(dialog).getByRole("button", { name: "Skip" }));
  expect(asked).toEqual([{ type: "SKIP", reason: "The owner buys it" }]);
});

test.each([
  ["new-device", false, /^This device has no data plan yet\. It can be activated all the same/],
  ["purchase-subscription", false, /^This device has no data plan yet\. The app/],
  ["purchase-subscription", true, /^This device has a data plan\./],
] as const)("%s, with a plan %s, is told what holds of it", async (type, plan_purchased, words) => {
  const view = { type, plan_purchased };
  const { run } = aRunOnScreen(aLaterActivation("purchase-plan", { allowed: ["SKIP"], view }));
  await showPage(<PurchasePlan run={run} />);
  expect(screen.getByText(words)).toBeVisible();
});

test("a plan is chosen and paid, and the activation waits for that purchase", async () => {
  tells(aPurchase("quoted"));
  begin(aPerson({ purchasing_rights: true }), "t");
  const { run, asked } = aRunOnScreen(aLaterActivation("purchase-plan", { allowed: ["SKIP"] }));
  await showPage(<PurchasePlan run={run} />);
  await userEvent.click(await screen.findByRole("radio", { name: /^Premium/ }));
  await userEvent.click(screen.getByRole("radio", { name: /^1 year/ }));
  const passing = screen.getByRole("button", { name: "Go on without" });
  expect(passing).toHaveAttribute("data-variant", "subtle"); // paying is the one filled button
  await userEvent.click(screen.getByRole("button", { name: "Work out the price" }));
  await userEvent.click(await screen.findByRole("button", { name: "Pay $80.24" }));
  expect(asked).toEqual([
    {
      type: "BUY_PLAN",
      plan_id: "premium_prepaid-1_year",
      quote_uuid: "p1",
      payer: { type: "CARD", method_id: "card1" },
      reason: "",
    },
  ]);
});

test("while the activation waits, the purchase says how far it is", async () => {
  tells(aPurchase("charging"));
  begin(aPerson({ purchasing_rights: true }), "t");
  const purchase = { purchase_id: "p1", state: null, provisioned: false, given_up: false };
  const { run } = aRunOnScreen(aLaterActivation("purchase-plan/waiting", { facts: { purchase } }));
  await showPage(<PurchasePlan run={run} />);
  expect(await screen.findByText("Charging")).toBeVisible();
  expect(screen.getByRole("button", { name: "In progress…" })).toBeDisabled();
});

test("who may not buy is offered to go on without", async () => {
  tells(aPurchase("quoted"));
  begin(aPerson(), "t");
  const { run } = aRunOnScreen(aLaterActivation("purchase-plan", { allowed: ["SKIP"] }));
  await showPage(<PurchasePlan run={run} />);
  expect(screen.queryByRole("radio")).toBeNull();
  const on = screen.getByRole("button", { name: "Go on without" });
  expect(on).toBeEnabled();
  expect(on).not.toHaveAttribute("data-variant", "subtle");
});

test("who may not buy is told who can, and has it paid by one of them", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) =>
    (asked as Request).url.endsWith("/v1/activations/a1/colleagues")
      ? Response.json({
          results: [
            { id: "olivia", name: "Olivia Marchand", may_buy: true },
            { id: "marcus", name: "Marcus Okafor", may_buy: false },
          ],
        })
      : new Promise<Response>(() => undefined),
  );
  begin(aPerson(), "t");
  const { run, asked } = aRunOnScreen(aLaterActivation("purchase-plan", { allowed: ["SKIP"] }));
  await showPage(<PurchasePlan run={run} />);
  expect(await screen.findByText("Who can buy it: Olivia Marchand")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Have it paid by a colleague" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Hand over to a colleague" }));
  expect(dialog.getByRole("checkbox", { name: "Only to pay for the plan" })).toBeChecked();
  expect(dialog.queryByRole("radio", { name: "Marcus Okafor" })).toBeNull();
  await userEvent.click(dialog.getByRole("radio", { name: "Olivia Marchand" }));
  await userEvent.click(dialog.getByRole("button", { name: "Hand over" }));
  expect(asked).toEqual([{ type: "HAND_OVER", user_id: "olivia", note: "", only_to_pay: true }]);
});

test("who buys plans for another business by now sees who pays all the same", async () => {
  tells(undefined);
  begin(aPerson({ purchasing_rights: true }), "t");
  const purchase = { purchase_id: "p1", state: null, provisioned: false, given_up: false };
  const { run } = aRunOnScreen(aLaterActivation("purchase-plan/waiting", { facts: { purchase } }));
  await showPage(<PurchasePlan run={run} />);
  expect(await screen.findByText(/Olivia Marchand pays for the plan/)).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a price that was worked out for another business is worked out anew", async () => {
  tells(undefined);
  begin(aPerson({ purchasing_rights: true }), "t");
  const { run } = aRunOnScreen(aLaterActivation("purchase-plan", { allowed: ["SKIP"] }));
  await showPage(<PurchasePlan run={run} />);
  await userEvent.click(await screen.findByRole("radio", { name: /^Premium/ }));
  await userEvent.click(screen.getByRole("radio", { name: /^1 year/ }));
  await userEvent.click(screen.getByRole("button", { name: "Work out the price" }));
  expect(await screen.findByRole("button", { name: "Work out the price" })).toBeEnabled();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("whose colleague pays sees who it is, and how far it is", async () => {
  tells(aPurchase("charging"));
  begin(aPerson(), "t");
  const purchase = { purchase_id: "p1", state: null, provisioned: false, given_up: false };
  const { run } = aRunOnScreen(aLaterActivation("purchase-plan/waiting", { facts: { purchase } }));
  await showPage(<PurchasePlan run={run} />);
  expect(
    await screen.findByText(/Olivia Marchand pays for the plan of this device: Premium Prepaid/),
  ).toBeVisible();
  expect(screen.getByText("Charging")).toBeVisible();
  expect(screen.queryByText(/could not find/)).toBeNull();
});

test.each([
  ["what is offered", true, "purchase-plan", "/api/plans/upgrade", /^Premium/],
  ["who pays", false, "purchase-plan/waiting", "/v1/activations/a1/outcome", /^Olivia Marchand/],
] as const)("a look at %s that fails is told, and what was there stays", async (...told) => {
  const [, purchasing_rights, state, path, kept] = told;
  const answers = tells(aPurchase("quoted"));
  begin(aPerson({ purchasing_rights }), "t");
  const purchase = { purchase_id: "p1", state: null, provisioned: false, given_up: false };
  const facts = state === "purchase-plan" ? {} : { purchase };
  const { run } = aRunOnScreen(aLaterActivation(state, { allowed: ["SKIP"], facts }));
  await showPage(<PurchasePlan run={run} />);
  await screen.findAllByText(kept);
  answers[path] = 500;
  lookAgain();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(screen.getAllByText(kept)[0]).toBeVisible();
});
